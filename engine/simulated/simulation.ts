/**
 * Simulates the signals of a console without sound: computes the meters from a seed, the time and
 * the control tree. Signals are a function of time; only the meters have a state.
 *
 * @module
 */
import type { Branch, Patch } from "../../core/tree/tree.ts";
import { fromDecibels } from "../meters/decibels.ts";
import { modeOf } from "../meters/modes.ts";
import { rounded } from "../meters/rounded.ts";
import { isOpen, leaderGain, vcaLeaders } from "../mixing/mixer.ts";
import { processed } from "./dynamics.ts";
import { createFaderMeters, type FaderMeters } from "./fader.ts";
import { createLoudnessOfSum, type LoudnessOfSum } from "./loudness.ts";
import { audioOf, type MixerPart, type Numbered } from "./parts.ts";
import { type Signal, signalAt } from "./sources.ts";
import { createStereoMeter, type StereoMeter } from "./stereo.ts";
import { levelOf, NOTHING, type Sum, sumOf } from "./sum.ts";

/** A simulation. */
export interface Simulation {
  /**
   * Returns all meters of a control tree at a time in s. They have moved since the previous call as
   * if the present levels had been constant since then.
   */
  meters(tree: Branch, seconds: number): Patch;
}

/**
 * Time in s in which the slowest meter falls from any level to silence. A longer block would change
 * nothing for level meters, and cost more for a loudness meter.
 */
const LONGEST_BLOCK = 15;

/** Makes a simulation; simulations with the same seed return the same for the same calls. */
export function createSimulation(seed: number): Simulation {
  const ofFaders = new Map<string, FaderMeters>();
  const ofLevels = new Map<string, StereoMeter>();
  const ofLoudness = new Map<string, LoudnessOfSum>();
  let last = -Infinity;

  function passMixer(mixer: MixerPart, id: string, now: number, block: number) {
    const leaders = vcaLeaders(mixer);
    const signals: Signal[] = [];
    const faders = mapped(mixer.faders, (fader, number) => {
      const meters = madeOnce(ofFaders, `${id}/${number}`, createFaderMeters);
      const signal = signalAt(seed, fader.sourceid, fader.altinput, now);
      const gain = isOpen(fader, mixer)
        ? fromDecibels(fader.fader) * leaderGain(fader, leaders)
        : 0;
      const passed = meters.pass(fader, signal, gain, block);
      signals.push(passed.after);
      return passed.patch;
    });
    return { faders, sum: sumOf(signals) };
  }

  return {
    meters(tree, now) {
      const { mixers, flexprocessings, levels, loudness } = audioOf(tree);
      const block = Math.min(LONGEST_BLOCK, now - last);
      last = now;
      const sums: Sum[] = [];
      const passed = mapped(mixers, (mixer, id) => {
        const { faders, sum } = passMixer(mixer, id, now, block);
        sums.push(sum);
        return { faders };
      });
      // The tree does not name the signal of these meters. The first shows the first mixer, and so
      // on.
      const sumAt = (place: number) => sums[place % sums.length] ?? NOTHING;
      return {
        audio: {
          mixers: passed,
          flexprocessings: mapped(flexprocessings, (processing, _id, place) => {
            const level = levelOf(sumAt(place));
            return { params: processed(processing, Object.keys(processing.params), level).params };
          }),
          levels: mapped(levels, ({ _mode: mode }, id, place) => {
            const { peak, mean, correlation } = sumAt(place);
            const meter = madeOnce(
              ofLevels,
              `${id} ${mode}`,
              () => createStereoMeter(modeOf(mode)),
            );
            const [left, right] = meter.step(mode === "VU" ? mean : peak, block);
            return { _left: left, _right: right, _correlation: rounded(correlation) };
          }),
          loudness: mapped(
            loudness,
            (_, id, place) =>
              madeOnce(ofLoudness, id, createLoudnessOfSum).step(sumAt(place), block),
          ),
        },
      };
    },
  };
}

function mapped<Part>(
  parts: Numbered<Part>,
  make: (part: Part, id: string, place: number) => Patch,
): Patch {
  const made: Record<string, Patch> = {};
  let place = 0;
  for (const id of Object.keys(parts)) made[id] = make(parts[id]!, id, place++);
  return made;
}

function madeOnce<Item>(items: Map<string, Item>, key: string, make: () => Item): Item {
  let item = items.get(key);
  if (item === undefined) items.set(key, item = make());
  return item;
}
