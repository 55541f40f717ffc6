/**
 * The tree of Ember+ from its root on.
 *
 * @module
 */
import { type Carriers, createCarriers } from "./carriers.ts";
import { deviceElement } from "./device/device.ts";
import { type Places, placesOf } from "./device/places.ts";
import type { Element, NodeElement } from "./element.ts";
import type { Seen } from "./parameter.ts";

/** The tree, whose elements are made when somebody asks for them. */
export interface EmberTree {
  /** The number of the only node of the root. */
  readonly rootNumber: number;
  readonly root: NodeElement;
  /** Returns the element at a path; undefined where there is none. */
  at(path: readonly number[]): Element | undefined;
  readonly carriers: Carriers;
  readonly places: Places;
}

/** Makes the tree of a console under its present configuration. */
export function createEmberTree(seen: Seen): EmberTree {
  const carriers = createCarriers(() => seen.state);
  const places = placesOf(seen.state.configuration);
  const rootNumber = places.placeOf("Device").number;
  const root = deviceElement({ seen, carriers, places });
  return {
    rootNumber,
    root,
    carriers,
    places,
    at([first, ...below]) {
      let element: Element | undefined = first === rootNumber ? root : undefined;
      for (const number of below) {
        if (element?.kind !== "node") return undefined;
        element = element.child(number);
      }
      return element;
    },
  };
}
