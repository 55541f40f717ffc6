/**
 * External lists: remote-routing buttons that clients fill (service.md, "States and transitions").
 * They live as long as somebody is subscribed, and never touch the medium.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { LICENSES } from "../configuration/schema.ts";
import { type Refusal, refuse } from "../errors.ts";

/** One button, as given to the list by `setextlist`; known by its index, from 0. */
export interface ListEntry {
  readonly label: string;
  /** Whether `color` is the colour of the background (true) or of the font. */
  readonly background?: boolean | undefined;
  /** Hexadecimal RRGGBB. */
  readonly color?: string | undefined;
  /** A new page begins after this button. */
  readonly pagination?: boolean | undefined;
  /** It cannot be pressed. */
  readonly disabled?: boolean | undefined;
}

/** A list that exists. */
export interface ExternalList {
  readonly entries: readonly ListEntry[];
  /** The page shown, from 0. */
  readonly page: number;
  /** The connections that are told of presses. */
  readonly subscribers: ReadonlySet<number>;
  /** Which connections hold which button down. */
  readonly held: Held;
}

/** Which connections hold which button of a list down, by its index; no button without any. */
export type Held = ReadonlyMap<number, ReadonlySet<number>>;

/** The lists that exist, by their number. */
export type Lists = ReadonlyMap<number, ExternalList>;

/** A list that has just been registered. */
export const EMPTY_LIST: ExternalList = {
  entries: [],
  page: 0,
  subscribers: new Set(),
  held: new Map(),
};

/** The refusal (9) of whatever has to do with lists on a console without license 52-8583. */
export function licenseRefusal({ licenses }: Configuration): Refusal | undefined {
  return licenses.includes(LICENSES.externalLists)
    ? undefined
    : refuse("licenseMissing", `external lists need license ${LICENSES.externalLists}`);
}

/** What is held once a connection lets go of the buttons named; by default of all. */
export function releasedBy(
  held: Held,
  connection: number,
  entries: Iterable<number> = held.keys(),
): Held {
  let left: Map<number, ReadonlySet<number>> | undefined;
  for (const entry of entries) {
    const holders = held.get(entry);
    if (!holders?.has(connection)) continue;
    const others = new Set(holders);
    others.delete(connection);
    left ??= new Map(held);
    if (others.size === 0) left.delete(entry);
    else left.set(entry, others);
  }
  return left ?? held;
}
