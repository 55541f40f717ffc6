/**
 * The node `Device/Routing`: the matrix of inputs and outputs, and their names.
 *
 * @module
 */
import type { Named } from "../../../core/configuration/configuration.ts";
import type { EmberElement } from "../../../core/configuration/ember-elements.ts";
import { find, formatPath, type Path } from "../../../core/tree/tree.ts";
import type { MatrixElement, Numbered } from "../element.ts";
import type { Seen } from "../parameter.ts";
import { type DeviceParts, node, numbered, textParameter } from "./node.ts";

const ROUTES: Path = ["audio", "routing", "routes"];

/** Makes the node. */
export function routingNode(parts: DeviceParts): Numbered {
  const { seen, places } = parts;
  const { inputs, outputs } = seen.state.configuration.routing;
  const names = (element: EmberElement, ports: readonly Named[]) =>
    node(parts, element, function* () {
      for (const { id, name } of ports) {
        yield { number: id, element: textParameter(`_${id}`, name) };
      }
    });
  return node(parts, "Routing", function* () {
    yield numbered(
      parts,
      "Routing/matrix",
      ({ identifier }) => matrix(seen, identifier, places.pathOf("Routing/labels")),
    );
    yield node(parts, "Routing/labels", function* () {
      yield names("Routing/labels/targets", outputs);
      yield names("Routing/labels/sources", inputs);
    });
  });
}

function matrix(seen: Seen, identifier: string, labels: readonly number[]): MatrixElement {
  const { inputs, outputs } = seen.state.configuration.routing;
  return {
    kind: "matrix",
    identifier,
    description: "The inputs that are routed to the outputs.",
    targets: outputs.map(({ id }) => id),
    sources: inputs.map(({ id }) => id),
    labels,
    sourceOf(target) {
      const route = find(seen.state.tree, [...ROUTES, String(target)]);
      return route === undefined || route === "" ? undefined : Number(route);
    },
    connecting: (target, source) => ({
      method: "set",
      path: formatPath([...ROUTES, String(target)]),
      payload: source === undefined ? "" : String(source),
    }),
  };
}

/** Returns the target of the matrix whose route is at a path of the control tree. */
export function routedTarget(path: Path): number | undefined {
  const isRoute = path.length === ROUTES.length + 1 &&
    ROUTES.every((member, at) => path[at] === member);
  return isRoute ? Number(path.at(-1)) : undefined;
}
