/**
 * The part of a patch that lies at and below paths, member by member.
 *
 * @module
 */
import { isBranch, type Patch, type Path, unlessEmpty } from "../tree/tree.ts";

/** Says whether one of the paths ends here, so that it stands for everything below. */
export function isAll(paths: readonly Path[]): boolean {
  return paths.some(({ length }) => length === 0);
}

/** Returns the paths that lead through a member, relative to that member. */
export function pathsBelow(paths: readonly Path[], member: string): readonly Path[] {
  if (isAll(paths)) return paths;
  return paths.filter(([first]) => first === member).map(([, ...rest]) => rest);
}

/** Returns a patch without the values at and below paths; undefined if nothing is left. */
export function patchWithout(patch: Patch, paths: readonly Path[]): Patch | undefined {
  const left: Record<string, Patch[string]> = {};
  for (const member of Object.keys(patch)) {
    const inside = pathsBelow(paths, member);
    const value = patch[member]!;
    if (isAll(inside)) continue;
    const rest = isBranch(value) ? patchWithout(value as Patch, inside) : value;
    if (rest !== undefined) left[member] = rest;
  }
  return unlessEmpty(left);
}
