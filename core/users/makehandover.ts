/**
 * Making a code for a hand-over: the RPC `makehandover` (docs/interfaces.md, "Users").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { refuse } from "../errors.ts";
import { HANDOVERS } from "../limits.ts";
import type { State } from "../state.ts";
import { noSuchUser } from "./adduser.ts";
import { isAhead, isFor } from "./handover.ts";
import { changesUsers } from "./login.ts";
import { hashToken, makeToken } from "./token.ts";
import { isExpired } from "./user.ts";

/** A new code, and the time at which it expires, in ISO 8601 and UTC. */
export interface MadeHandover {
  readonly code: string;
  readonly expires: string;
}

const MINUTE_MS = 60_000;

/**
 * Makes a code for a user, in the form of a token, that is valid for `minutes`. It replaces an
 * earlier code of that user. Refused: an unknown name (6), a user whose token has expired (3), more
 * than {@linkcode HANDOVERS} codes that may still be used (11).
 */
export function makeHandover(name: string, minutes: number): Command<MadeHandover> {
  return (state, { connection }, { clock, random }) => {
    const user = state.users.get(name);
    if (user === undefined) return noSuchUser(name);
    const now = clock.now();
    if (isExpired(user, now)) {
      const sentence =
        `the token of ${name} expired at ${user.expires}: first give it another time`;
      return refuse("invalidParameter", sentence, "name");
    }
    const { handovers } = state;
    const isFull = !handovers.has(name) && handovers.size >= HANDOVERS;
    const over = isFull ? [...handovers.keys()].find((one) => !isOpen(state, one, now)) : undefined;
    if (isFull && over === undefined) {
      return refuse("limitReached", `expected at most ${HANDOVERS} codes that are not used up`);
    }
    const code = makeToken(random);
    const expires = new Date(now + minutes * MINUTE_MS).toISOString();
    const { tokenHash } = user;
    const handover = { codeHash: hashToken(code), tokenHash, expires, connection };
    return {
      events: [{ type: "handovermade", name, handover, ...(over === undefined ? {} : { over }) }],
      result: { code, expires },
      waitsFor: changesUsers,
    };
  };
}

/** Says whether the code of a user may still be used at `now`, in ms since 1970. */
function isOpen({ handovers, users }: State, name: string, now: number): boolean {
  const handover = handovers.get(name)!;
  return !handover.isTaken && !isExpired(handover, now) && !isAhead(handover, now) &&
    isFor(handover, users.get(name));
}
