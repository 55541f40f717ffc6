/**
 * This is the second part of the node table: everything in the control tree, as control-tree.md
 * lists it, except for the processing (`params/…`), which is the first part, in `processing.ts`.
 * `build` makes the live tree and `range` from it; no other file describes the tree.
 *
 * @module
 */
import type { Configuration, MixerConfiguration } from "../configuration/configuration.ts";
import { FADER_DB, LABEL_LENGTH, METER_SILENCE_DB, VCA_GROUPS } from "../limits.ts";
import { listsDefinition } from "../lists/branch.ts";
import {
  boolean,
  choice,
  type Definition,
  number,
  readOnly,
  readOnlyMembers,
  switches,
  type TextLeaf,
} from "./leaf.ts";
import { params, paramsOf } from "./processing.ts";

type Aes67 = NonNullable<Configuration["aes67"]>;

const API_VERSION = "1.0.0";
const SAMPLE_RATE_HZ = 48_000;

/**
 * Describes `general`. The members that change by themselves have these values until they are first
 * refreshed.
 */
const general = ({ device, limits, aes67 }: Configuration): Definition => ({
  ...readOnlyMembers({
    _api_version: API_VERSION,
    _firmware_version: [...device.firmware.split("."), "0"].slice(0, 4).join("."),
    _hardwareserial: device.serial,
    _hourmeter: 0,
    _name: device.name,
    _sync2ok: true,
    _syncsource: 0,
    _systemfrequency: SAMPLE_RATE_HZ,
    _systemtime: 0,
    _uptime: 0,
    _activewebsockets: 0,
    _maxwebsockets: limits.connections,
    _storage: "ok",
    _engine: "none",
  }),
  ...aes67 === undefined ? {} : generalOfAes67(aes67),
});

/** Describes the members of `general` that only a device for audio over IP (AES67) has. */
const generalOfAes67 = (
  { maxrxstreams, maxtxstreams, extendedfeature, limited16x16 }: Aes67,
): Definition => ({
  _temperature: readOnly(0),
  capabilities: readOnlyMembers({
    _extendedfeature: extendedfeature,
    _limited16x16: limited16x16,
    _maxrxstreams: maxrxstreams,
    _maxtxstreams: maxtxstreams,
    _rxload: 0,
    _txload: 0,
  }),
  ptp,
});

/** The clock of the network, IEEE 1588. Intervals are exponents of 2, in s. */
const ptp: Definition = {
  announce: choice(1, -3, 4),
  domain: choice(0, 0, 127),
  fs: number(SAMPLE_RATE_HZ, { min: 44_100, max: 192_000, step: 1, unit: "Hz" }),
  ip_dscp: choice(46, 0, 63),
  prio1: choice(128, 0, 255),
  prio2: choice(128, 0, 255),
  delaymechanism: { type: "string", max: 3, default: "E2E", values: ["E2E", "P2P"] },
  slaveonly: boolean(),
  state: readOnlyMembers({ _clockoffset: 0 }),
};

const streams = ({ streams }: Aes67): Definition =>
  byId(streams, ({ name, channels }) => ({
    ...readOnlyMembers({ _name: name, _state: "", _channels: channels }),
    on: boolean(),
  }));

const text = (initial: string): TextLeaf => ({
  type: "string",
  max: LABEL_LENGTH.max,
  default: initial,
});

const milliseconds = (initial: number) =>
  number(initial, { min: 0, max: 10_000, step: 1, unit: "ms" });
const attenuation = (initial: number) =>
  number(initial, { min: 0, max: 80, step: 0.5, unit: "dB" });

const automix: Definition = {
  _active: readOnly(true),
  maxattenuation: { ...attenuation(40), same: "attmax" },
  passiveattenuation: { ...attenuation(15), same: "attpassive" },
  attmax: { ...attenuation(40), same: "maxattenuation" },
  attpassive: { ...attenuation(15), same: "passiveattenuation" },
  hold: milliseconds(200),
  release: milliseconds(500),
  ratio: number(2, { min: 1, max: 20, step: 0.1 }),
};

const cleanfeed: Definition = {
  _active: readOnly(true),
  ...switches("cut", "n", "outsel"),
  outgain: number(0, { min: -160, max: 20, step: 0.1, unit: "dB" }),
  srcsel: choice(0, 0, 65_535),
};

