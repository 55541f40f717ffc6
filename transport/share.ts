/**
 * A share of the memory that clients may take together: of what they ask faster than they are
 * answered, or are sent and do not read. Where it is used up, who holds most of it goes first.
 *
 * @module
 */

/** Who holds some of a share. */
export interface Holder {
  /** So many bytes are held now. */
  held(): number;
  /** Is called once, when the share is used up and nobody holds more: it is to let go of all. */
  giveUp(): void;
}

/** The place of a holder in a share. */
export interface Held {
  /** The holder has come to hold so many bytes more. What it lets go of need not be told. */
  grew(bytes: number): void;
  /** The holder holds nothing any more. */
  leave(): void;
}

/** A share: lets a holder in, who holds nothing at first. */
export type Share = (holder: Holder) => Held;

/**
 * Makes a share of `bytes` for all holders together; how much that is may change.
 *
 * What the network takes is told to nobody, so a sum that only grows stands for what is held, and
 * all are asked when it says that there is too much: seldom, and then it is right again.
 */
export function createShare(bytes: () => number): Share {
  const holders = new Set<Holder>();
  let atMost = 0;

  function makeRoom(): void {
    const held = new Map([...holders].map((holder) => [holder, holder.held()]));
    atMost = held.values().reduce((sum, one) => sum + one, 0);
    const most = [...held].sort(([, one], [, other]) => other - one);
    for (const [holder, own] of most) {
      if (atMost <= bytes()) return;
      holders.delete(holder);
      atMost -= own;
      holder.giveUp();
    }
  }

  return (holder) => {
    holders.add(holder);
    return {
      grew(count) {
        if (!holders.has(holder)) return;
        atMost += count;
        if (atMost > bytes()) makeRoom();
      },
      leave: () => void holders.delete(holder),
    };
  };
}
