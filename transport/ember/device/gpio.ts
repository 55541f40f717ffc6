/**
 * The nodes `Device/GPI` and `Device/GPO`: logics of the console, by numbers that consumers expect.
 *
 * @module
 */
import type { Configuration } from "../../../core/configuration/configuration.ts";
import { find, type Path } from "../../../core/tree/tree.ts";
import type { Numbered } from "../element.ts";
import { type DeviceParts, leaf, node, readOnly } from "./node.ts";
import type { Places } from "./places.ts";

/** Maximum number of GPIs, and of GPOs, that consumers expect. */
const GPIOS = 50;

const LOGICS: Path = ["control", "logics"];

/** Returns the number of each GPI or GPO, from 1 on, with the number of its logic. */
function gpioLogics(
  { ember, logics }: Configuration,
  which: "gpis" | "gpos",
): readonly (readonly [number, number])[] {
  const known = new Map(logics.map((logic) => [logic.id, logic]));
  const listed = ember?.[which]?.slice(0, GPIOS).map((id, at) => [at + 1, id] as const);
  if (listed !== undefined) return listed.filter(([, id]) => known.has(id));
  return logics
    .filter(({ id, follows }) =>
      id >= 1 && id <= GPIOS && (which === "gpos" || follows === undefined)
    )
    .map(({ id }) => [id, id] as const);
}

/** Makes the node `GPI`. */
export function gpiNode(parts: DeviceParts): Numbered {
  return node(parts, "GPI", () => gpios(parts, "gpis"));
}

/** Makes the node `GPO`, whose parameters are read only. */
export function gpoNode(parts: DeviceParts): Numbered {
  return node(parts, "GPO", () => gpios(parts, "gpos"));
}

function* gpios(parts: DeviceParts, which: "gpis" | "gpos"): Generator<Numbered> {
  const { state } = parts.seen;
  const name = which === "gpis" ? "GPI" : "GPO";
  for (const [number, logic] of gpioLogics(state.configuration, which)) {
    const path = [...LOGICS, String(logic)];
    const description = find(state.tree, [...path, "_name"]) as string | undefined;
    const element = leaf(parts, [...path, "value"], `${name} ${number}`, description);
    if (element === undefined) continue;
    yield { number, element: which === "gpis" ? element : readOnly(element) };
  }
}

/** Returns the paths at which a leaf of the control tree is a GPI or a GPO. */
export function* gpioPaths(
  path: Path,
  configuration: Configuration,
  places: Places,
): Generator<readonly number[]> {
  const [root, kind, id, member] = path;
  if (root !== "control" || kind !== "logics" || member !== "value") return;
  for (const [which, element] of [["gpis", "GPI"], ["gpos", "GPO"]] as const) {
    for (const [number, logic] of gpioLogics(configuration, which)) {
      if (String(logic) === id) yield places.pathOf(element, number);
    }
  }
}
