/**
 * Room in memory for the bodies that are on their way.
 *
 * @module
 */

/** A body that comes through a room. */
export interface Guest {
  /** Resolves when it has to give way to others: it is not to be read on. */
  readonly displaced: Promise<void>;
  /** So many more bytes of it have come. */
  hold(bytes: number): void;
  /** It has come whole, and is displaced no more. */
  settle(): void;
  /** Gives up its room: what came of it is held no more. */
  leave(): void;
}

/** Lets a body in. */
export type Room = () => Guest;

/**
 * Makes a room for `bytes` of bodies together; how many that is may change. Where more comes, of
 * the bodies that have not come whole the one that began first gives way: so nobody is kept out by
 * those who send slowly, or never end.
 */
export function createRoom(bytes: () => number): Room {
  /** What displaces each body that has not come whole; the one that began first is first. */
  const coming = new Set<() => void>();
  let held = 0;

  return () => {
    let tell = () => {};
    const displaced = new Promise<void>((resolve) => tell = resolve);
    let own = 0;

    function leave(): void {
      coming.delete(displace);
      held -= own;
      own = 0;
    }

    function displace(): void {
      leave();
      tell();
    }

    coming.add(displace);
    return {
      displaced,
      hold(count) {
        if (!coming.has(displace)) return;
        own += count;
        held += count;
        // One that is too large alone displaces nobody: whoever reads it refuses it.
        const most = bytes();
        if (own > most) return;
        for (const first of coming) {
          if (held <= most) return;
          first();
        }
      },
      settle: () => void coming.delete(displace),
      leave,
    };
  };
}
