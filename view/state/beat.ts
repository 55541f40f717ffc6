/**
 * Whether the console is heard of. A connection may stay open while nothing comes by it any more,
 * as that of a service that hangs or of a network that is gone: the page must not look live then.
 *
 * @module
 */

/** The ports of a beat. */
export interface BeatPorts {
  /** Has the console send something; settles with its answer. */
  ask(): Promise<unknown>;
  /** Calls `act` every `ms` from now on, or less often while the page is hidden. */
  every(ms: number, act: () => void): void;
  /** Returns the time in ms, in which a machine that sleeps is counted. */
  now(): number;
  /** Is told when nothing comes any more, and when something comes again. */
  changed(isSilent: boolean): void;
}

/** The beat of a page. */
export interface Beat {
  /** A connection is answered. */
  begin(): void;
  /**
   * Much was asked for. One large answer may be long on its way, in which nothing else comes: until
   * all that was asked for is answered, silence is 10 s and not one.
   */
  reads(): void;
  /** The connection is lost. */
  end(): void;
  /** Something has come. */
  heard(): void;
  /**
   * Resolves with whether something may be sent: at once where something has come of late, else by
   * asking the console. Without a connection nothing would be sent in any case.
   */
  lately(): Promise<boolean>;
}

/** Silence is counted in these, in ms: a page that is held up itself counts no more than one. */
const TICK_MS = 200;

/** After this many ticks without a message the console is asked. */
const ASK_TICKS = 2;

/** After this many, about a second, the console is silent. */
const SILENT_TICKS = 6;

/** After this many, 10 s, it is silent, too, where one large answer may be on its way. */
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
