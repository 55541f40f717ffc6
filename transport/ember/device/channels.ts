/**
 * The node `Device/Channels`: the faders that carry the channels of the mixers.
 *
 * @module
 */
import type { EmberElement } from "../../../core/configuration/ember-elements.ts";
import { find, type Path } from "../../../core/tree/tree.ts";
import type { Carriers } from "../carriers.ts";
import { type Element, nodeOf, type Numbered } from "../element.ts";
import { type DeviceParts, leaf, node } from "./node.ts";
import type { Places } from "./places.ts";

/** The members of a fader that a channel shows. */
const CHANNEL_MEMBERS = {
  "Channels/Level": "fader",
  "Channels/On": "on",
  "Channels/PFL1": "pfl1",
  "Channels/PFL2": "pfl2",
  "Channels/Label": "label",
} as const;

/** Makes the node. */
export function channelsNode(parts: DeviceParts): Numbered {
  return node(parts, "Channels", function* () {
    for (const { places } of parts.seen.state.configuration.mixers) {
      for (const number of places.keys()) yield { number, element: channel(parts, number)! };
    }
  }, (number) => channel(parts, number));
}

function channel(parts: DeviceParts, number: number): Element | undefined {
  const { seen: { state }, carriers } = parts;
  if (!state.configuration.mixers.some(({ places }) => places.has(number))) return undefined;
  const carrier = carriers.pathOf(number);
  // An empty label replaces that of the previous fader.
  const label = carrier ? find(state.tree, [...carrier, "label"]) as string : "";
  const called = { identifier: `Channel ${number}`, description: label };
  return nodeOf(called, function* () {
    for (const [name, member] of Object.entries(CHANNEL_MEMBERS)) {
      const place = parts.places.placeOf(name as EmberElement);
      const element = carrier && leaf(parts, [...carrier, member], place.identifier);
      if (element !== undefined) yield { number: place.number, element };
    }
  });
}

/** Returns the paths at which a leaf of the control tree is a member of a channel. */
export function* channelLeafPaths(
  path: Path,
  carriers: Carriers,
  places: Places,
): Generator<readonly number[]> {
  const [root, kind, , faders, , member] = path;
  if (root !== "audio" || kind !== "mixers" || faders !== "faders" || path.length !== 6) return;
  const channel = carriers.channelOf(path.slice(0, -1));
  if (channel === undefined) return;
  for (const [element, shown] of Object.entries(CHANNEL_MEMBERS)) {
    if (shown !== member) continue;
    const { number } = places.placeOf(element as EmberElement);
    yield places.pathOf("Channels", channel, number);
  }
}

/** Returns the channel that has a leaf of the control tree as its description. */
export function describedChannel(path: Path, carriers: Carriers): number | undefined {
  const isLabel = path.length === 6 && path[3] === "faders" && path[5] === "label";
  return isLabel ? carriers.channelOf(path.slice(0, -1)) : undefined;
}

/** Returns the paths of all members of a channel. */
export function channelPaths(channel: number, places: Places): readonly (readonly number[])[] {
  return (Object.keys(CHANNEL_MEMBERS) as EmberElement[])
    .map((element) => places.pathOf("Channels", channel, places.placeOf(element).number));
}
