/**
 * The numbered parts of the control tree: the name of the number in a path, and in a sentence.
 *
 * @module
 */

/** A part of a path that is a number. */
export interface Numbered {
  /** Its name in a path: `{fader}`. */
  readonly name: string;
  readonly description: string;
}

/** The numbers, by the name of the branch that has them. */
const branches: Readonly<Record<string, Numbered>> = {
  automix: { name: "automix", description: "An automix of the mixer." },
  bus: { name: "bus", description: "A bus that the fader is sent to." },
  cleanfeeds: { name: "cleanfeed", description: "A clean feed of the mixer." },
  entries: { name: "entry", description: "An entry of the list, from 0." },
  extlists: { name: "extlist", description: "An external list." },
  faders: { name: "fader", description: "A fader of the mixer." },
  flexprocessings: { name: "flexprocessing", description: "A flex processing." },
  gpis: { name: "gpi", description: "A general purpose input." },
  gpos: { name: "gpo", description: "A general purpose output." },
  inputs: { name: "input", description: "An input of the routing." },
  labels: { name: "label", description: "A global label." },
  levels: { name: "level", description: "A level meter." },
  logics: { name: "logic", description: "A logic." },
  loudness: { name: "loudness", description: "A loudness meter." },
  mixers: { name: "mixer", description: "A virtual mixer." },
  mutegroups: { name: "mutegroup", description: "A mute group of the mixer." },
  outputs: { name: "output", description: "An output of the routing." },
  pots: { name: "pot", description: "A pot." },
  routes: { name: "route", description: "The output that the route leads to." },
  selectors: { name: "selector", description: "A selector." },
  sourcelists: { name: "sourcelist", description: "A list of sources for selectors." },
};

/** All numbered parts. */
export const everyNumbered: readonly Numbered[] = Object.values(branches);

/** Returns the meaning of a number below a branch. */
export function numberedBelow(branch: string): Numbered {
  const numbered = branches[branch];
  if (numbered === undefined) throw new Error(`nobody says what the numbers below ${branch} are`);
  return numbered;
}
