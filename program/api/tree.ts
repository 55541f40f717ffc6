/**
 * The published description of the paths of the control tree, with their types and ranges.
 *
 * @module
 */
import * as v from "valibot";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { type Definition, isLeafDefinition, isReadOnlyLeaf } from "../../core/tree/leaf.ts";
import { namesMeters } from "../../core/tree/meters.ts";
import { nodeTable } from "../../core/tree/table.ts";
import { formatPath, isBranch, type Path, type Tree } from "../../core/tree/tree.ts";
import { entry } from "../../transport/rpc/setextlist.ts";
import { type Described, jsonSchema, object } from "./json-schema.ts";
import { numberedBelow } from "./numbered.ts";

/**
 * Describes every path of the control tree. A numbered part of the tree is described once:
 * `{fader}` is the number of a fader. Facts that differ between consoles, such as defaults and the
 * bounds of pots, are left out: `range` of a console has them.
 */
export function describeTree(): Readonly<Record<string, Described>> {
  const paths: Record<string, Described> = {};
  const read = readConfiguration(demoConfiguration);
  if ("faults" in read) throw new Error("the demo console is not valid");
  add(paths, nodeTable(read.configuration), []);
  return paths;
}

/** An entry of an external list as it is shown; a new console has none. */
const shownEntry = jsonSchema(v.object({ ...entry.entries, _page: v.number(), _on: v.boolean() }));

function add(paths: Record<string, Described>, nodes: Definition, at: Path): void {
  for (const [member, node] of Object.entries(nodes)) {
    const path = [...at, member];
    const pattern = formatPath(path.map(placed));
    if (isReadOnlyLeaf(node)) {
      const meter = namesMeters(path) ? { meter: true } : {};
      paths[pattern] ??= {
        ...schemaOf(node.value),
        ...(member === "_entries" ? { items: shownEntry } : {}),
        readOnly: true,
        ...meter,
      };
    } else if (isLeafDefinition(node)) {
      const { type, ...range } = node;
      const { default: _default, values: _values, ...same } = { values: undefined, ...range };
      paths[pattern] ??= path[1] === "pots" ? { type, unit: "dB" } : { type, ...same };
    } else add(paths, node, path);
  }
}

/** Returns a member of a path, or, for a number, the name of the number: `{fader}`. */
function placed(member: string, place: number, path: Path): string {
  return /^\d+$/.test(member) ? `{${numberedBelow(path[place - 1]!).name}}` : member;
}

/** Returns the JSON Schema of values like this one; an empty list says nothing of its items. */
function schemaOf(value: Tree): Described {
  if (Array.isArray(value)) {
    const [item] = value;
    return { type: "array", items: item === undefined ? {} : schemaOf(item) };
  }
  if (!isBranch(value)) return { type: typeof value };
  const members = Object.entries(value).map(([member, inner]) => [member, schemaOf(inner)]);
  return object(Object.fromEntries(members));
}
