/**
 * Web Audio outside a browser. The package is named only here and not in deno.json, because every
 * start of the service would download the packages that are listed there.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
// deno-lint-ignore no-import-prefix
import { AudioWorkletNode } from "npm:node-web-audio-api@2.2.0";
import type { Worklet } from "../output.ts";

export { AudioContext, mediaDevices, OfflineAudioContext } from "npm:node-web-audio-api@2.2.0";

/** The worklet that renders the sound of an engine in Deno. */
export const worklet: Worklet = {
  module: fileURLToPath(new URL("./worklet.ts", import.meta.url)),
  AudioWorkletNode: AudioWorkletNode as unknown as Worklet["AudioWorkletNode"],
};
