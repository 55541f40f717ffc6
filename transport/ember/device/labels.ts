/**
 * The node `Device/GlobalLabels`.
 *
 * @module
 */
import type { Path } from "../../../core/tree/tree.ts";
import type { Numbered } from "../element.ts";
import { type DeviceParts, leaf, node } from "./node.ts";
import type { Places } from "./places.ts";

const LABELS: Path = ["control", "labels"];

/** Makes the node. */
export function globalLabelsNode(parts: DeviceParts): Numbered {
  return node(parts, "GlobalLabels", function* () {
    for (const { id } of parts.seen.state.configuration.globalLabels) {
      const element = leaf(parts, [...LABELS, String(id), "label"], `Label ${id}`);
      if (element !== undefined) yield { number: id + 1, element };
    }
  });
}

/** Returns the path at which a leaf of the control tree is a global label. */
export function* globalLabelPaths(path: Path, places: Places): Generator<readonly number[]> {
  const [root, kind, id, member] = path;
  if (root === "control" && kind === "labels" && member === "label") {
    yield places.pathOf("GlobalLabels", Number(id) + 1);
  }
}
