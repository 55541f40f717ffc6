/**
 * How much one address may have open at a time: WebSockets, and requests that are not answered yet
 * (`limits.connectionsPerAddress`). The streams of an HTTP/2 connection are such requests, too.
 *
 * @module
 */

/** The requests under way, by address. */
export interface Places {
  /** How many there are from an address. */
  countFrom(address: string): number;
  /** Counts a request from an address until it is answered. */
  hold(address: string, answered: Promise<unknown>): void;
}

/** Makes the places, all free. */
export function createPlaces(): Places {
  const underWay = new Map<string, number>();

  function countFrom(address: string): number {
    return underWay.get(address) ?? 0;
  }

  return {
    countFrom,
    hold(address, answered) {
      underWay.set(address, countFrom(address) + 1);
      const leave = () => {
        const others = countFrom(address) - 1;
        if (others > 0) underWay.set(address, others);
        else underWay.delete(address);
      };
      answered.then(leave, leave);
    },
  };
}
