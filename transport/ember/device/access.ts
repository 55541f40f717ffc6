/**
 * The node `Device/Access`: for each mixer and access group the fader that has access.
 *
 * @module
 */
import { tellAccess } from "../../../core/access/access.ts";
import { ACCESS_GROUPS } from "../../../core/limits.ts";
import type { Numbered, ParameterElement } from "../element.ts";
import type { Seen } from "../parameter.ts";
import { type DeviceParts, mixerNodes, node } from "./node.ts";
import type { Places } from "./places.ts";

/** Stands for no fader, because a parameter of Ember+ needs a number. */
const NOBODY = -1;

/** Makes the node. */
export function accessNode(parts: DeviceParts): Numbered {
  return node(parts, "Access", () =>
    mixerNodes(parts, function* (mixer) {
      for (let group = ACCESS_GROUPS.min; group <= ACCESS_GROUPS.max; group++) {
        yield { number: group, element: accessParameter(parts.seen, mixer, group) };
      }
    }));
}

/**
 * Returns the parameter with the number of the fader of a mixer that has the access of a group; -1
 * if no fader has it.
 */
function accessParameter(seen: Seen, mixer: number, group: number): ParameterElement {
  return {
    kind: "parameter",
    identifier: `Group ${group}`,
    description: "The number of the fader that has access; -1 for none.",
    type: "integer",
    access: seen.may === "view" ? "read" : "readWrite",
    min: NOBODY,
    max: 65_535,
    value: () => tellAccess(seen.state).mixer[mixer]?.accessgroup[group] ?? NOBODY,
    setting: (fader) => ({
      method: "rpc",
      payload: {
        method: "setaccess",
        params: { mixer, accessgroup: group, fader: fader === NOBODY ? null : fader },
      },
    }),
  };
}

/** Returns the path of the access of a group. */
export function accessPath(mixer: number, group: number, places: Places): readonly number[] {
  return places.pathOf("Access", mixer + 1, group);
}
