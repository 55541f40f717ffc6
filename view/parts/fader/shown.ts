/**
 * A value that is shown and can be moved by the user: its own moves are shown at once and sent at
 * intervals; updates from the console wait meanwhile.
 *
 * @module
 */

/** The ports of a shown value. */
export interface ShownPorts {
  /** Shows a value. */
  show(value: number): void;
  /** Sends a value to the console; settles with its answer, even a refusal. */
  send(value: number): Promise<unknown>;
  /** Returns monotonic time in ms. */
  now(): number;
  /** Calls `act` once, after `ms`. */
  later(ms: number, act: () => void): void;
}

/** A value that is shown. */
export interface Shown {
  /** The shown value. */
  readonly value: number;
  /** Called with a value from the console, which is shown unless the user is moving the value. */
  told(value: number): void;
  /** Begins a move: from now on values from the console wait. */
  hold(): void;
  /**
   * Moves the value: it is shown at once and sent at most every 20 ms; the last one is always sent.
   */
  move(value: number): void;
  /**
   * Ends a move: the last value from the console is shown as soon as all sent values are answered.
   */
  letGo(): void;
}

/** Minimum interval between two sent values in ms. */
const SEND_MS = 20;

/** Makes a shown value that begins with `initial`. */
export function createShown(initial: number, ports: ShownPorts): Shown {
  let value = initial;
  let told = initial;
  let isHeld = false;
  let unanswered = 0;
  let sentAt = -Infinity;
  /** The next value to be sent. */
  let next: number | undefined;

  function show(shown: number): void {
    value = shown;
    ports.show(shown);
  }

  /**
   * Shows the value of the console if the user is not moving it, and all sent values are answered.
   */
  function settle(): void {
    if (!isHeld && unanswered === 0 && next === undefined && value !== told) show(told);
  }

  function send(sent: number): void {
    next = undefined;
    sentAt = ports.now();
    unanswered++;
    const answered = () => {
      unanswered--;
      settle();
    };
    ports.send(sent).then(answered, answered);
  }

  return {
    get value() {
      return value;
    },
    told(value) {
      told = value;
      settle();
    },
    hold() {
      isHeld = true;
    },
    move(moved) {
      show(moved);
      const isDue = next !== undefined;
      next = moved;
      if (isDue) return;
      const wait = sentAt + SEND_MS - ports.now();
      if (wait <= 0) send(moved);
      else ports.later(wait, () => send(next!));
    },
    letGo() {
      isHeld = false;
      settle();
    },
  };
}
