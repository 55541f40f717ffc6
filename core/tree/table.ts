/**
 * The node table, part two: everything of the control tree but the processing, as control-tree.md
 * lists it. `build` makes the live tree and `range` from it; there is no other description.
 *
 * @module
 */
import type { Configuration, MixerConfiguration } from "../configuration/configuration.ts";
import { FADER_DB, LABEL_LENGTH, METER_SILENCE_DB } from "../limits.ts";
import { listsDefinition } from "../lists/branch.ts";
import { boolean, choice, type Definition, number, readOnly, type TextLeaf } from "./leaf.ts";
import { params, paramsOf } from "./processing.ts";

const API_VERSION = "1.0.0";
const SAMPLE_RATE_HZ = 48_000;

/** The members of `general`: those that change have their first values, before the clock is asked. */
const general = ({ device, limits }: Configuration): Definition => ({
  _api_version: readOnly(API_VERSION),
  _firmware_version: readOnly([...device.firmware.split("."), "0"].slice(0, 4).join(".")),
  _hardwareserial: readOnly(device.serial),
  _hourmeter: readOnly(0),
  _name: readOnly(device.name),
  _sync2ok: readOnly(true),
  _syncsource: readOnly(0),
  _systemfrequency: readOnly(SAMPLE_RATE_HZ),
  _systemtime: readOnly(0),
  _uptime: readOnly(0),
  _activewebsockets: readOnly(0),
  _maxwebsockets: readOnly(limits.connections),
});

const label = (initial: string): TextLeaf => ({
  type: "string",
  max: LABEL_LENGTH.max,
  default: initial,
  reset: "",
});

const source = (initial: string): TextLeaf => ({
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
  maxattenuation: attenuation(40),
  passiveattenuation: attenuation(15),
  hold: milliseconds(200),
  release: milliseconds(500),
  ratio: number(2, { min: 1, max: 20, step: 0.1 }),
};

const cleanfeed: Definition = {
  _active: readOnly(true),
  cut: boolean(),
  n: boolean(),
  outsel: boolean(),
  outgain: number(0, { min: -160, max: 20, step: 0.1, unit: "dB" }),
  srcsel: choice(0, 0, 65_535),
};

const pfl: Definition = {
  afl: boolean(),
  aflwhenon: boolean(),
  mix: boolean(),
  reset: boolean(),
  resetfader: boolean(),
  return: boolean(),
};

const mixerOptions: Definition = { directoffair: boolean(), pfl1: pfl, pfl2: pfl };

const meter: Definition = {
  _input: readOnly([METER_SILENCE_DB, METER_SILENCE_DB]),
  _pfl: readOnly([METER_SILENCE_DB, METER_SILENCE_DB]),
  _afl: readOnly([METER_SILENCE_DB, METER_SILENCE_DB]),
};

const faderOptions: Definition = {
  autooffair: boolean(),
  combilogic0: boolean(),
  timerreset: boolean(),
};

const level = number(FADER_DB.min, { ...FADER_DB, step: 0.1, unit: "dB" });
const off = boolean();
const vcagroup = choice(0, 0, 255);

/** The processing of faders: `_paramlist` and `params`. */
type Processing = Pick<Definition, "_paramlist" | "params">;

/** By the blocks that they name: the faders with the same ones have one processing between them. */
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
  { channel, label: initial, processing }: MixerConfiguration["faders"][number],
  mutegroups: Definition,
  processings: Processings,
): Definition {
  return {
    fader: level,
    on: off,
    pfl1: off,
    pfl2: off,
    altinput: off,
    bypass: off,
    isolate: off,
    memo: off,
    offair: off,
    preparation: off,
    solo: off,
    voice: off,
    // An empty one is not put back here, but to the default of the channel that the fader carries.
    label: source(initial),
    // Which channels it may be, `labels/channels.ts` knows: none is near to another.
    sourceid: number(channel, {}),
    vcagroup,
    _channelcnt: readOnly(2),
    _defaultlabel: readOnly(initial),
    _lastloadedsnap: readOnly(""),
    _faderstart: readOnly(false),
    _poolavailable: readOnly(true),
    _readystate: readOnly(true),
    _usecleanfeed: readOnly(0),
    ...processingOf(processings, processing),
    mutegroups,
    meter,
    options: faderOptions,
  };
}

