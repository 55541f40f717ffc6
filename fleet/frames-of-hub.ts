/**
 * Reads the frames of a hub, which may be of another version, or a stranger's.
 *
 * @module
 */
import { isBranch } from "../core/tree/tree.ts";
import { isFleetName } from "./vouched-user.ts";
import { FLEET_MAY, type FleetUser, type FromHub } from "./wire.ts";

/** A ticket is part of an address. */
const TICKET = /^[\w-]{1,128}$/;

/** Maximum length of an address in an audit trail. */
const FROM_LENGTH = 64;

/** Maximum length of the name of a hub and of its boot. */
const NAME_LENGTH = 128;

/** Reads a frame; undefined where it is none. One of an unknown type is `unknown`. */
export function readFromHub(text: string): FromHub | { readonly type: "unknown" } | undefined {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isBranch(frame)) return undefined;
  const { type, t, boot, hub, quarantined, within, ticket, kind, as, from } = frame;
  switch (type) {
    case "welcome":
      return isText(hub) && isText(boot) && isTime(t) && typeof quarantined === "boolean"
        ? { type, hub, boot, t, quarantined }
        : undefined;
    case "beat":
      return isText(boot) && isTime(t) ? { type, boot, t } : undefined;
    case "rebirth":
      return isTime(within) ? { type, within } : undefined;
    case "open": {
      const isRight = typeof ticket === "string" && TICKET.test(ticket) &&
        (kind === "session" || kind === "http") && typeof from === "string" &&
        (as === undefined || isFleetUser(as));
      if (!isRight) return undefined;
      const user = as as FleetUser | undefined;
      return { type, ticket, kind, from: shown(from), ...(user && { as: user }) };
    }
    default:
      return typeof type === "string" ? { type: "unknown" } : undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= NAME_LENGTH;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isFleetUser(value: unknown): boolean {
  return isBranch(value) && typeof value.name === "string" && isFleetName(value.name) &&
    (FLEET_MAY as readonly unknown[]).includes(value.may);
}

/** An address without control characters, as an audit trail may have it. */
function shown(from: string): string {
  return from.replaceAll(/\p{Cc}/gu, "").slice(0, FROM_LENGTH);
}
