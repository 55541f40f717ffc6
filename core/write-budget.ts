/**
 * The write budget of each address and each user (`limits.writes`): a flash medium wears out, and a
 * client that writes in a loop would fill it.
 *
 * @module
 */
import { createAddresses } from "./addresses.ts";
import { type Refusal, refuse } from "./errors.ts";
import { WRITERS } from "./limits.ts";
import type { Clock } from "./ports.ts";
import type { Actor } from "./users/user.ts";

/** The limits on the rate of writes; a rate of 0 means no limit. */
export interface WriteLimits {
  /** Maximum number of durable changes per minute. */
  readonly perMinute: number;
  /** Maximum number of bytes of their records per minute. */
  readonly bytesPerMinute: number;
  /** Time in minutes over which unused budget adds up, which may then be written in one burst. */
  readonly burstMinutes: number;
}

/** The write budget. An actor without an address is the machine itself, and is not charged. */
export interface WriteBudget {
  /**
   * Charges the bytes of a write to the quotas of an actor's address and user. Where a quota is
   * used up, refuses (11) and charges nothing; the sentence says for how many seconds to wait.
   */
  charge(actor: Actor, bytes: number, limits: WriteLimits): Refusal | undefined;
  /** Charges bytes that a write or a refusal causes, and that can no longer be refused. */
  owe(actor: Actor, bytes: number, limits: WriteLimits): void;
}

/**
 * The debt of a writer at a monotonic time, as the time in ms that it takes to pay it off: a time
 * means the same under another configuration, a number of writes does not.
 */
interface Debt {
  readonly writes: number;
  readonly bytes: number;
  readonly at: number;
}

const MINUTE_MS = 60_000;

/**
 * Makes a budget in which nobody has written yet. It remembers {@linkcode WRITERS} addresses and
 * {@linkcode WRITERS} users; a further one replaces the oldest one without debt.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const { charge } = createWriteBudget({ monotonic: () => 0 });
 * const limits = { perMinute: 60, bytesPerMinute: 0, burstMinutes: 0.05 };
 * const panel = { address: "192.0.2.7" };
 * for (let write = 0; write < 3; write++) assertEquals(charge(panel, 100, limits), undefined);
 * const message = "192.0.2.7 has written too much (limits.writes): wait 1 s";
 * assertEquals(charge(panel, 100, limits), { code: 11, message });
 * ```
 */
export function createWriteBudget(clock: Pick<Clock, "monotonic">): WriteBudget {
  const addresses = createAddresses<Debt>(WRITERS);
  const users = createAddresses<Debt>(WRITERS);

  /**
   * Returns the payers for an actor: the memory of each debt, its key, and the name of the payer.
   */
  function payers({ address, user }: Actor) {
    if (address === undefined) return [];
    const payer = { debts: addresses, key: address, name: address };
    return user === undefined
      ? [payer]
      : [payer, { debts: users, key: user.name, name: `user ${user.name}` }];
  }

  function add(actor: Actor, writes: 0 | 1, bytes: number, limits: WriteLimits): void {
    const now = clock.monotonic();
    const isPaid = (debt: Debt) => paid(debt, now).writes === 0 && paid(debt, now).bytes === 0;
    for (const { debts, key } of payers(actor)) {
      debts.set(key, more(paid(debts.get(key), now), writes, bytes, limits), isPaid);
    }
  }

  return {
    charge(actor, bytes, limits) {
      if (limits.perMinute === 0 && limits.bytesPerMinute === 0) return undefined;
      const now = clock.monotonic();
      for (const { debts, key, name } of payers(actor)) {
        const refusal = overdrawn(name, paid(debts.get(key), now), limits);
        if (refusal !== undefined) return refusal;
      }
      add(actor, 1, bytes, limits);
    },
    owe(actor, bytes, limits) {
      if (limits.bytesPerMinute > 0) add(actor, 0, bytes, limits);
    },
  };
}

/** Returns what is left of a debt at a time. */
function paid(debt: Debt | undefined, now: number): Debt {
  if (debt === undefined) return { writes: 0, bytes: 0, at: now };
  const passed = now - debt.at;
  return {
    writes: Math.max(0, debt.writes - passed),
    bytes: Math.max(0, debt.bytes - passed),
    at: now,
  };
}

/** Adds writes and bytes to a debt, which is unchanged without a limit. */
function more(
  debt: Debt,
  writes: number,
  bytes: number,
  { perMinute, bytesPerMinute }: WriteLimits,
): Debt {
  return {
    ...debt,
    writes: debt.writes + (perMinute === 0 ? 0 : writes * MINUTE_MS / perMinute),
    bytes: debt.bytes + (bytesPerMinute === 0 ? 0 : bytes * MINUTE_MS / bytesPerMinute),
  };
}

/**
 * Refuses a writer whose budget is used up. The last write may be larger than what is left, so that
 * a large one is possible at all; it has to be paid off before the next one.
 */
function overdrawn(
  writer: string,
  debt: Debt,
  { perMinute, bytesPerMinute, burstMinutes }: WriteLimits,
): Refusal | undefined {
  const most = Math.max(
    perMinute === 0 ? 0 : debt.writes,
    bytesPerMinute === 0 ? 0 : debt.bytes,
  );
  const over = most - burstMinutes * MINUTE_MS;
  if (over < 0) return undefined;
  const seconds = Math.floor(over / 1000) + 1;
  return refuse(
    "limitReached",
    `${writer} has written too much (limits.writes): wait ${seconds} s`,
  );
}
