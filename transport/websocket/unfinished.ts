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

/**
 * Makes a guard, which is to look every now and then. Where the hidden bytes are over what they
 * were at first by more than `most`, and grow, it drops connections: those that have never sent a
 * whole message; where there is none such, the newer half, and so on until it is well. What does
 * not grow is let be: memory that was given back may stay with the process.
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
    const silent = sessions.filter((session) => !session.hasSpoken());
    const newer = sessions.slice(Math.floor(sessions.length / 2));
    for (const one of silent.length > 0 ? silent : newer) one.drop(MESSAGE_TOO_BIG, REASON);
  };
}