function mixer(configuration: MixerConfiguration, processings: Processings): Definition {
  const mutegroups = each(configuration.mutegroups, () => off);
  return {
    _name: readOnly(configuration.name),
    _lastloadedsnap: readOnly(""),
    _user: readOnly(""),
    automix: each(configuration.automix, () => automix),
    cleanfeeds: each(configuration.cleanfeeds, () => cleanfeed),
    mutegroups,
    options: mixerOptions,
    sourcelist: readOnly(
      configuration.faders.map(({ label, channel }) => ({
        _defaultlabel: label,
        _label: label,
        _sourceid: channel,
      })),
    ),
    faders: keyed(configuration.faders, (item) => fader(item, mutegroups, processings)),
  };
}

const loudnessValues = [
  ..."_leveli _levelm _levelo _levels _levelu _maxm _maxpeak _maxs _peak".split(" "),
];

function audio({ mixers, pots, levels, loudness, routing, selectors, processings }: Configuration) {
  const port = (item: { name: string; device?: string | undefined; channels: number }) => ({
    _name: readOnly(item.name),
    _device: readOnly(item.device ?? ""),
    _channels: readOnly(item.channels),
  });
  const faderProcessings: Processings = new Map();
  const routable = ["", ...routing.inputs.map((input) => String(input.id))];
  return {
    pots: keyed(pots, ({ name, min, max, step, value }) => ({
      value: number(value, { min, max, step, unit: "dB" }),
      _name: readOnly(name),
      _min: readOnly(min),
      _max: readOnly(max),
      _step: readOnly(step),
    })),
    levels: keyed(levels, ({ name, mode }) => ({
      _name: readOnly(name),
      _mode: readOnly(mode),
      _left: readOnly(METER_SILENCE_DB),
      _right: readOnly(METER_SILENCE_DB),
      _correlation: readOnly(0),
    })),
    loudness: keyed(loudness, ({ name, mode }) => ({
      _name: readOnly(name),
      _mode: readOnly(mode),
      ...Object.fromEntries(loudnessValues.map((value) => [value, readOnly(METER_SILENCE_DB)])),
    })),
    routing: {
      inputs: keyed(routing.inputs, port),
      outputs: keyed(routing.outputs, port),
      routes: keyed(routing.outputs, ({ input }): TextLeaf => ({
        ...source(input === undefined ? "" : String(input)),
        values: routable,
      })),
    },
    selectors: {
      selectors: keyed(selectors.selectors, ({ name, sourcelist, left, right }) => ({
        _name: readOnly(name),
        _sourcelist: readOnly(String(sourcelist ?? 0)),
        left: source(left),
        right: source(right),
      })),
      sourcelists: keyed(selectors.sourcelists, ({ name, entries }) => ({
        _name: readOnly(name),
        entries: each(entries.keys().toArray(), (index) => ({
          _label: readOnly(entries[index]!.label),
          _sourcel: readOnly(entries[index]!.left),
          _sourcer: readOnly(entries[index]!.right),
        })),
      })),
    },
    flexprocessings: keyed(processings, ({ name }) => ({ _name: readOnly(name), params })),
    mixers: keyed(mixers, (item) => mixer(item, faderProcessings)),
  };
}

const control = (configuration: Configuration): Definition => ({
  labels: keyed(configuration.globalLabels, ({ label: initial }) => ({
    label: label(initial),
    _defaultlabel: readOnly(initial),
  })),
  ...listsDefinition(configuration),
  logics: keyed(configuration.logics, ({ name, path, value }) => ({
    value: boolean(value),
    _name: readOnly(name),
    _path: readOnly(path),
  })),
});

/** The whole control tree of a console, but for `range`, which follows from it. */
export function nodeTable(configuration: Configuration) {
  return {
    general: general(configuration),
    control: control(configuration),
    audio: audio(configuration),
  };
}

type Node = Definition[string];

function keyed<Item extends { readonly id: number }, Made extends Node>(
  items: readonly Item[],
  node: (item: Item) => Made,
): Record<string, Made> {
  return Object.fromEntries(items.map((item) => [item.id, node(item)]));
}

function each(ids: readonly number[], node: (id: number) => Node): Record<string, Node> {
  return Object.fromEntries(ids.map((id) => [id, node(id)]));
}
