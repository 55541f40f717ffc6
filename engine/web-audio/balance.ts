/// <reference lib="dom" />
/**
 * `panbal` of a fader: a balance that attenuates the opposite side linearly and never amplifies.
 * The standard `StereoPannerNode` instead adds one side to the other, which makes a signal on both
 * sides, such as a voice, up to 6 dB louder.
 *
 * @module
 */
import { balanceAt } from "../mixing/mixer.ts";
import { createPlace } from "./place.ts";
import { createRamp, evenly } from "./ramp.ts";
import { FADER_SECONDS, type Stage } from "./stage.ts";

/** A balance between two nodes, made by {@linkcode createBalance}. */
export interface Balance {
  /** Moves to a position from a time on: -1 is left, 0 is the centre, 1 is right. */
  to(position: number, when: number): void;
  /** Returns the gains of the left and the right side at a time, as factors. */
  gainsAt(when: number): readonly [number, number];
}

/** Connects two nodes by a balance. At 0 it is a direct connection, until it is first moved. */
export function createBalance(
  stage: Stage,
  from: AudioNode,
  into: AudioNode,
  position: number,
): Balance {
  const { context } = stage;
  let sides = position === 0 ? undefined : build(position);
  const place = createPlace(stage, into, { output: sides?.output ?? from });

  function build(position: number) {
    const stereo = stage.gain(1);
    stereo.channelCount = 2;
    stereo.channelCountMode = "explicit";
    const splitter = context.createChannelSplitter(2);
    const left = context.createGain();
    const right = context.createGain();
    const output = context.createChannelMerger(2);
    const [ofLeft, ofRight] = balanceAt(position);
    from.connect(stereo).connect(splitter);
    splitter.connect(left, 0).connect(output, 0, 0);
    splitter.connect(right, 1).connect(output, 0, 1);
    return {
      output,
      left: createRamp(left.gain, evenly, ofLeft),
      right: createRamp(right.gain, evenly, ofRight),
    };
  }

  return {
    to(position, when) {
      if (sides === undefined) {
        if (position === 0) return;
        sides = build(0);
        place.put(sides, when);
      }
      const [left, right] = balanceAt(position);
      sides.left.to(left, when, FADER_SECONDS);
      sides.right.to(right, when, FADER_SECONDS);
    },
    gainsAt: (when) =>
      sides === undefined ? [1, 1] : [sides.left.positionAt(when), sides.right.positionAt(when)],
  };
}
