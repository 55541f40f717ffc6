/**
 * A console with a simulated engine, for tests: the test moves the time at which meters are read.
 *
 * @module
 */
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { set } from "../../../core/tree/set.ts";
import { find, parsePath, type Patch, type Tree } from "../../../core/tree/tree.ts";
import { createSimulation } from "../../../engine/simulated/simulation.ts";
import { result, testConsole } from "../../service.ts";

/** The channels of the test: a voice, music, a tone of -18 dBFS, and silence. */
export const CHANNEL = { voice: 1, music: 5, tone: 8, silence: 10 } as const;

/** The level of the tone, in dBFS. */
export const TONE = -18;

/** A mixer whose faders carry channels, in that order. */
export function mixerOf(...channels: readonly number[]): WrittenConfiguration["mixers"] {
  const processing = ["gate", "compressor", "limiter"];
  const faders = channels.map((channel) => ({ channel, processing: [...processing] }));
  return [{ faders, mutegroups: 2 }];
}

/** Makes a console and the simulation of a seed. */
export async function startDesk(configuration: WrittenConfiguration, seed = 1) {
  const console = await testConsole({ configuration });
  const simulation = createSimulation(seed);
  let seconds = 0;
  let shown: Patch = {};

  return {
    set: (path: string, value: unknown) => result(console, set(path, value)),
    /** Sets members of a fader of the first mixer. */
    fader: (id: number, members: unknown) =>
      result(console, set(`/audio/mixers/0/faders/${id}`, members)),
    /** Lets time pass, in steps of 40 ms. */
    pass(duration: number) {
      for (const end = seconds + duration; seconds < end - 1e-9;) {
        shown = simulation.meters(console.state.tree, seconds += 0.04);
      }
      return shown;
    },
    /** The last value of a path of the tree. */
    at: (path: string) => find(shown as Tree, parsePath(path)),
    /** The left side of a meter of a fader of the first mixer. */
    meter(id: number, which: "_input" | "_pfl" | "_afl") {
      const sides = find(shown as Tree, parsePath(`/audio/mixers/0/faders/${id}/meter/${which}`));
      return (sides as number[])[0]!;
    },
  };
}

/** A console as {@link startDesk} makes it. */
export type Desk = Awaited<ReturnType<typeof startDesk>>;
