/**
 * The places of the elements of `Device` in the tree.
 *
 * @module
 */
import type { Configuration } from "../../../core/configuration/configuration.ts";
import {
  type EmberElement,
  type EmberPlace,
  emberPlace,
} from "../../../core/configuration/ember-elements.ts";

/** The places of the elements of `Device`, with the replacements of the configuration. */
export interface Places {
  /** Returns the path of an element, or of an element below it, as numbers from the root on. */
  pathOf(element: EmberElement, ...below: number[]): readonly number[];
  placeOf(element: EmberElement): EmberPlace;
}

/** Returns the places under a configuration. */
export function placesOf({ ember }: Configuration): Places {
  const placeOf = (element: EmberElement) => emberPlace(element, ember?.elements ?? {});
  return {
    placeOf,
    pathOf(element, ...below) {
      const names = element === "Device" ? [] : element.split("/");
      const above = names.map((_, at) =>
        placeOf(names.slice(0, at + 1).join("/") as EmberElement).number
      );
      return [placeOf("Device").number, ...above, ...below];
    },
  };
}
