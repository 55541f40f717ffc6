/**
 * External lists are remote-routing buttons that clients fill (service.md, "States and
 * transitions"). They live as long as somebody is subscribed, and never touch the medium.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { LICENSES } from "../configuration/schema.ts";
import { type Refusal, refuse } from "../errors.ts";

/**
 * An entry is one button, as `setextlist` gives it to the list; it is known by its index, from 0.
 */
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

/** A list exists while somebody is subscribed to it. */
export interface ExternalList {
  readonly entries: readonly ListEntry[];
  /** The page that is shown, from 0. */
  readonly page: number;
  /** The connections that are told of presses. */
  readonly subscribers: ReadonlySet<number>;
  /** Which connections hold which button down, by its index; no button without any. */
  readonly held: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The lists that exist, by their number. */
export type Lists = ReadonlyMap<number, ExternalList>;

/** A list begins so when it is registered. */
export const EMPTY_LIST: ExternalList = {
  entries: [],
  page: 0,
  subscribers: new Set(),
  held: new Map(),
};

/** Refuses (9) whatever has to do with lists on a console without license 52-8583. */
export function licenseRefusal({ licenses }: Configuration): Refusal | undefined {
  return licenses.includes(LICENSES.externalLists)
    ? undefined
    : refuse("licenseMissing", `external lists need license ${LICENSES.externalLists}`);
}

/** Returns the buttons that are held down in one list and not in the other. */
export function heldOnlyIn({ held }: ExternalList, other: ExternalList): number[] {
  return [...held.keys()].filter((entry) => !other.held.has(entry));
}

/** Returns the list once a connection lets go of the buttons named; by default of all. */
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
