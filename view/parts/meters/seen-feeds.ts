/**
 * The feeds of the meters on the screen: the levels of no other meter are requested.
 *
 * @module
 */
import { whileSeen } from "../../while-seen.ts";

/** The sides of a meter, in dBFS. */
export type Sides = readonly number[];

/**
 * Asks for the levels of the meter of that name, which are reported from then on; the returned
 * function ends that.
 */
export type MeterFeed = (name: string, report: (sides: Sides) => void) => () => void;

/** The feeds of the meters on the screen. */
export interface SeenFeeds {
  /**
   * Call it whenever a meter has come onto the screen or left it. While strips are scrolled by,
   * each is visible for a moment only: no levels are requested for them.
   */
  settleSoon(): void;
  /** Ends all feeds. */
  end(): void;
}

/** Time in ms that a meter has to stay on the screen before its levels are requested. */
const STAY_MS = 100;

/**
 * Feeds the meters that `onScreen` names, while the page is visible. `report` gets each level, and
 * undefined at the end of a feed: once the meter is on the screen again, its levels are other ones.
 */
export function createSeenFeeds(
  feed: MeterFeed,
  onScreen: () => ReadonlySet<string>,
  report: (name: string, sides: Sides | undefined) => void,
): SeenFeeds {
  /** The functions that end the feeds. */
  const feeds = new Map<string, () => void>();
  let isVisible = false;
  let settling: number | undefined;

  function settle(): void {
    const names = isVisible ? onScreen() : new Set<string>();
    for (const [name, end] of feeds) {
      if (names.has(name)) continue;
      end();
      feeds.delete(name);
      report(name, undefined);
    }
    for (const name of names) {
      if (!feeds.has(name)) feeds.set(name, feed(name, (sides) => report(name, sides)));
    }
  }

  const stop = whileSeen(() => {
    isVisible = true;
    settle();
    return () => {
      isVisible = false;
      settle();
    };
  });
  return {
    settleSoon() {
      clearTimeout(settling);
      settling = setTimeout(settle, STAY_MS);
    },
    end() {
      clearTimeout(settling);
      stop();
    },
  };
}
