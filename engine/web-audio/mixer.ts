/// <reference lib="dom" />
/**
 * A mixer: its faders, the sum of them, its two PFL buses, and its cleanfeeds.
 *
 * @module
 */
import { vcaLeaders } from "../mixing/mixer.ts";
import { createCleanfeed } from "./cleanfeed.ts";
import { createFader, type Fader, type Sources } from "./fader.ts";
import type { Stage } from "./stage.ts";
import type { MixerValues } from "./tree.ts";

/** A mixer of the graph. {@linkcode createMixer} makes one. */
export interface Mixer {
  readonly sum: AudioNode;
  readonly pfl1: AudioNode;
  readonly pfl2: AudioNode;
  /** By their numbers. */
  readonly cleanfeeds: ReadonlyMap<string, AudioNode>;
  /** By their numbers. */
  readonly faders: ReadonlyMap<string, Fader>;
  /** Goes to what the tree says from a time on. */
  update(values: MixerValues, when: number): void;
}

/** Makes a mixer as the tree has it. */
export function createMixer(stage: Stage, sources: Sources, values: MixerValues): Mixer {
  const buses = { sum: stage.gain(1), pfl1: stage.gain(1), pfl2: stage.gain(1) };
  const first = vcaLeaders(values);
  const faders = new Map(
    Object.entries(values.faders).map(([id, fader]): [string, Fader] => [
      id,
      createFader(stage, sources, buses, fader, values, first),
    ]),
  );
  const outputs = new Map([...faders].map(([id, { output }]) => [id, output]));
  const cleanfeeds = new Map(
    Object.keys(values.cleanfeeds).map((id) => [
      id,
      createCleanfeed(stage, id, buses.sum, outputs, values),
    ]),
  );
  let before = values;

  return {
    ...buses,
    faders,
    cleanfeeds: new Map([...cleanfeeds].map(([id, { output }]) => [id, output])),
    update(values, when) {
      // What a fader is told depends on its own part of the tree, and, but for other faders, on
      // the mixer's; where it is in a VCA group, on its leader's, too.
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