const pfl = switches("afl", "aflwhenon", "mix", "reset", "resetfader", "return");
const mixerOptions: Definition = { directoffair: boolean(), pfl1: pfl, pfl2: pfl };

const stereoSilence = [METER_SILENCE_DB, METER_SILENCE_DB];
const meter = readOnlyMembers({ _input: stereoSilence, _pfl: stereoSilence, _afl: stereoSilence });
const fade = readOnlyMembers({ _from: FADER_DB.min, _to: FADER_DB.min, _time: 0 });

// All faders share these objects, so that a console of a thousand faders takes little more memory
// than a console of ten.
const faderOptions = switches(
  ...["autooffair", "combilogic0", "combilogic1", "combilogic2", "combilogic3", "timerreset"],
);
const faderControls: Definition = {
  fader: number(FADER_DB.min, { ...FADER_DB, step: 0.1, unit: "dB" }),
  ...switches("on", "pfl1", "pfl2", "altinput", "bypass", "isolate"),
  ...switches("memo", "offair", "preparation", "solo", "voice"),
  autolevelgain: number(0, { min: -20, max: 20, step: 0.1, unit: "dB" }),
  _hasagain: readOnly(true),
};
const vcagroup = choice(0, 0, VCA_GROUPS);
const faderState = readOnlyMembers({
  _lastloadedsnap: "",
  _faderstart: false,
  _poolavailable: true,
  _readystate: true,
  _usecleanfeed: 0,
});

const sendGain = number(0, { min: -160, max: 10, step: 0.1, unit: "dB" });
const busSend: Definition = {
  _active: readOnly(true),
  on: boolean(),
  gain: sendGain,
  type: choice(0, 0, 15),
};

/** Describes what each fader of a mixer gives to its automix, its buses and its preparation. */
const busparams = ({ automix, buses }: MixerConfiguration): Definition => ({
  automix: {
    _active: readOnly(automix.length > 0),
    _gainreduction: readOnly(0),
    ...switches("on", "passive"),
    group: choice(0, 0, 255),
    weight: number(0, { min: -40, max: 20, step: 0.5, unit: "dB" }),
  },
  bus: Object.fromEntries(buses.map((id) => [id, busSend])),
  preparation: { _active: readOnly(true), gain: sendGain },
});

/** The processing of a fader in the tree: its blocks, and their values. */
type Processing = Pick<Definition, "_paramlist" | "params">;

/**
 * One processing for all faders with the same blocks, by the names of the blocks: the tree may
 * share it.
 */
type Processings = Map<string, Processing>;

function processingOf(known: Processings, blocks: readonly string[]): Processing {
  const key = blocks.join();
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = { _paramlist: readOnly(blocks), params: paramsOf(blocks) };
  known.set(key, made);
  return made;
}

function fader(
  { channel, label: initial, category, processing }: MixerConfiguration["faders"][number],
  shared: Definition,
  processings: Processings,
): Definition {
  return {
    ...faderControls,
    // No `reset` here: an empty label restores the default of the channel that the fader carries.
    label: text(initial),
    // `labels/channels.ts` checks which channels are permitted. A range would clamp to another
    // channel.
    sourceid: number(channel, {}),
    vcagroup,
    ...readOnlyMembers({ _channelcnt: 2, _defaultlabel: initial, _category: category }),
    ...faderState,
    ...processingOf(processings, processing),
    ...shared,
    meter,
    fade,
    options: faderOptions,
  };
}

function mixer(configuration: MixerConfiguration, processings: Processings): Definition {
  const mutegroups = switches(...configuration.mutegroups.map(String));
  const sourcelist = configuration.faders.map(({ label, channel }) => ({
    _defaultlabel: label,
    _label: label,
    _sourceid: channel,
  }));
  const shared = { mutegroups, busparams: busparams(configuration) };
  return {
    ...readOnlyMembers({ _name: configuration.name, _lastloadedsnap: "" }),
    ...readOnlyMembers({ _lastloadedsnapid: "", _user: "" }),
    automix: Object.fromEntries(configuration.automix.map((id) => [id, automix])),
    cleanfeeds: Object.fromEntries(configuration.cleanfeeds.map((id) => [id, cleanfeed])),
    mutegroups,
    options: mixerOptions,
    sourcelist: readOnly(sourcelist),
    faders: byId(configuration.faders, (item) => fader(item, shared, processings)),
  };
}

