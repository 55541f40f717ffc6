/**
 * Reads the commands in the frames of a hub.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import { PATH_CHARACTERS } from "../../core/limits.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { isFleetUser, isTime, shownAddress } from "./said-by-hub.ts";
import {
  type CommandRequest,
  FLEET_ID,
  type FleetUser,
  type FromHub,
  REQUIRED_VALUES,
} from "../wire.ts";

/** A frame with a command. */
export type CommandFrame = Extract<FromHub, { readonly type: "do" | "preview" }>;

/** Reads a frame of the type `do` or `preview`; undefined if it is not valid. */
export function readCommand(frame: Readonly<Record<string, unknown>>): CommandFrame | undefined {
  const { type, id, batch, kind, expires, at, require, request, as, from } = frame;
  const isRight = isId(id) && typeof from === "string" && isFleetUser(as) && isRequest(request) &&
    (require === undefined || isRequired(require));
  if (!isRight) return undefined;
  const asked = {
    id,
    request: request as CommandRequest,
    as: as as FleetUser,
    from: shownAddress(from),
    ...(require === undefined ? {} : { require: require as Readonly<Record<string, Json>> }),
  };
  if (type === "preview") return { type, ...asked };
  const isTimed = isId(batch) && (kind === "live" || kind === "kept") && isTime(expires) &&
    (at === undefined || isTime(at));
  if (!isTimed) return undefined;
  return { type: "do", ...asked, batch, kind, expires, ...(at === undefined ? {} : { at }) };
}

function isId(value: unknown): value is string {
  return typeof value === "string" && FLEET_ID.test(value);
}

function isRequest(request: unknown): boolean {
  if (!isBranch(request)) return false;
  const { method, path, payload } = request as Readonly<Record<string, unknown>>;
  if (method === "set") return isPath(path) && payload !== undefined;
  return method === "rpc" && isBranch(payload) && typeof payload.method === "string";
}

function isRequired(require: unknown): boolean {
  if (!isBranch(require)) return false;
  const paths = Object.keys(require);
  return paths.length <= REQUIRED_VALUES && paths.every(isPath);
}

function isPath(path: unknown): boolean {
  return typeof path === "string" && path.length <= PATH_CHARACTERS;
}
