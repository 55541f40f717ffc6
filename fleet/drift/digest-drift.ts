/**
 * The comparison of consoles by their digests alone. It reads nothing from a console, so that it
 * can compare a whole fleet at once.
 *
 * @module
 */
import { branchAt, isBranch } from "../../core/tree/tree.ts";
import type { ConsoleEntry } from "../hub/hub-core.ts";
import type { DigestDrift } from "./drift.ts";
import { type Model, modelKey, type SectionName, TREE_SECTION_NAMES } from "./sections.ts";
import { sectionsOf, type Template } from "./templates.ts";

/** The digests with which consoles are compared. */
export interface ComparedDigests {
  readonly sections: readonly SectionName[];
  digest(section: SectionName): string | undefined;
  /** The key of the model ({@link modelKey}); undefined where the model is not known. */
  readonly model: string | undefined;
}

/** Returns the digests of a template, and its name. */
export function templateDigests(template: Template): ComparedDigests & Pick<Template, "name"> {
  const { name, model, sections } = template;
  const digest = (section: SectionName) => sections[section]?.digest;
  return { name, sections: sectionsOf(template), digest, model: modelKey(model) };
}

/**
 * Compares a console by its digests. `own` returns the key of its model; it is called only where
 * the model decides.
 */
export function digestDrift(
  entry: ConsoleEntry,
  other: ComparedDigests,
  own = () => modelOf(entry),
): DigestDrift {
  const { id, digests = {} } = entry;
  const differs: SectionName[] = [];
  const unknown: SectionName[] = [];
  for (const section of other.sections) {
    const [one, two] = [digests[section], other.digest(section)];
    if (one === undefined || two === undefined) unknown.push(section);
    else if (one !== two) differs.push(section);
  }
  return { console: id, differs, unknown, foreign: isForeign(own, other, differs) };
}

/** Says whether a console has other mixers or faders: then a difference of the tree is no drift. */
function isForeign(
  modelOfConsole: () => string | undefined,
  { model }: ComparedDigests,
  differs: readonly SectionName[],
): boolean {
  const tree: readonly string[] = TREE_SECTION_NAMES;
  if (model === undefined || !differs.some((section) => tree.includes(section))) return false;
  const own = modelOfConsole();
  return own !== undefined && own !== model;
}

/**
 * Returns the key of the model of a console by its summary; undefined where the summary lacks the
 * faders.
 */
export function modelOf({ summary }: ConsoleEntry): string | undefined {
  const mixers = Object.entries(branchAt(branchAt(summary.tree, "audio"), "mixers"));
  const faders = mixers.map(([id, mixer]) =>
    [id, isBranch(mixer) && isBranch(mixer.faders) ? Object.keys(mixer.faders) : undefined] as const
  );
  return faders.some(([, of]) => of === undefined)
    ? undefined
    : modelKey(Object.fromEntries(faders) as Model);
}
