/**
 * A share of the memory that clients may take together: of what they ask faster than they are
 * answered, or are sent and do not read. Where it is used up, who holds much of it and does not let
 * go goes first.
 *
 * @module
 */

/** Who holds some of a share. */
export interface Holder {
  /** So many bytes are held now. */
  held(): number;
  /** Is called once, when the share is used up: it is to let go of all. */
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
 * Makes a share of `bytes` for all holders together; how much that is may change. Where it is used
 * up, those go first who hold no less than when all were last asked, and of them who holds most.
 * Who is alone may hold more than all of it: however large one thing is, it can be had.
 *
 * What the network takes is told to nobody, so a sum that only grows stands for what is held, and
 * all are asked when it says that there is too much: seldom, and then it is right again.
 */
export function createShare(bytes: () => number): Share {
  /** What each held when all were last asked; it is the newest where it has not been asked yet. */
  const holders = new Map<Holder, number>();
  let atMost = 0;

  function makeRoom(): void {
    const all = [...holders].map(([holder, before]) => {
      const own = holder.held();
      holders.set(holder, own);
      return { holder, own, stalls: own >= before };
    });
    atMost = all.reduce((sum, { own }) => sum + own, 0);
    all.sort((one, other) => Number(other.stalls) - Number(one.stalls) || other.own - one.own);
    for (const { holder, own } of all) {
      if (atMost <= bytes() || atMost === own) return;
      holders.delete(holder);
      atMost -= own;
      holder.giveUp();
    }
  }

  return (holder) => {
    holders.set(holder, Infinity);
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
