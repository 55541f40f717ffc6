/**
 * How much one address and one user may write: a medium of flash wears out, and whoever writes in a
 * loop fills it (`limits.writes`).
 *
 * @module
 */
import { type Refusal, refuse } from "./errors.ts";
import { WRITERS } from "./limits.ts";
import type { Clock } from "./ports.ts";
import type { Actor } from "./users/user.ts";

/** So much may be written; 0 for a rate is no limit of it. */
export interface WriteLimits {
  /** Durable changes in a minute. */
  readonly perMinute: number;
  /** Bytes of their records in a minute. */
  readonly bytesPerMinute: number;
  /** What was not written in so many minutes may be written at once. */
  readonly burstMinutes: number;
}

/**
 * Charges a write of so many bytes to the address and to the user of an actor. Refused (11), with
 * nothing charged: an actor who has written all that may be written now; the sentence says how many
 * s to wait. An actor without an address is the machine itself, and is charged nothing.
 */
export type WriteBudget = (actor: Actor, bytes: number, limits: WriteLimits) => Refusal | undefined;

/** What a writer has written and what time has not made up for yet, at a monotonic time in ms. */
interface Written {
  writes: number;
  bytes: number;
  at: number;
}

const MINUTE_MS = 60_000;

/**
 * Makes a budget in which nobody has written yet. It remembers {@linkcode WRITERS} addresses and as
 * many users; one more takes the place of the one that it has known for longest.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const charge = createWriteBudget({ monotonic: () => 0 });
 * const limits = { perMinute: 60, bytesPerMinute: 0, burstMinutes: 0.05 };
 * const panel = { address: "192.0.2.7" };
 * for (let write = 0; write < 3; write++) assertEquals(charge(panel, 100, limits), undefined);
 * const message = "192.0.2.7 has written too much (limits.writes): wait 1 s";
 * assertEquals(charge(panel, 100, limits), { code: 11, message });
 * ```
 */
export function createWriteBudget(clock: Pick<Clock, "monotonic">): WriteBudget {
  const addresses = new Map<string, Written>();
  const users = new Map<string, Written>();

  return ({ address, user }, bytes, limits) => {
    if (address === undefined) return undefined;
    if (limits.perMinute === 0 && limits.bytesPerMinute === 0) return undefined;
    const now = clock.monotonic();
    const ofAddress = writtenBy(addresses, address, now, limits);
    const ofUser = user && writtenBy(users, user.name, now, limits);
    const refusal = overdrawn(address, ofAddress, limits) ??
      (ofUser && overdrawn(`user ${user!.name}`, ofUser, limits));
    if (refusal !== undefined) return refusal;
    for (const written of ofUser === undefined ? [ofAddress] : [ofAddress, ofUser]) {
      written.writes++;
      written.bytes += bytes;
    }
    return undefined;
  };
}

function writtenBy(
  writers: Map<string, Written>,
  name: string,
  now: number,
  limits: WriteLimits,
): Written {
  const known = writers.get(name);
  if (known !== undefined) {
    const minutes = (now - known.at) / MINUTE_MS;
    known.writes = Math.max(0, known.writes - minutes * limits.perMinute);
    known.bytes = Math.max(0, known.bytes - minutes * limits.bytesPerMinute);
    known.at = now;
    return known;
  }
  if (writers.size >= WRITERS) writers.delete(writers.keys().next().value!);
  const made = { writes: 0, bytes: 0, at: now };
  writers.set(name, made);
  return made;
}

/**
 * Refuses a writer who has nothing left. The last write may be larger than what is left, so that a
 * large one is possible at all; it is made up for before the next.
 */
function overdrawn(writer: string, written: Written, limits: WriteLimits): Refusal | undefined {
  const minutes = Math.max(
    minutesUntilRoom(written.writes, limits.perMinute, limits.burstMinutes),
    minutesUntilRoom(written.bytes, limits.bytesPerMinute, limits.burstMinutes),
  );
  if (minutes < 0) return undefined;
  const seconds = Math.max(1, Math.ceil(minutes * MINUTE_MS / 1000));
  return refuse(
    "limitReached",
    `${writer} has written too much (limits.writes): wait ${seconds} s`,
  );
}

function minutesUntilRoom(written: number, perMinute: number, burstMinutes: number): number {
  return perMinute === 0 ? -Infinity : written / perMinute - burstMinutes;
}
