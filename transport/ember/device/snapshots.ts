/**
 * The node `Device/Snapshots`: for each mixer a parameter that loads a snapshot by its number, and
 * the name of the last loaded snapshot.
 *
 * @module
 */
import { isRefusal } from "../../../core/errors.ts";
import { findNumbered } from "../../../core/snapshots/numbered.ts";
import type { State } from "../../../core/state.ts";
import type { Path } from "../../../core/tree/tree.ts";
import type { Envelope } from "../../control-api/envelope.ts";
import type { BerValue } from "../ber.ts";
import type { Numbered, ParameterElement } from "../element.ts";
import type { Seen } from "../parameter.ts";
import { type DeviceParts, leaf, mixerNodes, node, numbered } from "./node.ts";
import type { Places } from "./places.ts";

/** Makes the node. */
export function snapshotsNode(parts: DeviceParts): Numbered {
  return node(parts, "Snapshots", () =>
    mixerNodes(parts, function* (mixer) {
      yield numbered(
        parts,
        "Snapshots/Load",
        ({ identifier }) => loadParameter(parts.seen, identifier, mixer),
      );
      const path = ["audio", "mixers", String(mixer), "_lastloadedsnap"];
      const { number, identifier } = parts.places.placeOf("Snapshots/LastLoaded");
      const element = leaf(parts, path, identifier);
      if (element !== undefined) yield { number, element };
    }));
}

/** Returns the path at which a leaf of the control tree is the name of the last loaded snapshot. */
export function* lastLoadedPaths(path: Path, places: Places): Generator<readonly number[]> {
  const [root, kind, mixer, member] = path;
  if (root !== "audio" || kind !== "mixers" || member !== "_lastloadedsnap") return;
  const { number } = places.placeOf("Snapshots/LastLoaded");
  yield places.pathOf("Snapshots", Number(mixer) + 1, number);
}

/**
 * Returns a parameter: setting a number loads the mixer snapshot of that number, as the deprecated
 * REST calls do.
 */
function loadParameter(seen: Seen, identifier: string, mixer: number): ParameterElement {
  const parameter: ParameterElement = {
    kind: "parameter",
    identifier,
    description: "The number of a mixer snapshot to load; 0 is the default one.",
    type: "integer",
    access: "read",
    min: 0,
    max: 65_535,
    value: () => 0,
  };
  const setting = (value: BerValue): Envelope => ({
    method: "rpc",
    payload: {
      method: "loadsnapshot",
      params: { id: idOfNumbered(seen.state, value, mixer), type: 2, mixer },
    },
  });
  // Consumers that may not load can set it, too: the console refuses that, and the audit trail says
  // so.
  return { ...parameter, access: seen.may === "view" ? "read" : "readWrite", setting };
}

/**
 * Returns the id of a mixer snapshot by its number; the call refuses a number without a snapshot.
 */
function idOfNumbered(state: State, number: BerValue, mixer: number): unknown {
  if (typeof number !== "number") return number;
  const found = findNumbered(state, { type: 2, number }, mixer);
  return isRefusal(found) ? String(number) : found.id;
}
