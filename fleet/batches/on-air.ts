/**
 * Requests for many consoles that may be heard on air: nobody looks at each console before such a
 * request is carried out.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import { shown } from "../../core/shown.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { CommandRequest } from "../commands/command.ts";
import type { ConsoleEntry } from "../hub/hub-core.ts";
import { fadersOf } from "./selection.ts";

/** The RPC methods that change stored values alone, and nothing that is heard. */
const UNHEARD: ReadonlySet<string> = new Set([
  ...["modifyuser", "removeuser"],
  ...["savesnapshot", "setsnapshot", "modifysnapshot", "removesnapshot"],
  ...["setchannellabel", "setviewdocument"],
]);

/** The leaves that are shown and not heard. */
const SHOWN: ReadonlySet<string> = new Set(["label"]);

/** Says whether a request changes what is kept, and nothing that may be heard. */
export function isUnheard(request: CommandRequest): boolean {
  if (request.method === "rpc") return UNHEARD.has(request.payload.method);
  const last = request.path.split("/").findLast((member) => member !== "") ?? "";
  return isShownAlone(last, request.payload);
}

function isShownAlone(name: string, value: Json): boolean {
  if (!isBranch(value)) return SHOWN.has(name);
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  return members.length > 0 && members.every(([member, inner]) => isShownAlone(member, inner));
}

/** Says whether a request may be heard: it changes more than what is kept. */
export function mayBeHeard(request: CommandRequest): boolean {
  const isRead = request.method === "rpc" && request.payload.method.startsWith("get");
  return !isRead && !isUnheard(request);
}

/**
 * Returns the values that a console off air has: each of its faders is OFF. Returns the reason not
 * to touch the console if a fader is ON, or if the hub does not know the faders.
 */
export function offAir(
  { summary }: ConsoleEntry,
): { readonly require: Readonly<Record<string, Json>> } | { readonly why: string } {
  const require: Record<string, Json> = {};
  for (const { path, fader } of fadersOf(summary.tree)) {
    if (fader.on === true) {
      return { why: onAir(typeof fader.label === "string" ? fader.label : "") };
    }
    if (fader.on === false) require[`${path}/on`] = false;
  }
  return Object.keys(require).length > 0 ? { require } : { why: NOT_KNOWN };
}

function onAir(label: string): string {
  const fader = label === "" ? "a fader" : `the fader ${shown(label)}`;
  return `the console is on air (${fader} is ON): give "require", or "force" for consoles on air, too`;
}

const NOT_KNOWN = "the hub does not know its faders, so it may be on air: " +
  'give "require", or "force" for consoles on air, too';
