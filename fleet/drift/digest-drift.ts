/**
 * How consoles differ by their digests alone: nothing is read of any console, so that a whole fleet
 * is compared at once.
 *
 * @module
 */
import { isBranch } from "../../core/tree/tree.ts";
import { branchAt } from "../batches/selection.ts";
import type { ConsoleEntry } from "../hub/hub-core.ts";
import type { DigestDrift } from "./drift.ts";
import { isSameModel, type Model, type SectionName, TREE_SECTION_NAMES } from "./sections.ts";

/** What consoles are compared with. */
export interface ComparedDigests {
  readonly sections: readonly SectionName[];
  digest(section: SectionName): string | undefined;
  /** Undefined where nobody knows it. */
  readonly model: Model | undefined;
}

/** Compares a console by its digests. */
export function digestDrift(entry: ConsoleEntry, other: ComparedDigests): DigestDrift {
  const { id, digests = {} } = entry;
  const differs: SectionName[] = [];
  const unknown: SectionName[] = [];
  for (const section of other.sections) {
    const [one, two] = [digests[section], other.digest(section)];
    if (one === undefined || two === undefined) unknown.push(section);
    else if (one !== two) differs.push(section);
  }
  return { console: id, differs, unknown, foreign: isForeign(entry, other, differs) };
}

/** Says whether it has other mixers or faders, so that what differs in the control tree is no drift. */
function isForeign(
  entry: ConsoleEntry,
  { model }: ComparedDigests,
  differs: readonly SectionName[],
): boolean {
  const tree: readonly string[] = TREE_SECTION_NAMES;
  if (model === undefined || !differs.some((section) => tree.includes(section))) return false;
  const own = modelOf(entry);
  return own !== undefined && !isSameModel(own, model);
}

/** The model that a console has by its summary; undefined where that is without the faders. */
export function modelOf({ summary }: ConsoleEntry): Model | undefined {
  const mixers = Object.entries(branchAt(branchAt(summary.tree, "audio"), "mixers"));
  const faders = mixers.map(([id, mixer]) =>
    [id, isBranch(mixer) && isBranch(mixer.faders) ? Object.keys(mixer.faders) : undefined] as const
  );
  return faders.some(([, of]) => of === undefined)
    ? undefined
    : Object.fromEntries(faders) as Model;
}
