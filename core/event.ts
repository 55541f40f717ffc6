/**
 * The definition of an event. Each event stands in a file of its own in its domain, with everything
 * that concerns it; `events.ts` lists them.
 *
 * @module
 */
import type { Snapshot } from "./snapshots/snapshot.ts";
import type { State } from "./state.ts";
import type { Branch } from "./tree/tree.ts";

/**
 * An event: anything that can happen to a console. `events.ts` finds its definition by its type.
 */
export interface AnyEvent {
  readonly type: string;
}

/** The definition of one kind of event. */
export interface EventDefinition<Kind extends AnyEvent> {
  /** Returns the state after the event. */
  reduce(state: State, event: Kind): State;
  /**
   * Does the same as `reduce`, but in place, on the state of a replay. It is for events that a log
   * contains in very large numbers.
   */
  change?(own: Own, event: Kind): void;
  /** How the log keeps the event; undefined for a volatile one, which never touches the medium. */
  readonly log: LogForm<Kind> | undefined;
  /**
   * Notes for the audit trail which values the event changes; `before` is the state before the
   * command that made the event. It is `tellsNothing` for an event without requested changes.
   */
  tell(before: State, event: Kind, note: Note): void;
}

/** While a log is read, nobody else sees these parts of the state, so they may be changed. */
export interface Own {
  readonly snapshots: Map<string, Snapshot>;
  readonly stored: Branch;
}

/**
 * Notes a changed value: its path, the value before and the value after, each undefined where there
 * is none. Neither may hold a secret.
 */
export type Note = (path: string, before: unknown, after: unknown) => void;

/**
 * Notes nothing in the audit trail: for an event that only prepares, follows or ends another event,
 * or that the console itself causes.
 */
export function tellsNothing(): void {}

/** The form in which the log keeps an event. */
export interface LogForm<Kind extends AnyEvent> {
  /**
   * Says whether the log keeps this event. A command with such a durable event is answered only
   * once the event is on the medium.
   */
  keeps(event: Kind): boolean;
  /**
   * The fate of the event in degraded mode, when the store refuses it: an event of the live state
   * comes into force nevertheless; an event without effect unless it is stored is refused.
   */
  readonly ifNotStored: "inForce" | "refused";
  /** Returns the content of a record of the event. */
  write(event: Kind): Written;
  /**
   * Returns the event of a record, given the object whose JSON `write` made. `bytes` returns the
   * next `count` bytes that belong to the record.
   */
  read(written: AnyEvent, bytes: (count: number) => Uint8Array): AnyEvent;
  /**
   * Returns the events of a checkpoint of a state, which have the same effect as all earlier events
   * of this kind.
   */
  checkpoint(state: State): Iterable<Kind>;
}

/** The content of a record: an event as JSON, and perhaps bytes. */
export interface Written {
  readonly json: string;
  /** Bytes that belong to the event, which are kept as they are. */
  readonly bytes?: Uint8Array;
}

/** The form of an event that is plain JSON, and that the log always keeps. */
export const plainJson = {
  keeps: () => true,
  write: (event: AnyEvent): Written => ({ json: JSON.stringify(event) }),
  read: (written: AnyEvent): AnyEvent => written,
};

/**
 * Yields nothing for a checkpoint: for an event whose result other events keep, or that leaves
 * nothing to keep.
 */
export function* nothing(): Generator<never> {}
