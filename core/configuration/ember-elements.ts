/**
 * The elements of Ember+ below `Device`, in the layout that Ember+ consumers know from consoles of
 * the vendor. The vendor's numbers are not published, so these are our own; `ember.elements` of the
 * configuration replaces them. Like the numbers of the control tree (`transport/ember/numbers.ts`),
 * this table is append-only (`tests/transport/ember/elements.txt`).
 *
 * @module
 */

/** The number of each element among its siblings, by its path below `Device`. */
export const EMBER_ELEMENTS = {
  "Device": 1,
  "Identity": 1,
  "Identity/Company": 1,
  "Identity/Series": 2,
  "Identity/Product": 3,
  "Identity/Firmwareversion": 4,
  "Identity/DHD-ember-plus-struct": 5,
  "GPI": 2,
  "GPO": 3,
  "Channels": 4,
  "Channels/Level": 1,
  "Channels/On": 2,
  "Channels/PFL1": 3,
  "Channels/PFL2": 4,
  "Channels/Label": 5,
  "GlobalLabels": 5,
  "Routing": 6,
  "Routing/matrix": 1,
  "Routing/labels": 2,
  "Routing/labels/targets": 1,
  "Routing/labels/sources": 2,
  "Snapshots": 7,
  "Snapshots/Load": 1,
  "Snapshots/LastLoaded": 2,
  "Access": 8,
  "Functions": 9,
  "Tree": 10,
} as const;

/** The path of an element below `Device`. */
export type EmberElement = keyof typeof EMBER_ELEMENTS;

/** The numbers and identifiers that replace those of the table. */
export type EmberReplacements = Readonly<
  Partial<Record<EmberElement, Replacement>>
>;

/** The replacement of a number, of an identifier, or of both. */
export interface Replacement {
  readonly number?: number | undefined;
  readonly identifier?: string | undefined;
}

/** The place of an element among its siblings. */
export interface EmberPlace {
  readonly number: number;
  readonly identifier: string;
}

/** Returns the number and the identifier of an element. */
export function emberPlace(element: EmberElement, replacements: EmberReplacements): EmberPlace {
  const { number, identifier } = replacements[element] ?? {};
  return {
    number: number ?? EMBER_ELEMENTS[element],
    identifier: identifier ?? element.slice(element.lastIndexOf("/") + 1),
  };
}

/** Names two siblings that have the same number or identifier; undefined if all siblings differ. */
export function clashOf(replacements: EmberReplacements): string | undefined {
  const taken = new Map<string, EmberElement>();
  for (const element of Object.keys(EMBER_ELEMENTS) as EmberElement[]) {
    if (element === "Device") continue;
    const { number, identifier } = emberPlace(element, replacements);
    const above = element.slice(0, element.lastIndexOf("/") + 1);
    for (const what of [`the number ${number}`, `the identifier ${identifier}`]) {
      const other = taken.get(above + what);
      if (other !== undefined) return `${other} and ${element} both have ${what}`;
      taken.set(above + what, element);
    }
  }
  return undefined;
}
