/**
 * What an event is. Each stands in a file of its own, beside what it is about, with all that there is to
 * know of it; `events.ts` lists them.
 *
 * @module
 */
import type { State } from "./state.ts";

/** Anything that can happen to a console. */
export interface AnyEvent {
  readonly type: string;
}

/** All there is to know of one kind of event. */
export interface EventDefinition<Event extends AnyEvent> {
  /** The state after it. */
  reduce(state: State, event: Event): State;
  /** How the log keeps it; undefined for a volatile event, which never touches the medium. */
  readonly log: LogForm<Event> | undefined;
}

/** How the log keeps an event. */
export interface LogForm<Event extends AnyEvent> {
  /** Whether it keeps this one: a durable event is answered only once it is on the medium. */
  keeps(event: Event): boolean;
  /** What a record has of it. */
  write(event: Event): Written;
  /**
   * The event that a record brings, of what `write` made its JSON of; `bytes` answers the next so many of
   * those that belong to the record.
   */
  read(written: Event, bytes: (count: number) => Uint8Array): AnyEvent;
  /** The events that come to what such events have made of a state, for a checkpoint of it. */
  checkpoint(state: State): Iterable<Event>;
}

/** An event as a record has it. */
export interface Written {
  readonly json: string;
  /** Bytes that belong to it, which are kept as they are. */
  readonly bytes?: Uint8Array;
}

/** The form of an event that is plain JSON, and that the log always keeps. */
export const plainJson = {
  keeps: () => true,
  write: (event: AnyEvent): Written => ({ json: JSON.stringify(event) }),
  read: (written: AnyEvent): AnyEvent => written,
};

/** For an event whose result other events keep in a checkpoint, or that leaves nothing to keep. */
export function* nothing(): Generator<never> {}
