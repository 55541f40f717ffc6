/**
 * The memory that clients may take over what an idle service has (`limits.memory`), and who may
 * have how much of it. Whatever a client can make grow asks here.
 *
 * @module
 */
import { createRoom, type Room } from "./intake/intake.ts";
import { createShare, type Share } from "./share.ts";

/** The budget of a service. */
export interface Budget {
  /**
   * For bodies that are on their way, but for those of `restore`, which have a room of their own.
   */
  readonly bodies: Room;
  /** For requests over WebSockets that wait for their answers. */
  readonly waiting: Share;
  /** For what was sent and is not read. */
  readonly unread: Share;
  /** The most paths that all connections together are subscribed to. */
  subscriptions(): number;
}

/**
 * Each of the three may have a sixth, 32 MiB of 192. A third is for the body of a restore, and the
 * last sixth for what is made of all of that on the way: values of texts, texts of values.
 */
const PARTS = 6;

/** What a subscription takes, the path that others may share included. */
const SUBSCRIPTION_BYTES = 256;

/** Makes the budget of so many bytes, which another configuration may change. */
export function createBudget(bytes: () => number): Budget {
  const part = () => bytes() / PARTS;
  return {
    bodies: createRoom(part),
    waiting: createShare(part),
    unread: createShare(part),
    // Half of the last sixth: 65,536 of 192 MiB.
    subscriptions: () => Math.floor(part() / 2 / SUBSCRIPTION_BYTES),
  };
}
