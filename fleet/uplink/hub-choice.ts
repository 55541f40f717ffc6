/**
 * Chooses the hub that a console dials next, and when: each hub of its list at once, and only after
 * all have failed it waits, longer each time.
 *
 * @module
 */

/** Time in ms that a console waits after all hubs have failed: at first, and at most. */
export const RETRY_MS = { first: 250, most: 30_000 } as const;

/**
 * Minimum time in ms of a connection that counts as a success; without it a hub that ends each
 * connection at once would be dialled without a pause.
 */
export const LASTING_MS = 5000;

/** Part of each wait that is random, so that the consoles of a hub do not come back together. */
const RANDOM_PART = 0.5;

/** The failures so far. It is immutable. */
export interface HubChoice {
  /** The index in the list of the hub to dial. */
  readonly index: number;
  /** The number of hubs that have failed since the last connection that lasted. */
  readonly failures: number;
}

/** Nothing has failed yet. */
export const FIRST_CHOICE: HubChoice = { index: 0, failures: 0 };

/** A connection, or the attempt at one, has ended. */
export interface Ended {
  /** Time in ms from the welcome to the end of the connection; 0 without a welcome. */
  readonly lastedMs: number;
  /** Whether the hub said that dialling again at once is of no use. */
  readonly isFinal: boolean;
}

/**
 * Returns the hub to dial next, and the time until then in ms. `random` is at least 0 and less than
 * 1.
 */
export function afterEnd(
  { index, failures }: HubChoice,
  { lastedMs, isFinal }: Ended,
  hubs: number,
  random: number,
): { readonly next: HubChoice; readonly waitMs: number } {
  const before = lastedMs >= LASTING_MS ? 0 : failures;
  // A hub whose lasting connection was lost may have restarted: it is as good as the others.
  const isLost = lastedMs >= LASTING_MS && !isFinal;
  const next = { index: (index + 1) % hubs, failures: isLost ? 0 : before + 1 };
  if (isLost) return { next, waitMs: 0 };
  if (next.failures % hubs !== 0) return { next, waitMs: 0 };
  const round = next.failures / hubs - 1;
  const full = isFinal ? RETRY_MS.most : Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** round);
  return { next, waitMs: full * (1 - RANDOM_PART * random) };
}
