/**
 * The node `Device`, in the layout that consumers know of such consoles: identity, GPI and GPO,
 * channels, labels, routing, snapshots, access; and below it functions and the whole control tree.
 * Most of its parameters are leaves of the control tree, which are also below `Tree`, in the layout
 * of the control tree.
 *
 * @module
 */
import type { State } from "../../../core/state.ts";
import type { Path } from "../../../core/tree/tree.ts";
import type { Carriers } from "../carriers.ts";
import { type NodeElement, nodeOf } from "../element.ts";
import { functionElements } from "../functions.ts";
import { treeElement } from "../tree-node.ts";
import { accessNode } from "./access.ts";
import { channelLeafPaths, channelsNode } from "./channels.ts";
import { gpiNode, gpioPaths, gpoNode } from "./gpio.ts";
import { identityNode } from "./identity.ts";
import { globalLabelPaths, globalLabelsNode } from "./labels.ts";
import { type DeviceParts, node, numbered } from "./node.ts";
import type { Places } from "./places.ts";
import { routingNode } from "./routing.ts";
import { lastLoadedPaths, snapshotsNode } from "./snapshots.ts";

/** Makes the node. */
export function deviceElement(parts: DeviceParts): NodeElement {
  const { seen, places } = parts;
  const description = seen.state.configuration.device.name;
  return nodeOf({ ...places.placeOf("Device"), description }, function* () {
    yield identityNode(parts);
    yield gpiNode(parts);
    yield gpoNode(parts);
    yield channelsNode(parts);
    yield globalLabelsNode(parts);
    yield routingNode(parts);
    yield snapshotsNode(parts);
    yield accessNode(parts);
    yield node(parts, "Functions", functionElements);
    yield numbered(parts, "Tree", (place) => treeElement(seen, [], place)!);
  });
}

/** Returns the paths below `Device` of a leaf of the control tree, besides the one below `Tree`. */
export function* devicePaths(
  path: Path,
  { configuration }: State,
  carriers: Carriers,
  places: Places,
): Generator<readonly number[]> {
  yield* gpioPaths(path, configuration, places);
  yield* globalLabelPaths(path, places);
  yield* lastLoadedPaths(path, places);
  yield* channelLeafPaths(path, carriers, places);
}
