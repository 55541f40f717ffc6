/**
 * How large the control tree is that a configuration makes: a few bytes of it may ask for millions
 * of values (decisions.md, "Control tree").
 *
 * @module
 */
import { TREE_VALUES } from "../limits.ts";
import type { Fault } from "./faults.ts";
import type { ParsedConfiguration } from "./schema.ts";

/**
 * Each of these makes so many values of the control tree. A fader's are those of its source, too;
 * a mute group is one of the mixer and of each of its faders.
 */
const VALUES = {
  mixer: 17,
  fader: 148,
  automix: 6,
  cleanfeed: 6,
  processing: 114,
  globalLabel: 2,
  list: 5,
  logic: 3,
  pot: 5,
  level: 5,
  loudness: 11,
  input: 3,
  output: 4,
  selector: 4,
  sourcelist: 1,
  source: 3,
} as const;

/** The largest parts are named, so many of them. */
const NAMED_PARTS = 3;

/**
 * Answers how many values of the control tree each part of a configuration makes, by the path of
 * the part. An output counts every input that may be routed to it, too, for `range` names them all.
 */
export function treeValues(parsed: ParsedConfiguration): ReadonlyMap<string, number> {
  const { mixers, routing: { inputs, outputs }, selectors: { selectors, sourcelists } } = parsed;
  const ofMixers = mixers.map((mixer, index): [string, number] => {
    const [faders, mutegroups] = [count(mixer.faders), count(mixer.mutegroups)];
    const values = VALUES.mixer + mutegroups + faders * (VALUES.fader + mutegroups) +
      count(mixer.automix) * VALUES.automix + count(mixer.cleanfeeds) * VALUES.cleanfeed;
    return [`mixers.${index}`, values];
  });
  const sources = sourcelists.reduce((sum, { entries }) => sum + entries.length, 0);
  return new Map([
    ...ofMixers,
    ["processings", count(parsed.processings) * VALUES.processing],
    ["globalLabels", parsed.globalLabels.length * VALUES.globalLabel],
    ["lists", parsed.lists.length * VALUES.list],
    ["logics", parsed.logics.length * VALUES.logic],
    ["pots", parsed.pots.length * VALUES.pot],
    ["levels", parsed.levels.length * VALUES.level],
    ["loudness", parsed.loudness.length * VALUES.loudness],
    ["routing", inputs.length * VALUES.input + outputs.length * (VALUES.output + inputs.length)],
    [
      "selectors",
      selectors.length * VALUES.selector + sourcelists.length * VALUES.sourcelist +
      sources * VALUES.source,
    ],
  ]);
}

/**
 * Finds a configuration that makes more values than a control tree may have, before it makes any.
 */
export function sizeFault(parsed: ParsedConfiguration): Fault | undefined {
  const parts = treeValues(parsed);
  const all = [...parts.values()].reduce((sum, values) => sum + values, 0);
  if (all <= TREE_VALUES) return undefined;
  const largest = [...parts].filter(([, values]) => values > 0)
    .toSorted(([, one], [, other]) => other - one).slice(0, NAMED_PARTS)
    .map(([path, values]) => `${path} makes ${values}`).join(", ");
  const sentence = `expected at most ${TREE_VALUES} values of the control tree, got ${all}`;
  return { path: "(document)", reason: `${sentence}: ${largest}` };
}

function count(countOrItems: number | readonly unknown[]): number {
  return typeof countOrItems === "number" ? countOrItems : countOrItems.length;
}
