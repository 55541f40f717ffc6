/**
 * A mixer: its faders, the sum of them, its two PFL buses, the buses that faders send to, and its
 * cleanfeeds.
 *
 * @module
 */
import { vcaLeaders } from "../mixing/mixer.ts";
import { type Cleanfeed, createCleanfeed } from "./cleanfeed.ts";
import { type Buses, createFader, type Fader, type Sources } from "./fader.ts";
import { createStereo, silence } from "./signal.ts";
import { busesOf, type MixerValues } from "./tree.ts";

/** A mixer. {@linkcode createMixer} makes one. */
export interface Mixer extends Buses {
  /** The cleanfeeds, by their numbers. */
  readonly cleanfeeds: ReadonlyMap<string, Cleanfeed>;
  /** The faders, by their numbers. */
  readonly faders: ReadonlyMap<string, Fader>;
  /** Renders the block that begins at `frame`. */
  run(frame: number): void;
  /** Applies other values of the tree from a time, in samples, on. */
  update(values: MixerValues, when: number): void;
}

/** Makes a mixer as the tree has it. */
export function createMixer(sampleRate: number, sources: Sources, values: MixerValues): Mixer {
  const sends = new Map(busesOf(values).map((id) => [id, createStereo()]));
  const buses = { sum: createStereo(), pfl1: createStereo(), pfl2: createStereo(), sends };
  const all = [buses.sum, buses.pfl1, buses.pfl2, ...sends.values()];
  const first = vcaLeaders(values);
  const faders = new Map(
    Object.entries(values.faders).map(([id, fader]): [string, Fader] => [
      id,
      createFader(sampleRate, sources, buses, fader, values, first),
    ]),
  );
  const outputs = new Map([...faders].map(([id, { output }]) => [id, output]));
  const cleanfeeds = new Map(
    Object.keys(values.cleanfeeds).map((id) => [
      id,
      createCleanfeed(sampleRate, id, buses.sum, outputs, values),
    ]),
  );
  let before = values;

  return {
    ...buses,
    faders,
    cleanfeeds,
    run(frame) {
      for (const bus of all) silence(bus);
      for (const fader of faders.values()) fader.run(frame);
      for (const cleanfeed of cleanfeeds.values()) cleanfeed.run(frame);
    },
    update(values, when) {
      // A fader depends on its own part of the tree, on the mute groups and the options of the
      // mixer, and in a VCA group also on its leader.
      const others = values.mutegroups !== before.mutegroups || values.options !== before.options;
      const leaders = vcaLeaders(values);
      for (const [id, fader] of faders) {
        const now = values.faders[id]!;
        if (others || now.vcagroup !== 0 || now !== before.faders[id]) {
          fader.update(now, values, leaders, when);
        }
      }
      for (const cleanfeed of cleanfeeds.values()) cleanfeed.update(values, when);
      before = values;
    },
  };
}
