/**
 * The built-in demo console, used if no configuration is given. It has the resources to try each
 * action and method.
 *
 * @module
 */
import type { WrittenConfiguration } from "./schema.ts";

const fadersOf = (firstChannel: number, labels: string) =>
  labels.split(", ").map((label, at) => ({ channel: firstChannel + at, label }));

/** The configuration of the demo console: a core device with two mixers of eight faders. */
export const demoConfiguration: WrittenConfiguration = {
  device: { name: "demo", kind: "core", firmware: "10.3.0", serial: "DEMO-0001" },
  licenses: ["52-8577", "52-8583", "52-8546"],
  engine: "simulated",
  mixers: [
    {
      id: 0,
      name: "On Air",
      faders: fadersOf(1, "Host, Guest 1, Guest 2, Phone, Playout A, Playout B, Jingles, News"),
      automix: 2,
      cleanfeeds: 2,
      mutegroups: 4,
      buses: 2,
    },
    {
      id: 1,
      name: "Production",
      faders: fadersOf(101, "Booth, Desk, Line 1, Line 2, PC 1, PC 2, Reverb, Talkback"),
      automix: 1,
      cleanfeeds: 2,
      mutegroups: 2,
    },
  ],
  processings: [{ id: 0, name: "On Air sum" }, { id: 1, name: "Web stream" }],
  globalLabels: [
    { id: 1, label: "Studio 1" },
    { id: 2, label: "Programme" },
    { id: 3, label: "Next up" },
  ],
  resources: [{ id: 1, name: "Station logo" }],
  lists: [{ id: 1, name: "Lines" }, { id: 2, name: "Carts" }],
  logics: [
    { id: 1, name: "Red light", path: "Studio 1/Red light", channel: "1.1.1", follows: [1, 2, 3] },
    { id: 2, name: "Door", path: "Studio 1/Door", value: true },
  ],
  gpis: [{ id: 1, name: "Fader start", channel: "1.2.1" }],
  gpos: [{ id: 1, name: "Red light", channel: "1.1.1" }],
  pots: [
    { id: 1, name: "Headphones", min: -80, max: 10, value: -20 },
    { id: 2, name: "Monitors", min: -80, max: 10, value: -30 },
  ],
  levels: [{ id: 1, name: "Programme", mode: "PPM" }],
  loudness: [{ id: 1, name: "Programme", mode: "EBU R128" }],
  routing: {
    inputs: [
      { id: 1, name: "Programme", device: "core" },
      { id: 2, name: "Web stream", device: "core" },
    ],
    outputs: [
      { id: 1, name: "Transmitter", device: "io", input: 1 },
      { id: 2, name: "Encoder", device: "io", input: 2 },
    ],
  },
  selectors: {
    sourcelists: [{
      id: 1,
      name: "Monitoring",
      entries: [
        { label: "Programme", left: "1", right: "2" },
        { label: "PFL", left: "3", right: "4" },
      ],
    }],
    selectors: [{ id: 1, name: "Monitors", sourcelist: 1, left: "1", right: "2" }],
  },
  factorySnapshots: [
    {
      id: "0f0c0001-0000-4000-8000-000000000001",
      type: 1,
      name: "Speech",
      content: {
        params: {
          subsonic: { on: true, frequency: 80 },
          compressor: { on: true, threshold: -24, ratio: 3, attack: 5, release: 200 },
        },
      },
    },
    {
      id: "0f0c0002-0000-4000-8000-000000000001",
      type: 2,
      name: "All closed",
      mixer: 0,
      content: {
        faders: Object.fromEntries(
          [0, 1, 2, 3, 4, 5, 6, 7].map((id) => [id, { fader: -160, on: false, pfl1: false }]),
        ),
      },
    },
    {
      id: "0f0c0003-0000-4000-8000-000000000001",
      type: 3,
      name: "Transparent",
      content: {
        params: {
          compressor: { on: false },
          limiter: { on: true, threshold: -3 },
          r128agc: { on: false },
        },
      },
    },
  ],
};

/**
 * The faders of the mixer On Air at the first start of the demo console: a host with a guest, and a
 * song that fades below them. Levels in dB.
 */
export const demoOnAir = {
  0: { on: true, fader: -4 },
  1: { on: true, fader: -6 },
  4: { on: true, fader: -12 },
} as const;
