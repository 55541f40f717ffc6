/**
 * Paths of the control tree. Clients write them with and without the leading or a trailing slash
 * (control-tree.md, "Messages").
 *
 * @module
 */
import type { Patch, Tree } from "./patch.ts";

/** The members from the root down; the root itself is `[]`. */
export type Path = readonly string[];

/** Reads a path: `"/audio/mixers/0/"` is `["audio", "mixers", "0"]`. */
export function parsePath(text: string): Path {
  return text.split("/").filter((member) => member !== "");
}

/** Writes a path as this service shows it: with the leading slash, without a trailing one. */
export function formatPath(path: Path): string {
  return "/" + path.join("/");
}

/**
 * What stands at a path, or undefined. Only own members count, and of a list only its items, so
 * `constructor` and `length` are no paths.
 */
export function find(tree: Tree, path: Path): Tree | undefined {
  let node: Tree | undefined = tree;
  for (const member of path) {
    if (typeof node !== "object" || !Object.hasOwn(node, member)) return undefined;
    if (Array.isArray(node) && member === "length") return undefined;
    node = (node as Record<string, Tree>)[member];
  }
  return node;
}

/** The part of a patch at and below a path, still nested from the root; undefined where none is. */
export function patchBelow(patch: Patch, path: Path): Patch | undefined {
  let node: Patch[string] = patch;
  for (const member of path) {
    if (typeof node !== "object" || !Object.hasOwn(node, member)) return undefined;
    node = (node as Patch)[member]!;
  }
  return nest(path, node) as Patch;
}

/** Puts a value at a path: `nest(["audio", "x"], 1)` is `{ audio: { x: 1 } }`. */
export function nest(path: Path, value: Patch[string]): Patch[string] {
  return path.reduceRight<Patch[string]>((inner, member) => ({ [member]: inner }), value);
}
