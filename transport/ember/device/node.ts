/**
 * The building blocks of the nodes of `Device`.
 *
 * @module
 */
import type { EmberElement, EmberPlace } from "../../../core/configuration/ember-elements.ts";
import type { Path } from "../../../core/tree/tree.ts";
import type { Carriers } from "../carriers.ts";
import { type Element, nodeOf, type Numbered, type ParameterElement } from "../element.ts";
import { leafParameter, type Seen } from "../parameter.ts";
import type { Places } from "./places.ts";

/** The console as a consumer sees it, and where the elements of `Device` stand. */
export interface DeviceParts {
  readonly seen: Seen;
  readonly carriers: Carriers;
  readonly places: Places;
}

/** Returns an element that has a place of its own, with its number. */
export function numbered(
  { places }: DeviceParts,
  element: EmberElement,
  make: (place: EmberPlace) => Element,
): Numbered {
  const place = places.placeOf(element);
  return { number: place.number, element: make(place) };
}

/** Returns a node that has a place of its own; `child` is as for {@link nodeOf}. */
export function node(
  parts: DeviceParts,
  element: EmberElement,
  children: () => Iterable<Numbered>,
  child?: (number: number) => Element | undefined,
): Numbered {
  return numbered(parts, element, (place) => nodeOf(place, children, child));
}

/** Returns the node of each mixer of the configuration, the first with the number 1. */
export function* mixerNodes(
  { seen }: DeviceParts,
  children: (mixer: number) => Iterable<Numbered>,
): Generator<Numbered> {
  for (const { id, name } of seen.state.configuration.mixers) {
    const called = { identifier: `Mixer ${id}`, description: name };
    yield { number: id + 1, element: nodeOf(called, () => children(id)) };
  }
}

/** Returns the parameter of a leaf of the control tree; undefined where there is no such leaf. */
export function leaf(
  { seen }: DeviceParts,
  path: Path,
  identifier: string,
  description?: string,
): ParameterElement | undefined {
  return leafParameter(seen, path, { identifier, description });
}

/** Returns a parameter with a text that does not change. */
export function textParameter(identifier: string, text: string): ParameterElement {
  return { kind: "parameter", identifier, type: "string", access: "read", value: () => text };
}

/** Returns a read-only copy of a parameter. */
export function readOnly({ setting: _, ...parameter }: ParameterElement): ParameterElement {
  return { ...parameter, access: "read" };
}
