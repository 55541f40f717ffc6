/**
 * Says what an event is. Each event stands in a file of its own, beside what it is about, with all
 * that there is to know of it; `events.ts` lists them.
 *
 * @module
 */
import type { Snapshot } from "./snapshots/snapshot.ts";
import type { State } from "./state.ts";
import type { Branch } from "./tree/tree.ts";

/** Anything that can happen to a console has a type, by which `events.ts` knows it. */
export interface AnyEvent {
  readonly type: string;
}

/** A definition has all there is to know of one kind of event. */
export interface EventDefinition<Kind extends AnyEvent> {
  /** Answers the state after the event. */
  reduce(state: State, event: Kind): State;
  /**
   * Of an event of which a start reads very many, makes what `reduce` makes of a state that has just
   * been read of a log, in place.
   */
  change?(own: Own, event: Kind): void;
  /** How the log keeps the event; undefined for a volatile one, which never touches the medium. */
  readonly log: LogForm<Kind> | undefined;
  /**
   * Notes for the audit trail which values the event changes, `before` being the state before the
   * command that it is of. It is `tellsNothing` where it changes nothing that somebody asked for.
   */
  tell(before: State, event: Kind, note: Note): void;
}

/** While a log is read, nobody else sees these parts of the state, so they may be changed. */
export interface Own {
  readonly snapshots: Map<string, Snapshot>;
  readonly stored: Branch;
}

/**
 * Takes down that a value changed: where it is, as a path; what it was, and what it is now, each
 * undefined where there is none. Neither may hold a secret.
 */
export type Note = (path: string, before: unknown, after: unknown) => void;

/**
 * The audit trail has nothing for an event that only prepares, follows or ends what another event
 * tells of, or that is the console's own doing.
 */
export function tellsNothing(): void {}

/** The log keeps an event in this form. */
export interface LogForm<Kind extends AnyEvent> {
  /**
   * Says whether the log keeps this one. Such a durable event is answered only once it is on the
   * medium.
   */
  keeps(event: Kind): boolean;
  /**
   * What becomes of the event in degraded mode, where the store refuses it: an event of the live
   * state comes into force all the same; one that means nothing unless it is kept is refused.
   */
  readonly ifNotStored: "inForce" | "refused";
  /** Answers what a record has of the event. */
  write(event: Kind): Written;
  /**
   * Answers the event that a record brings, given the object that `write` made JSON of. `bytes`
   * answers the next so many of the bytes that belong to the record.
   */
  read(written: AnyEvent, bytes: (count: number) => Uint8Array): AnyEvent;
  /**
   * Answers, for a checkpoint of a state, the events that come to what all such events have made of
   * it.
   */
  checkpoint(state: State): Iterable<Kind>;
}

/** A record has an event as JSON, and perhaps bytes. */
export interface Written {
  readonly json: string;
  /** Bytes that belong to the event, which are kept as they are. */
  readonly bytes?: Uint8Array;
}

/** An event that is plain JSON, and that the log always keeps, has this form. */
export const plainJson = {
  keeps: () => true,
  write: (event: AnyEvent): Written => ({ json: JSON.stringify(event) }),
  read: (written: AnyEvent): AnyEvent => written,
};

/**
 * A checkpoint has nothing for an event whose result other events keep, or that leaves nothing to
 * keep.
 */
export function* nothing(): Generator<never> {}
