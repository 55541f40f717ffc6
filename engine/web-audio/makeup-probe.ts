/// <reference lib="dom" />
/**
 * The `reduction` of a compressor is what it takes off, by the standard without the make-up that it
 * adds by itself. At least one implementation (node-web-audio-api 2.2) has that in it. A compressor
 * that hears nothing tells: there is nothing to take off, so what it shows is make-up.
 *
 * @module
 */

/** Returns whether `reduction` has the make-up in it, once something was rendered. */
export type MakeupProbe = () => boolean;

/** A probe that shows more than this, in dB, shows make-up. */
const SURELY_MAKEUP_DB = 1;

/** Probes the compressors of a context. */
export function createMakeupProbe(context: BaseAudioContext): MakeupProbe {
  const nothing = context.createConstantSource();
  nothing.offset.value = 0;
  const compressor = context.createDynamicsCompressor();
  compressor.threshold.value = -50;
  compressor.ratio.value = 20;
  const unheard = context.createGain();
  unheard.gain.value = 0;
  // A node without a destination is not rendered.
  nothing.connect(compressor).connect(unheard).connect(context.destination);
  nothing.start();
  let found: boolean | undefined;
  return () => {
    if (found !== undefined) return found;
    const { reduction } = compressor;
    if (context.currentTime === 0) return false;
    unheard.disconnect();
    nothing.stop();
    return found = reduction > SURELY_MAKEUP_DB;
  };
}
