/**
 * The node `Device/Identity`: the kind, the name and the versions of the console.
 *
 * @module
 */
import type { EmberElement } from "../../../core/configuration/ember-elements.ts";
import type { Numbered } from "../element.ts";
import { type DeviceParts, leaf, node, numbered, readOnly, textParameter } from "./node.ts";

/** The version of this layout, which consumers read. */
const LAYOUT = "1";

/** Makes the node. */
export function identityNode(parts: DeviceParts): Numbered {
  const { kind, name } = parts.seen.state.configuration.device;
  const fixed = (element: EmberElement, value: string) =>
    numbered(parts, element, ({ identifier }) => textParameter(identifier, value));
  return node(parts, "Identity", function* () {
    const { number, identifier } = parts.places.placeOf("Identity/Firmwareversion");
    const firmware = leaf(parts, ["general", "_firmware_version"], identifier);
    yield fixed("Identity/Company", "faderd");
    yield fixed("Identity/Series", kind);
    yield fixed("Identity/Product", name);
    if (firmware !== undefined) yield { number, element: readOnly(firmware) };
    yield fixed("Identity/DHD-ember-plus-struct", LAYOUT);
  });
}
