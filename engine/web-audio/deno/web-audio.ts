/**
 * Web Audio outside a browser. The package is named here alone and not in deno.json: what stands
 * there is downloaded at any start of the service, which needs none of it.
 *
 * @module
 */
export { AudioContext, mediaDevices, OfflineAudioContext } from "npm:node-web-audio-api@2.2.0";
