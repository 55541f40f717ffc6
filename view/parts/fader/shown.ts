/**
 * A value that is shown and can be moved by the user: the user's moves are shown at once, and sent
 * one after the other, each when the console has reported the move before. So only one value is
 * under way to a console that hangs.
 *
 * @module
 */

/** The ports of a shown value. */
export interface ShownPorts {
  /** Shows a value. */
  show(value: number): void;
  /** Sends a value to the console; settles with its answer, even a refusal. */
  send(value: number): Promise<unknown>;
  /** Called when another client moves the value while the user does. */
  elsewhere?(): void;
  /** Returns monotonic time in ms. */
  now(): number;
  /** Calls `act` once, after `ms`. */
  later(ms: number, act: () => void): void;
}

/** A value that is shown. */
export interface Shown {
  /** The shown value. */
  readonly value: number;
  /**
   * Called with a value from the console. It is shown unless it is an echo of the user's own move:
   * a hand that goes on continues from the value that another client has set.
   */
  told(value: number): void;
  /** Begins a move: from now on echoes wait. */
  hold(): void;
  /**
   * Moves the value: it is shown at once and sent at most every 20 ms. The last value is sent,
   * unless another client sets the value first or `drop` is called.
   */
  move(value: number): void;
  /**
   * Ends a move: the last value from the console is shown as soon as all sent values are answered.
   */
  letGo(): void;
  /** Ends a move, and drops the value that was not sent yet: the console cannot be reached. */
  drop(): void;
}

/** Minimum interval between two sent values in ms. */
const SEND_MS = 20;

/** Makes a shown value that begins with `initial`. */
export function createShown(initial: number, ports: ShownPorts): Shown {
  let value = initial;
  let told = initial;
  let isHeld = false;
  let unanswered = 0;
  /** The value that was sent last, until the console reports it or answers it. */
  let underWay: number | undefined;
  let isWaiting = false;
  let sentAt = -Infinity;
  /** The next value to be sent. */
  let next: number | undefined;
  /** The last two values that were sent: the console reports them, too. */
  let own: readonly number[] = [];

  function show(shown: number): void {
    value = shown;
    ports.show(shown);
  }

  const isMoving = () => isHeld || unanswered > 0 || next !== undefined;

  /** Shows the value of the console if the user is not moving it. */
  function settle(): void {
    if (!isMoving() && value !== told) show(told);
  }

  function sendNext(): void {
    if (next === undefined || underWay !== undefined || isWaiting) return;
    const wait = sentAt + SEND_MS - ports.now();
    if (wait <= 0) return send(next);
    isWaiting = true;
    ports.later(wait, () => {
      isWaiting = false;
      sendNext();
    });
  }

  function send(sent: number): void {
    next = undefined;
    sentAt = ports.now();
    unanswered++;
    underWay = sent;
    own = [...own.slice(-1), sent];
    const answered = () => {
      unanswered--;
      arrived(sent);
      settle();
    };
    ports.send(sent).then(answered, answered);
  }

  function arrived(sent: number): void {
    if (sent === underWay) underWay = undefined;
    sendNext();
  }

  function letGo(): void {
    isHeld = false;
    settle();
  }

  return {
    get value() {
      return value;
    },
    told(value) {
      told = value;
      if (!isMoving()) return settle();
      // Once another client's value has come, the report of the own value under way means that it
      // is in force again, unless the user has moved on since.
      const isEcho = own.includes(value) || value === underWay && next !== undefined;
      if (!isEcho) {
        next = undefined;
        own = [];
      }
      arrived(value);
      if (isEcho) return;
      show(value);
      ports.elsewhere?.();
    },
    hold() {
      isHeld = true;
      if (unanswered === 0) own = [];
    },
    move(moved) {
      show(moved);
      next = moved;
      sendNext();
    },
    letGo,
    drop() {
      next = undefined;
      letGo();
    },
  };
}
