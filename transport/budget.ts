/**
 * The memory that clients may take in addition to that of an idle service (`limits.memory`), in
 * quotas. Everything that a client can make grow is counted here.
 *
 * @module
 */
import { BACKUP_PACKED_BYTES, FORM_BYTES } from "../core/limits.ts";
import { createMemoryQuota, type MemoryQuota } from "./memory-quota.ts";

/** The budget of a service. */
export interface Budget {
  /** The quota for bodies that are being received, except those of `restore`. */
  readonly bodies: MemoryQuota;
  /**
   * The quota for the bodies of `restore`, each until it is applied. Only one is applied at a time,
   * so those that wait share the memory of the largest body, whatever the size of the budget.
   */
  readonly restores: MemoryQuota;
  /**
   * Maximum number of bytes of all small bodies together that are being read in one piece, and do
   * not count for that quota.
   */
  bodiesAtOnce(): number;
  /** The quota for requests over WebSockets that wait for their answers. */
  readonly requests: MemoryQuota;
  /** The quota for answers and updates that clients have not read. */
  readonly sendBuffers: MemoryQuota;
  /** The quota for incomplete heads and messages, if the server can count them. */
  readonly receiveBuffers: MemoryQuota;
  /** The maximum number of subscriptions of all connections together. */
  subscriptions(): number;
}

/**
 * Bodies, requests and send buffers have a sixth each, 32 MiB of 192. The last sixth of all is for
 * intermediate values: parsed messages, written answers. Bodies of restores have 64 MiB whatever
 * the budget, a third of 192 MiB. Receive buffers have a third in addition.
 */
const PARTS = 6;

/** Bytes of one subscription, including its path, which others may share. */
const SUBSCRIPTION_BYTES = 256;

/** Makes the budget of a number of bytes, which another configuration may change. */
export function createBudget(bytes: () => number): Budget {
  const part = () => bytes() / PARTS;
  return {
    bodies: createMemoryQuota(part),
    restores: createMemoryQuota(() => FORM_BYTES + BACKUP_PACKED_BYTES),
    // 4 MiB of 192: as much as one address can be sending.
    bodiesAtOnce: () => part() / 8,
    requests: createMemoryQuota(part),
    sendBuffers: createMemoryQuota(part),
    receiveBuffers: createMemoryQuota(() => 2 * part()),
    // Half of the last sixth: 65,536 of 192 MiB.
    subscriptions: () => Math.floor(part() / 2 / SUBSCRIPTION_BYTES),
  };
}
