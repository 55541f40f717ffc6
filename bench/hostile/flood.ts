/**
 * Requests over a WebSocket, as fast as they are answered.
 *
 * @module
 */
import { noted, sleep, type Target } from "./target.ts";

/** Who sends, and how many requests are on their way at a time. */
export interface FloodOptions {
  /** The address of this machine that it comes from. */
  readonly from?: string;
  readonly token?: string;
  readonly onTheWay: number;
}

/**
 * Sends the requests that `next` makes, which are numbered, on one connection until the attack
 * ends; where it is lost, on another.
 */
export async function flood(
  target: Target,
  { onTheWay, ...peer }: FloodOptions,
  next: (number: number) => object,
): Promise<void> {
  let number = 0;
  while (!target.over) {
    let going = 0;
    const wire = await noted(target, { ...peer, answered: () => going-- });
    if (wire === undefined) {
      await sleep(100);
      continue;
    }
    while (!target.over && !wire.socket.destroyed) {
      while (going < onTheWay) {
        going++;
        wire.send(JSON.stringify(next(number++)));
      }
      await sleep(1);
    }
  }
}