const silentLoudness = Object.fromEntries(
  "_leveli _levelm _levelo _levels _levelu _maxm _maxpeak _maxs _peak".split(" ")
    .map((value) => [value, METER_SILENCE_DB]),
);
const silentLevel = { _left: METER_SILENCE_DB, _right: METER_SILENCE_DB, _correlation: 0 };

function audio({ mixers, pots, levels, loudness, routing, selectors, processings }: Configuration) {
  const port = ({ name, device = "", channels }: Configuration["routing"]["outputs"][number]) =>
    readOnlyMembers({ _name: name, _device: device, _channels: channels });
  const routable = ["", ...routing.inputs.map((input) => String(input.id))];
  const faderProcessings: Processings = new Map();
  return {
    pots: byId(pots, ({ name, min, max, step, value }): Definition => ({
      value: number(value, { min, max, step, unit: "dB" }),
      ...readOnlyMembers({ _name: name, _min: min, _max: max, _step: step }),
    })),
    levels: byId(
      levels,
      ({ name, mode }) => readOnlyMembers({ _name: name, _mode: mode, ...silentLevel }),
    ),
    loudness: byId(
      loudness,
      ({ name, mode }) => readOnlyMembers({ _name: name, _mode: mode, ...silentLoudness }),
    ),
    routing: {
      inputs: byId(routing.inputs, (input) => ({
        ...port(input),
        ...readOnlyMembers({ _hasagain: input.again, _hasp48: input.p48 }),
      })),
      outputs: byId(routing.outputs, port),
      routes: byId(routing.outputs, ({ input = "" }): TextLeaf => ({
        ...text(String(input)),
        values: routable,
      })),
    },
    selectors: {
      selectors: byId(selectors.selectors, ({ name, sourcelist = 0, left, right }) => ({
        ...readOnlyMembers({ _name: name, _sourcelist: String(sourcelist) }),
        left: text(left),
        right: text(right),
      })),
      sourcelists: byId(selectors.sourcelists, ({ name, entries }) => ({
        _name: readOnly(name),
        entries: Object.fromEntries(entries.map(({ label, left, right }, index) => [
          index,
          readOnlyMembers({ _label: label, _sourcel: left, _sourcer: right }),
        ])),
      })),
    },
    flexprocessings: byId(processings, ({ name }) => ({ _name: readOnly(name), params })),
    mixers: byId(mixers, (item) => mixer(item, faderProcessings)),
  };
}

const control = (configuration: Configuration): Definition => ({
  labels: byId(configuration.globalLabels, ({ label }) => ({
    label: { ...text(label), reset: "" },
    _defaultlabel: readOnly(label),
  })),
  ...listsDefinition(configuration),
  logics: byId(configuration.logics, ({ name, path, value }) => ({
    value: boolean(value),
    ...readOnlyMembers({ _name: name, _path: path }),
  })),
  ...unlessNone("gpis", byId(configuration.gpis, gpio)),
  ...unlessNone("gpos", byId(configuration.gpos, gpio)),
});

const gpio = ({ name, channel }: Configuration["gpis"][number]): Definition => ({
  ...readOnlyMembers({ _label: name, _state: false }),
  channel: text(channel),
});

/** Returns the branch with its items; nothing if there are no items. */
const unlessNone = (branch: string, items: Definition): Definition =>
  Object.keys(items).length === 0 ? {} : { [branch]: items };

/**
 * Describes the whole control tree of a console except for `range`, which `build` makes from the
 * rest.
 */
export function nodeTable(configuration: Configuration) {
  return {
    general: general(configuration),
    control: control(configuration),
    audio: audio(configuration),
    ...configuration.aes67 === undefined ? {} : { streams: streams(configuration.aes67) },
  };
}

function byId<Item extends { readonly id: number }, Node extends Definition[string]>(
  items: readonly Item[],
  node: (item: Item) => Node,
): Record<string, Node> {
  return Object.fromEntries(items.map((item) => [item.id, node(item)]));
}
