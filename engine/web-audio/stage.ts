/// <reference lib="dom" />
/**
 * What every part of the graph stands on: the audio context, and a list of what is to be done once
 * a time of it has passed, such as to take a node away that has been faded out.
 *
 * @module
 */

import { createMakeupProbe, type MakeupProbe } from "./makeup-probe.ts";

/** The time of a fader from one value to the next, in s: one tick of the service. */
export const FADER_SECONDS = 0.02;

/** The time of a switch, in s: too short to be noticed, too long to click. */
export const SWITCH_SECONDS = 0.005;

/** A stage is what nodes are made on. {@linkcode createStage} makes one. */
export interface Stage {
  readonly context: BaseAudioContext;
  /** Has `action` done by the first {@linkcode Stage.tidy} after the context's time `when`. */
  later(when: number, action: () => void): void;
  /** Does what is due. It is to be called every now and then; how often does not matter. */
  tidy(): void;
  /** Makes a gain node with a fixed gain. */
  gain(value: number): GainNode;
  readonly makeupInReduction: MakeupProbe;
}

/** Makes a stage on an audio context, of a device or offline. */
export function createStage(context: BaseAudioContext): Stage {
  let due: { readonly when: number; readonly action: () => void }[] = [];
  return {
    context,
    makeupInReduction: createMakeupProbe(context),
    later(when, action) {
      due.push({ when, action });
    },
    tidy() {
      const now = context.currentTime;
      const ready = due.filter(({ when }) => when <= now);
      if (ready.length === 0) return;
      due = due.filter(({ when }) => when > now);
      for (const { action } of ready) action();
    },
    gain(value) {
      const node = context.createGain();
      node.gain.value = value;
      return node;
    },
  };
}
