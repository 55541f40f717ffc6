/**
 * The published description of the paths of the control tree, with their types and ranges.
 *
 * @module
 */
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { type Definition, isLeafDefinition, isReadOnlyLeaf } from "../../core/tree/leaf.ts";
import { namesMeters } from "../../core/tree/meters.ts";
import { nodeTable } from "../../core/tree/table.ts";
import { formatPath, type Path } from "../../core/tree/tree.ts";
import type { Described } from "./json-schema.ts";

/**
 * Describes every path of the control tree. Whatever stands there many times by its number is there
 * once: `{fader}` is the number of a fader. What differs between consoles, as defaults and the
 * bounds of pots do, is not said: `range` of a console has it.
 */
export function describeTree(): Readonly<Record<string, Described>> {
  const paths: Record<string, Described> = {};
  const read = readConfiguration(demoConfiguration);
  if ("faults" in read) throw new Error("the demo console is not valid");
  add(paths, nodeTable(read.configuration), []);
  return paths;
}

function add(paths: Record<string, Described>, nodes: Definition, at: Path): void {
  for (const [member, node] of Object.entries(nodes)) {
    const path = [...at, member];
    const pattern = formatPath(path.map(placed));
    if (isReadOnlyLeaf(node)) {
      const meter = namesMeters(path) ? { meter: true } : {};
      paths[pattern] ??= { type: typeOf(node.value), readOnly: true, ...meter };
    } else if (isLeafDefinition(node)) {
      const { type, ...range } = node;
      const { default: _default, values: _values, ...same } = { values: undefined, ...range };
      paths[pattern] ??= path[1] === "pots" ? { type, unit: "dB" } : { type, ...same };
    } else add(paths, node, path);
  }
}

/** Returns a member of a path, or, where that is a number, of what: `{fader}`. */
function placed(member: string, place: number, path: Path): string {
  if (!/^\d+$/.test(member)) return member;
  return `{${path[place - 1]!.replace(/(?<!s)s$/, "")}}`;
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}
