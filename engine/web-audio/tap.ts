/// <reference lib="dom" />
/**
 * Listens to a node of the graph, for meters. An `AnalyserNode` keeps the last samples that passed;
 * whoever asks gets those that are new since he asked before. So a meter costs the audio thread
 * next to nothing, and no JavaScript runs there.
 *
 * @module
 */

/** The signal that passed, left and right. */
export type Samples = readonly Float32Array[];

/**
 * Samples that are kept, 85 ms at 48 kHz. A longer time between two reads loses the oldest.
 */
const KEPT_SAMPLES = 4096;

/** A tap listens to one node. {@linkcode createTap} makes one. */
export interface Tap {
  /**
   * Returns what passed since it was asked before. It is the tap's own, and there until it is
   * asked again.
   */
  read(): Samples;
}

/** Listens to a node, as stereo; a mono signal is on both sides. */
export function createTap(context: BaseAudioContext, node: AudioNode): Tap {
  const splitter = context.createChannelSplitter(2);
  splitter.channelCount = 2;
  // Mono counts as both sides, as everywhere else in the graph.
  const stereo = context.createGain();
  stereo.channelCount = 2;
  stereo.channelCountMode = "explicit";
  node.connect(stereo).connect(splitter);
  const sides = [0, 1].map((channel) => {
    const analyser = context.createAnalyser();
    analyser.fftSize = KEPT_SAMPLES;
    splitter.connect(analyser, channel);
    return { analyser, kept: new Float32Array(KEPT_SAMPLES) };
  });
  let readTo = context.currentTime;

  return {
    read() {
      const now = context.currentTime;
      const fresh = Math.min(KEPT_SAMPLES, Math.round((now - readTo) * context.sampleRate));
      readTo = now;
      return sides.map(({ analyser, kept }) => {
        if (fresh > 0) analyser.getFloatTimeDomainData(kept);
        return kept.subarray(KEPT_SAMPLES - fresh);
      });
    },
  };
}
