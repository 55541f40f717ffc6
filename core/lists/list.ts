/**
 * External lists: remote-routing buttons that clients define (service.md, "States and
 * transitions"). A list exists as long as it has subscribers, and is never stored.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { LICENSES } from "../configuration/schema.ts";
import { type Refusal, refuse } from "../errors.ts";

/** One button, as set by `setextlist`; it is identified by its index, from 0. */
export interface ListEntry {
  readonly label: string;
  /** Whether `color` is the colour of the background (true) or of the font. */
  readonly background?: boolean | undefined;
  /** The colour, as hexadecimal RRGGBB. */
  readonly color?: string | undefined;
  /** Whether a new page begins after this button. */
  readonly pagination?: boolean | undefined;
  /** Whether the button cannot be pressed. */
  readonly disabled?: boolean | undefined;
}

/** A list, which exists while it has subscribers. */
export interface ExternalList {
  readonly entries: readonly ListEntry[];
  /** The current page, from 0. */
  readonly page: number;
  /** The connections that are notified of presses. */
  readonly subscribers: ReadonlySet<number>;
  /**
   * The connections that hold a button down, by the index of the button; only buttons that are
   * down.
   */
  readonly held: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The lists that exist, by their number. */
export type Lists = ReadonlyMap<number, ExternalList>;

/** A list as it is registered. */
export const EMPTY_LIST: ExternalList = {
  entries: [],
  page: 0,
  subscribers: new Set(),
  held: new Map(),
};

/** Refuses (9) every operation on lists on a console without license 52-8583. */
export function licenseRefusal({ licenses }: Configuration): Refusal | undefined {
  return licenses.includes(LICENSES.externalLists)
    ? undefined
    : refuse("licenseMissing", `external lists need license ${LICENSES.externalLists}`);
}

/** Returns the buttons that are held down in one list and not in the other. */
export function heldOnlyIn({ held }: ExternalList, other: ExternalList): number[] {
  return [...held.keys()].filter((entry) => !other.held.has(entry));
}

/** Returns the list after a connection has released some buttons, by default all. */
export function releasedBy(
  list: ExternalList,
  connection: number,
  entries: Iterable<number> = list.held.keys(),
): ExternalList {
  const own = [...entries].filter((entry) => list.held.get(entry)?.has(connection));
  if (own.length === 0) return list;
  const held = new Map(list.held);
  for (const entry of own) {
    const others = withoutOne(held.get(entry)!, connection);
    if (others.size === 0) held.delete(entry);
    else held.set(entry, others);
  }
  return { ...list, held };
}

/** Copies a set of connections without one of them. */
export function withoutOne(set: ReadonlySet<number>, connection: number): ReadonlySet<number> {
  return new Set([...set].filter((one) => one !== connection));
}
