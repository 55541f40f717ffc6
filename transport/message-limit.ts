/**
 * How long messages may be (decisions.md, "Control API endpoints"): what brings a snapshot back may be
 * longer than the rest, for a whole mixer may be.
 *
 * @module
 */
import { SNAPSHOT_FILE_BYTES } from "../core/limits.ts";
import type { State } from "../core/state.ts";
import { isBranch } from "../core/tree/tree.ts";
import type { User } from "../core/users/user.ts";
import type { Envelope, MalformedMessage } from "./envelope.ts";
import { userOf } from "./token.ts";

/** A snapshot of another console, with other numbers and labels, may be so many times longer. */
const OF_OTHER_CONSOLES = 2;

/** The most bytes of a snapshot file. */
export function snapshotFileLimit({ snapshotBytes }: State): number {
  return Math.max(SNAPSHOT_FILE_BYTES, OF_OTHER_CONSOLES * snapshotBytes);
}

/** The most bytes of any message: what is longer need not be read. */
export function longestMessage({ configuration, snapshotBytes }: State): number {
  return Math.max(configuration.limits.maxMessageBytes, OF_OTHER_CONSOLES * snapshotBytes);
}

/**
 * Whether a text that is longer than other messages may be is worth parsing, which takes long: it names
 * `setsnapshot`, and comes from `user`, who is known, or has the token of somebody who is.
 */
export function mayBeSetSnapshot(state: State, text: string, user: User | undefined): boolean {
  if (!text.includes('"setsnapshot"')) return false;
  return user !== undefined || userOf(state, TOKEN.exec(text)?.[1]) !== undefined;
}

const TOKEN = /"token"\s*:\s*"([^"\\]{1,64})"/;

/** The most bytes of a message, once it is known what it is. */
export function messageLimit(state: State, request: Envelope | MalformedMessage): number {
  return isSetSnapshot(request)
    ? longestMessage(state)
    : state.configuration.limits.maxMessageBytes;
}

function isSetSnapshot(request: Envelope | MalformedMessage): boolean {
  return "payload" in request && request.method === "rpc" && isBranch(request.payload) &&
    request.payload.method === "setsnapshot";
}
