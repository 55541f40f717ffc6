/**
 * Reads the frames of a hub, which may have another version, or be a stranger.
 *
 * @module
 */
import { objectIn } from "../../core/json.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { readCommand } from "./read-command.ts";
import { isFleetUser, isTime, shownAddress } from "./said-by-hub.ts";
import type { FleetUser, FromHub } from "../wire.ts";

/** A ticket is part of an address. */
const TICKET = /^[\w-]{1,128}$/;

/** Maximum length of the name of a hub and of the id of its run (`boot`). */
const NAME_LENGTH = 128;

/** Reads a frame; undefined for anything else. A frame of an unknown type is `unknown`. */
export function readFromHub(text: string): FromHub | { readonly type: "unknown" } | undefined {
  const frame = objectIn(text);
  if (frame === undefined) return undefined;
  const { type, t, boot, hub, quarantined, ticket, kind, as, from, heard, takesTold } = frame;
  switch (type) {
    case "welcome":
      return isText(hub) && isText(boot) && isTime(t) && typeof quarantined === "boolean"
        ? { type, hub, boot, t, quarantined, ...(takesTold === true ? { takesTold } : {}) }
        : undefined;
    case "beat":
      if (!isText(boot) || !isTime(t) || !(heard === undefined || isHeard(heard))) return undefined;
      return { type, boot, t, ...(heard === undefined ? {} : { heard: heard as Heard }) };
    case "rebirth":
      return { type, within: 0 };
    case "open": {
      const isRight = typeof ticket === "string" && TICKET.test(ticket) &&
        (kind === "session" || kind === "http") && typeof from === "string" &&
        (as === undefined || isFleetUser(as));
      if (!isRight) return undefined;
      const user = as as FleetUser | undefined;
      return { type, ticket, kind, from: shownAddress(from), ...(user && { as: user }) };
    }
    case "do":
    case "preview":
      return readCommand(frame);
    default:
      return typeof type === "string" ? { type: "unknown" } : undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= NAME_LENGTH;
}

type Heard = NonNullable<Extract<FromHub, { readonly type: "beat" }>["heard"]>;

function isHeard(heard: unknown): boolean {
  return isBranch(heard) && isTime(heard.t) && isTime(heard.ms);
}
