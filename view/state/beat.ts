/**
 * Checks whether the console gives signs of life. A connection may stay open while no messages
 * arrive any more, as with a service that hangs or a network that is gone: the page must not look
 * live then.
 *
 * @module
 */

/** The ports of a beat. */
export interface BeatPorts {
  /** Sends the console a request; settles with its answer. */
  ask(): Promise<unknown>;
  /** Calls `act` every `ms` from now on, or less often while the page is hidden. */
  every(ms: number, act: () => void): void;
  /** Returns the time in ms, including the time in which the machine sleeps. */
  now(): number;
  /** Called when messages stop arriving, and when they arrive again. */
  changed(isSilent: boolean): void;
}

/** The beat of a page. */
export interface Beat {
  /** To be called when a connection has opened, which takes an answer of the console. */
  begin(): void;
  /**
   * To be called when many values were requested. One large answer may take long to arrive, and
   * nothing else comes meanwhile: until all requests are answered, the limit of silence is 10 s and
   * not 1 s.
   */
  reads(): void;
  /** To be called when the connection is lost. */
  end(): void;
  /** To be called when a message has arrived. */
  heard(): void;
  /**
   * Resolves with whether a request may be sent: at once if a message has arrived lately, otherwise
   * after a question to the console. Without a connection nothing would be sent in any case.
   */
  lately(): Promise<boolean>;
}

/**
 * Interval in ms of the ticks that count silence: a page that is blocked itself counts only one
 * tick.
 */
const TICK_MS = 200;

/** Number of ticks without a message after which the console is asked. */
const ASK_TICKS = 2;

/** Number of ticks, about a second, after which the console counts as silent. */
const SILENT_TICKS = 6;

/**
 * Number of ticks, 10 s, after which it counts as silent even if one large answer may be on its
 * way.
 */
const READ_SILENT_TICKS = 50;

/** Makes a beat that has no connection yet. */
export function createBeat({ ask, every, now, changed }: BeatPorts): Beat {
  let quiet = 0;
  let heardAt = -Infinity;
  let isOpen = false;
  let isCounted = false;
  let isSilent = false;
  let reads = 0;
  let waiting: ((isThere: boolean) => void)[] = [];

  function tell(isThere: boolean): void {
    for (const resolve of waiting) resolve(isThere);
    waiting = [];
  }

  function countAfterwards(): void {
    const own = ++reads;
    isCounted = false;
    // A refusal is an answer, too; without a connection there is none.
    const answered = () => {
      if (own === reads) isCounted = isOpen;
    };
    ask().then(answered, answered);
  }

  every(TICK_MS, () => {
    quiet++;
    if (!isOpen) return;
    if (isCounted && quiet === ASK_TICKS) ask().catch(() => {});
    if (quiet !== (isCounted ? SILENT_TICKS : READ_SILENT_TICKS)) return;
    isSilent = true;
    tell(false);
    changed(true);
  });

  return {
    begin() {
      isOpen = true;
      quiet = 0;
      isSilent = false;
      countAfterwards();
    },
    reads() {
      if (isOpen) countAfterwards();
    },
    end() {
      isOpen = false;
      isCounted = false;
      tell(false);
    },
    heard() {
      quiet = 0;
      heardAt = now();
      tell(true);
      if (!isSilent) return;
      isSilent = false;
      changed(false);
    },
    lately() {
      const isFresh = now() - heardAt < TICK_MS;
      if (!isOpen || isFresh || isSilent) return Promise.resolve(!isSilent);
      if (waiting.length === 0) ask().catch(() => {});
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
