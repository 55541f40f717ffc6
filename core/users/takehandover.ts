/**
 * Uses up a code for a hand-over: the RPC `takehandover` (docs/interfaces.md, "Users").
 *
 * @module
 */
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import type { Command } from "../command.ts";
import { isRefusal, refuse } from "../errors.ts";
import { type Handovers, isAhead, isFor } from "./handover.ts";
import { modifyUser } from "./modifyuser.ts";
import { hashToken } from "./token.ts";
import { isExpired } from "./user.ts";

/** The user who was handed over, and the new token. */
export interface TakenHandover {
  readonly name: string;
  readonly token: string;
}

/**
 * Uses up a code: a new token replaces that of the user, as with `modifyUser`, and the user is
 * logged out everywhere. Refused (4): a code that is unknown, was used, has expired, or was made
 * while the clock was far ahead or before the user got another token.
 */
export function takeHandover(code: string): Command<TakenHandover> {
  return (state, actor, ports) => {
    const [name, handover] = handoverOf(state.handovers, code) ?? [];
    if (name === undefined || handover === undefined) {
      return refuseCode("expected the latest code of a user; a restart forgets them all");
    }
    if (handover.isTaken) return refuseCode("it was used already");
    const now = ports.clock.now();
    if (isExpired(handover, now)) return refuseCode(`it expired at ${handover.expires}`);
    if (isAhead(handover, now)) return refuseCode("it was made while the clock was ahead");
    const user = state.users.get(name);
    if (!isFor(handover, user)) {
      return refuseCode("its user was removed, or has been given another token since");
    }
    if (isExpired(user, now)) return refuseCode(`the token of ${name} expired at ${user.expires}`);
    const changed = modifyUser({ name, newtoken: true })(state, actor, ports);
    if (isRefusal(changed)) return changed;
    return {
      events: [...changed.events, { type: "handovertaken", name }],
      result: { name, token: changed.result.token! },
    };
  };
}

const encoder = new TextEncoder();

function handoverOf(handovers: Handovers, code: string) {
  const hash = encoder.encode(hashToken(code));
  // As for tokens, the comparison takes as long wherever two hashes differ.
  return [...handovers].find(([, { codeHash }]) => timingSafeEqual(encoder.encode(codeHash), hash));
}

function refuseCode(sentence: string) {
  return refuse("notLoggedIn", sentence, "code");
}
