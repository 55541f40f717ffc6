/**
 * Web Audio outside a browser. The package is named only here and not in deno.json, because every
 * start of the service would download the packages that are listed there.
 *
 * @module
 */
export {
  AudioContext,
  AudioWorkletNode,
  mediaDevices,
  OfflineAudioContext,
} from "npm:node-web-audio-api@2.2.0";
