/** The node that renders the sound of an engine in the audio thread. */
import { assertAlmostEquals, assertEquals, assertLess, assertRejects } from "@std/assert";
import { OfflineAudioContext, worklet } from "../../../engine/web-audio/deno/web-audio.ts";
import { find } from "../../../core/tree/tree.ts";
import { createEngine } from "../../../engine/web-audio/engine.ts";
import { openOutput } from "../../../engine/web-audio/output.ts";
import { BLOCK } from "../../../engine/web-audio/signal.ts";
import { open, part, RATE, rendered, TONE, treeOf } from "./rendering.ts";

const contextOf = (seconds: number) =>
  new OfflineAudioContext(2, seconds * RATE, RATE) as unknown as globalThis.OfflineAudioContext;

const PARAMS = "/audio/mixers/0/faders/0/params";
const processing = ["subsonic", "eq1", "compressor"] as never;
const console = {
  mixers: [{ faders: [1, 2, 3].map((channel) => ({ channel, label: "Voice", processing })) }],
  levels: [{ id: 1 }],
};
const set = {
  ...open(0, 1, 2),
  [`${PARAMS}/eq1`]: { on: true, frequency: 800, gain: 6 },
  [`${PARAMS}/compressor`]: { on: true, threshold: -30 },
};

Deno.test("the audio thread renders the same samples as the renderer, and meters them", async () => {
  const context = contextOf(0.5);
  const noise = { kind: "noise", level: -10, seed: 4 } as const;
  const buffer = context.createBuffer(1, RATE, RATE);
  buffer.getChannelData(0).fill(0.125);
  const output = await openOutput(
    context,
    { sources: { 1: noise, 2: TONE, 3: { kind: "buffer", buffer } } },
    worklet,
  );
  const engine = createEngine(output, {}, 0);
  engine.whole(treeOf({ console, set }));
  const sound = await context.startRendering();
  const samples = { kind: "samples", channels: [buffer.getChannelData(0)] };
  const sources = { 1: noise, 2: TONE, 3: samples } as never;
  const expected = rendered({ console, set, wiring: { sources }, seconds: 0.5 });
  // The orders may reach the audio thread some blocks after its start.
  const began = (samples: Float32Array) =>
    BLOCK * Math.floor(samples.findIndex((sample) => sample !== 0) / BLOCK) / RATE;
  for (const [side, samples] of expected.entries()) {
    const heard = sound.getChannelData(side);
    const [from, until] = [began(heard), began(samples)];
    assertLess(from, 0.3);
    assertEquals(
      part(heard, from + 0.01, from + 0.2),
      part(samples, until + 0.01, until + 0.2),
    );
  }
  assertEquals(find(output.meters()!, ["audio", "levels", "1", "_correlation"]), 1);
});

Deno.test("a buffer of another sample rate than the sound device is refused, and the message names its channel", async () => {
  const context = contextOf(0.1);
  const buffer = context.createBuffer(1, 100, 44_100);
  await assertRejects(
    () => openOutput(context, { sources: { 7: { kind: "buffer", buffer } } }, worklet),
    RangeError,
    "the buffer of channel 7 has 44100 Hz, expected 48000",
  );
});

Deno.test("a node of the wiring is heard; one with a single channel on both sides", async () => {
  const context = contextOf(0.3);
  const node = context.createConstantSource();
  node.offset.value = 0.25;
  node.start();
  const output = await openOutput(context, { sources: { 1: { kind: "node", node } } }, worklet);
  createEngine(output, {}, 0).whole(treeOf({ console, set: open(0) }));
  const sound = await context.startRendering();
  for (const side of [0, 1]) assertAlmostEquals(sound.getChannelData(side).at(-1)!, 0.25, 1e-6);
});

Deno.test("samples of a node that are no sound, such as NaN, are heard as silence", async () => {
  const context = contextOf(0.3);
  const buffer = context.createBuffer(1, 4, RATE);
  buffer.getChannelData(0).set([0.25, NaN, 0.25, Infinity]);
  const node = context.createBufferSource();
  Object.assign(node, { buffer, loop: true });
  node.start();
  const output = await openOutput(context, { sources: { 1: { kind: "node", node } } }, worklet);
  createEngine(output, {}, 0).whole(treeOf({ console, set: open(0) }));
  const sound = await context.startRendering();
  for (const side of [0, 1]) {
    assertEquals(new Set(sound.getChannelData(side).slice(-100)), new Set([0, 0.25]));
  }
});

/** An output to a device and a node that do what the test says. */
async function simulatedOutput() {
  const time = { ms: 0 };
  const node = {
    port: { postMessage() {}, onmessage: undefined as unknown as (event: object) => void },
    onprocessorerror: undefined as unknown as () => void,
    connect() {},
  };
  const context = {
    sampleRate: RATE,
    currentTime: 0,
    destination: { channelCount: 2 },
    audioWorklet: { addModule: () => Promise.resolve() },
  };
  const AudioWorkletNode = function () {
    return node;
  };
  const output = await openOutput(
    context as never,
    {},
    { module: "", AudioWorkletNode: AudioWorkletNode as never },
    () => time.ms,
  );
  return { output, time, node, read: (data: object) => node.port.onmessage({ data }) };
}

const readings = (level: number, other: number) => ({
  audio: {
    mixers: {
      0: {
        faders: {
          0: {
            meter: { _input: [level, level] },
            params: { compressor: { _gainreduction: other } },
          },
        },
      },
    },
    levels: { 1: { _left: level, _right: level, _correlation: other } },
    loudness: { 1: { _levelm: level, _maxpeak: level } },
  },
});

Deno.test("once the renderer has failed, all meters read silence", async () => {
  const { output, node, read } = await simulatedOutput();
  read(readings(-12, -1));
  assertEquals(output.meters(), readings(-12, -1));
  node.onprocessorerror();
  assertEquals(output.meters(), readings(-125, 0));
});

Deno.test("while the sound device has stopped for a second, all meters read silence", async () => {
  const { output, time, read } = await simulatedOutput();
  time.ms = 5000;
  assertEquals(output.meters(), undefined);
  read(readings(-12, -1));
  time.ms += 1000;
  assertEquals(output.meters(), readings(-12, -1));
  time.ms++;
  assertEquals(output.meters(), readings(-125, 0));
  read(readings(-20, 1));
  assertEquals(output.meters(), readings(-20, 1));
});
