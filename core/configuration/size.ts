/**
 * The size of the control tree that a configuration makes: a few bytes of a configuration may ask
 * for millions of values (decisions.md, "Control tree").
 *
 * @module
 */
import { TREE_VALUES } from "../limits.ts";
import type { Fault } from "./faults.ts";
import type { ParsedConfiguration } from "./schema.ts";

/** For each list of a configuration: number of values of the control tree for one item. */
const VALUES_OF_LISTS = {
  processings: 128,
  globalLabels: 2,
  lists: 5,
  logics: 3,
  gpis: 3,
  gpos: 3,
  pots: 5,
  levels: 5,
  loudness: 11,
} as const;

/**
 * Number of values for a mixer and for each of its parts. The number for a fader includes its
 * source. A mute group has one value in the mixer and one in each of its faders.
 */
const VALUES_OF_MIXER = { itself: 17, fader: 176, bus: 4, automix: 8, cleanfeed: 6 } as const;

/** Number of values for each part of the routing, of the selectors and of audio over IP. */
const VALUES = {
  input: 5,
  output: 4,
  selector: 4,
  sourcelist: 1,
  source: 3,
  aes67: 17,
  stream: 4,
} as const;

/** Maximum number of parts that a fault names, from the largest on. */
const NAMED_PARTS = 3;

/**
 * Returns the number of values of the control tree for each part of a configuration, by the path of
 * the part. An output also counts each input that may be routed to it, because `range` lists them
 * all.
 */
export function treeValues(parsed: ParsedConfiguration): ReadonlyMap<string, number> {
  const { mixers, routing: { inputs, outputs }, selectors: { selectors, sourcelists }, aes67 } =
    parsed;
  const ofMixers = mixers.map((mixer, index): [string, number] => {
    const faders = count(mixer.faders);
    const mutegroups = count(mixer.mutegroups);
    const { itself, fader, bus, automix, cleanfeed } = VALUES_OF_MIXER;
    const values = itself + mutegroups + faders * (fader + mutegroups + count(mixer.buses) * bus) +
      count(mixer.automix) * automix + count(mixer.cleanfeeds) * cleanfeed;
    return [`mixers.${index}`, values];
  });
  const ofLists = Object.entries(VALUES_OF_LISTS).map(([list, values]): [string, number] => [
    list,
    count(parsed[list as keyof typeof VALUES_OF_LISTS]) * values,
  ]);
  const sources = sourcelists.reduce((sum, { entries }) => sum + entries.length, 0);
  const ofSelectors = selectors.length * VALUES.selector + sources * VALUES.source +
    sourcelists.length * VALUES.sourcelist;
  const ofRouting = inputs.length * VALUES.input +
    outputs.length * (VALUES.output + inputs.length);
  const ofAes67 = aes67 === undefined ? 0 : VALUES.aes67 + aes67.streams.length * VALUES.stream;
  return new Map([
    ...ofMixers,
    ...ofLists,
    ["routing", ofRouting],
    ["selectors", ofSelectors],
    ["aes67", ofAes67],
  ]);
}

/**
 * Returns the fault of a configuration whose control tree would exceed `TREE_VALUES`, before that
 * tree is built.
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
