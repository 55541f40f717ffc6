/**
 * A value that is shown and can be moved: what one does oneself shows at once and goes out now and
 * then; what comes from elsewhere meanwhile waits.
 *
 * @module
 */

/** What a shown value needs. */
export interface ShownPorts {
  /** Shows a value. */
  show(value: number): void;
  /** Sends a value to the console; settles when the console has answered, whatever that is. */
  send(value: number): Promise<unknown>;
  /** Tells monotonic time, in ms. */
  now(): number;
  /** Calls `act` once, in `ms`. */
  later(ms: number, act: () => void): void;
}

/** A value that is shown. */
export interface Shown {
  /** What is shown. */
  readonly value: number;
  /** The console has told a value: it shows unless somebody here is moving it. */
  told(value: number): void;
  /** From now on what the console tells waits. */
  hold(): void;
  /** Moves the value: it shows at once, and is sent at most once in 20 ms, the last one always. */
  move(value: number): void;
  /** The last that the console told shows, as soon as it has answered all that was sent. */
  letGo(): void;
}

/** Minimum interval between two values that are sent, in ms. */
const SEND_MS = 20;

/** Makes a value that shows `initial` until it is told another. */
export function createShown(initial: number, ports: ShownPorts): Shown {
  let value = initial;
  let told = initial;
  let isHeld = false;
  let unanswered = 0;
  let sentAt = -Infinity;
  /** What is to be sent when the time has come. */
  let next: number | undefined;

  function show(shown: number): void {
    value = shown;
    ports.show(shown);
  }

  /** The console's word counts where nobody moves the value, and all that was sent is answered. */
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
