/**
 * What of the stored values the configuration in force has a place for.
 *
 * @module
 */
import type { State } from "../state.ts";
import { acceptValue, isLeafDefinition, type Ranges } from "../tree/leaf.ts";
import { type Branch, isBranch, type Tree } from "../tree/tree.ts";

/** What is stored, in two: what the tree takes, and what it has no place for or does not take there. */
export interface Placed {
  readonly known: Branch;
  /** Undefined for nothing. */
  readonly unknown: Branch | undefined;
}

/** The same with the tree that was asked: the configured one, and the channels, which the log alone has. */
export function placed(
  { configuration, initial, ranges, stored }: State,
): Placed & { readonly tree: Branch } {
  const all = configuration.mixers.flatMap(({ faders }) => faders.map(({ channel }) => channel));
  const channels = Object.fromEntries(all.map((channel) => [channel, { label: "" }]));
  const tree = { ...initial, audio: { ...initial.audio as Branch, channels } };
  return { ...placedIn(tree, ranges, stored), tree };
}

/** The numbers of pictures whose resource is not configured. */
export function unknownPictures({ pictures, configuration }: State): number[] {
  return [...pictures.keys()]
    .filter((id) => !configuration.resources.some((resource) => resource.id === id));
}

function placedIn(tree: Branch, ranges: Ranges, stored: Branch): Placed {
  const known: Record<string, Tree> = {};
  const unknown: Record<string, Tree> = {};
  for (const [member, value] of Object.entries(stored)) {
    const current = Object.hasOwn(tree, member) ? tree[member] : undefined;
    const definition = Object.hasOwn(ranges, member) ? ranges[member] : undefined;
    if (isBranch(current) && isBranch(value)) {
      const inner = placedIn(current, definition as Ranges ?? {}, value);
      if (Object.keys(inner.known).length > 0) known[member] = inner.known;
      if (inner.unknown !== undefined) unknown[member] = inner.unknown;
    } else {
      const takes = definition !== undefined && isLeafDefinition(definition)
        ? typeof acceptValue(definition, value, () => member) !== "object"
        : typeof current === typeof value && typeof current !== "object";
      (takes ? known : unknown)[member] = value;
    }
  }
  return { known, unknown: Object.keys(unknown).length > 0 ? unknown : undefined };
}
