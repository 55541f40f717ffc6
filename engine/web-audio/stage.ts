/// <reference lib="dom" />
/**
 * The base of all parts of the graph: the audio context, and a list of actions to be done after a
 * time of that context, such as removing a node that has been faded out.
 *
 * @module
 */

import { createMakeupProbe, type MakeupProbe } from "./makeup-probe.ts";

/** Duration of the ramp of a fader from one value to the next in s: one tick of the service. */
export const FADER_SECONDS = 0.02;

/** Duration of the ramp of a switch in s: too short to be noticed, too long to click. */
export const SWITCH_SECONDS = 0.005;

/** The base on which nodes are made; made by {@linkcode createStage}. */
export interface Stage {
  readonly context: BaseAudioContext;
  /**
   * Schedules `action` for the first {@linkcode Stage.tidy} after the time `when` of the context.
   */
  later(when: number, action: () => void): void;
  /** Does the actions that are due. It has to be called repeatedly, at any interval. */
  tidy(): void;
  /** Makes a gain node with a fixed gain. */
  gain(value: number): GainNode;
  readonly makeupInReduction: MakeupProbe;
}

/** Makes a stage on the audio context of a device, or on an offline one. */
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
