/**
 * Messages that come in fragments and never end. Deno holds the fragments, as many as a client
 * likes, and tells nobody of them before the last; so all can be seen of them is that the memory of
 * the process grows.
 *
 * @module
 */
import { MESSAGE_TOO_BIG } from "./close-codes.ts";
import type { Session } from "./session.ts";

const REASON = "messages that do not end have taken too much memory";

/** Memory goes up and down by so much without anybody sending anything. */
export const NOISE_BYTES = 1024 * 1024;

/** Clients send a heartbeat every 5 s (control-tree.md): two of them fit into this. */
const HEARTBEATS_MS = 11_000;

/**
 * Makes a guard, which is to look every now and then. Where the hidden bytes are over what they
 * were at first by more than `most`, and grow, it drops connections: those that have never sent a
 * whole message; where there is none such, the newer half of those that have sent none for so long
 * that even their heartbeats are missing; where there is none such, the newer half of all, and so on
 * until it is well. What does not grow is let be: memory that was given back may stay with the
 * process.
 */
export function createUnfinishedGuard(
  hiddenBytes: () => number,
  most: () => number,
): (sessions: readonly Session[]) => void {
  const atFirst = hiddenBytes();
  let before = atFirst;

  return (sessions) => {
    const now = hiddenBytes();
    const grows = now > before + NOISE_BYTES;
    before = now;
    if (!grows || now - atFirst <= most()) return;
    for (const one of suspects(sessions)) one.drop(MESSAGE_TOO_BIG, REASON);
  };
}

function suspects(sessions: readonly Session[]): readonly Session[] {
  const never = sessions.filter((session) => session.silentMs() === Infinity);
  if (never.length > 0) return never;
  const silent = sessions.filter((session) => session.silentMs() > HEARTBEATS_MS);
  return newerHalf(silent.length > 0 ? silent : sessions);
}

function newerHalf(sessions: readonly Session[]): readonly Session[] {
  return sessions.slice(Math.floor(sessions.length / 2));
}
