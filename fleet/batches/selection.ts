/**
 * Selects the consoles of a fleet that a batch is for.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { type Branch, branchAt, isBranch } from "../../core/tree/tree.ts";
import { type ComparedDigests, digestDrift, templateDigests } from "../drift/digest-drift.ts";
import type { Templates } from "../drift/templates.ts";
import type { ConsoleEntry, ConsoleState } from "../hub/hub-core.ts";
import type { ConsoleId } from "../wire.ts";

/**
 * The criteria by which consoles are selected: a console has to meet all that are given. In texts
 * `*` stands for any characters, and case does not count.
 */
export interface Selection {
  /** The consoles of these ids. */
  readonly ids?: readonly ConsoleId[] | undefined;
  /** The consoles of a site, by its name. */
  readonly site?: string | undefined;
  /** The consoles of a name. */
  readonly name?: string | undefined;
  /** The consoles that have a fader of this label. */
  readonly label?: string | undefined;
  /** The consoles with this version of faderd. */
  readonly version?: string | undefined;
  readonly state?: ConsoleState | undefined;
  /** The consoles of a template's model that differ from it, by their digests; this is its name. */
  readonly drift?: string | undefined;
  /** All consoles of the fleet that are approved; alone it says that all of them are meant. */
  readonly all?: boolean | undefined;
}

type Predicate = (entry: ConsoleEntry) => boolean;

/** The criterion of each member of a selection that is decided by the entry of a console alone. */
const CRITERIA: {
  readonly [Member in Exclude<keyof Selection, "ids" | "drift">]: (
    given: NonNullable<Selection[Member]>,
  ) => Predicate;
} = {
  site: (pattern) => textLike(pattern, ({ summary }) => [summary.site]),
  name: (pattern) => textLike(pattern, ({ summary }) => [summary.name]),
  label: (pattern) => textLike(pattern, labelsOf),
  version: (pattern) => textLike(pattern, ({ summary }) => [summary.version]),
  state: (state) => (entry) => entry.state === state,
  all: () => () => true,
};

/**
 * Returns the consoles that are selected among those that somebody sees. A console in quarantine is
 * selected by its id or its state alone. Refused: a selection that says nothing (3), and an id that
 * is not among them (6).
 */
export function select(
  seen: ReadonlyMap<ConsoleId, ConsoleEntry>,
  { ids, drift, ...selection }: Selection,
  templates: Pick<Templates, "find">,
): readonly ConsoleEntry[] | Refusal {
  const template = drift === undefined ? undefined : templates.find(drift);
  if (template !== undefined && isRefusal(template)) {
    return refuse("noSuchObject", template.message, "select.drift");
  }
  const criteria = Object.entries(selection)
    .filter(([member, given]) => given !== undefined && !(member === "all" && given === false))
    .map(([member, given]) =>
      (CRITERIA[member as keyof typeof CRITERIA] as (given: unknown) => Predicate)(given)
    );
  if (template !== undefined) {
    const digests = templateDigests(template);
    criteria.push((entry) => isDrifting(entry, digests));
  }
  if (ids === undefined && criteria.length === 0) {
    const members = ["ids", ...Object.keys(CRITERIA), "drift"].join(", ");
    return refuse("invalidParameter", `expected at least one of ${members}`, "select");
  }
  const unknown = ids?.find((id) => !seen.has(id));
  if (unknown !== undefined) {
    return refuse("noSuchObject", `there is no console ${shown(unknown)}`, "select.ids");
  }
  const from = ids === undefined
    ? [...seen.values()].filter(({ state }) =>
      state !== "quarantined" || selection.state === "quarantined"
    )
    : [...new Set(ids)].map((id) => seen.get(id)!);
  return from.filter((entry) => criteria.every((holds) => holds(entry)));
}

/**
 * Says whether a console differs from a template by its digests; a console of another model does
 * not.
 */
function isDrifting(entry: ConsoleEntry, template: ComparedDigests): boolean {
  const { differs, foreign } = digestDrift(entry, template);
  return differs.length > 0 && !foreign;
}

function textLike(
  pattern: string,
  textsOf: (entry: ConsoleEntry) => readonly string[],
): Predicate {
  const isLike = matcherOf(pattern);
  return (entry) => textsOf(entry).some(isLike);
}

/**
 * Makes the function that says whether a text matches a pattern. Its time grows linearly with the
 * text; that of a regular expression with several stars does not.
 */
function matcherOf(pattern: string): (text: string) => boolean {
  const parts = pattern.toLowerCase().split("*");
  const [first, ...others] = parts as [string, ...string[]];
  const last = others.pop();
  return (given) => {
    const text = given.toLowerCase();
    if (last === undefined) return text === first;
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

function labelsOf({ summary }: ConsoleEntry): readonly string[] {
  return [...fadersOf(summary.tree)].map(({ fader }) => fader.label)
    .filter((label) => typeof label === "string");
}

/** Yields each fader of the tree of a summary, with its path. */
export function* fadersOf(
  tree: Branch,
): Generator<{ readonly path: string; readonly fader: Branch }> {
  const mixers = branchAt(branchAt(tree, "audio"), "mixers");
  for (const [mixer, members] of Object.entries(mixers)) {
    const faders = isBranch(members) ? branchAt(members, "faders") : {};
    for (const [number, fader] of Object.entries(faders)) {
      if (!isBranch(fader)) continue;
      yield { path: `/audio/mixers/${mixer}/faders/${number}`, fader };
    }
  }
}
