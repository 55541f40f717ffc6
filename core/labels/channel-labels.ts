/**
 * Labels of fader channels. A label belongs to a channel: every fader that carries the channel
 * shows it, and so does the `sourcelist` of the mixer. The log stores it at
 * `audio/channels/{id}/label`. A label that was reset to its default is stored as "", so that a new
 * default in the configuration takes effect.
 *
 * @module
 */
import type { Configuration, MixerConfiguration } from "../configuration/configuration.ts";
import { LABEL_LENGTH } from "../limits.ts";
import type { State } from "../state.ts";
import { textFault } from "../tree/leaf.ts";
import { type Branch, differing, find, isBranch, type Leaf, type Patch } from "../tree/tree.ts";
import { fadersIn, type LabelledFaders, mixerChannels, NO_CHANNEL } from "./channels.ts";

/** A change of the tree, with the labels of faders separated from the rest. */
export interface LabelChange {
  /** The change without labels of faders. */
  readonly rest: Patch;
  /** The labels of faders and sources after the change. */
  readonly shown: Patch;
  /** The labels of channels, as they are stored in the log. */
  readonly kept: Patch;
}

/** The new channels of faders, by the number of the fader. */
type Channels = ReadonlyMap<number, number>;

/** The new labels of channels, by the number of the channel. */
type Labels = ReadonlyMap<number, string>;

/**
 * Computes the labels after a change that gives faders another label or another channel. `written`
 * is the content that was set or loaded, nested from the root. It also includes values that the
 * patch omits because they are already in force, such as a label that is written together with
 * another channel.
 */
export function labelChange(
  { configuration, tree }: State,
  patch: Patch,
  written: Patch,
  labelled: LabelledFaders,
): LabelChange {
  const rest: Record<string, Patch> = {};
  const shown: Record<string, Patch> = {};
  const kept: Record<string, Patch> = {};
  for (const [mixer, touched] of labelled) {
    const configured = configuration.mixers.find(({ id }) => String(id) === mixer)!;
    const { faders, sourcelist } = mixerChannels(tree, mixer);
    const channels = new Map<number, number>();
    const labels = new Map<number, string>();
    for (const [fader, { sourceid, label = shownAnyway(written, mixer, fader) }] of touched) {
      const channel = (sourceid ?? faders[fader]!.sourceid) as number;
      const source = sourcelist[configured.places.get(channel) ?? -1];
      if (sourceid !== undefined) channels.set(Number(fader), channel);
      if (label === undefined || source === undefined) continue;
      const given = label === "" ? source._defaultlabel : label as string;
      labels.set(channel, given);
      if (given === source._label) continue;
      kept[channel] = { label: given === source._defaultlabel ? "" : given };
    }
    shown[mixer] = shownLabels(tree, configured, channels, labels);
    const others = Object.entries(fadersIn(patch, mixer))
      .map(([fader, { label: _, ...other }]) => [fader, other] as const);
    rest[mixer] = { ...inMixers(patch)[mixer], faders: Object.fromEntries(others) };
  }
  const audio = { ...patch.audio as Patch, mixers: { ...inMixers(patch), ...rest } };
  return {
    rest: withoutEmpty({ ...patch, audio }),
    shown: withoutEmpty({ audio: { mixers: shown } }),
    kept: withoutEmpty({ audio: { channels: kept } }),
  };

  /** Returns the label of a fader that was written unchanged, and so is not in the patch. */
  function shownAnyway(written: Patch, mixer: string, fader: string): Leaf | undefined {
    const before = mixerChannels(tree, mixer).faders[fader]!.label;
    const label = fadersIn(written, mixer)[fader]?.label;
    return typeof label === "string" && label.normalize("NFC") === before ? before : undefined;
  }
}

/**
 * Computes the labels after a change that puts back the channels of faders, and the labels of
 * channels, which the patch has in the `sourcelist` of their mixer. Labels of faders follow from
 * both, whatever the patch has of them.
 */
export function labelsBack({ configuration, tree }: State, patch: Patch): LabelChange {
  const rest: Record<string, Patch> = {};
  const shown: Record<string, Patch> = {};
  const kept: Record<string, Patch> = {};
  for (
    const [mixer, { sourcelist: items = {}, faders: _, ...own }] of Object.entries(inMixers(patch))
  ) {
    const configured = configuration.mixers.find(({ id }) => String(id) === mixer)!;
    const { sourcelist } = mixerChannels(tree, mixer);
    const labels = new Map<number, string>();
    for (
      const [place, { _label: label }] of Object.entries(items as Readonly<Record<string, Patch>>)
    ) {
      const { _sourceid: channel, _defaultlabel: initial } = sourcelist[Number(place)]!;
      if (typeof label !== "string") continue;
      labels.set(channel, label);
      kept[channel] = { label: label === initial ? "" : label };
    }
    const channels = new Map<number, number>();
    const faders = Object.entries(fadersIn(patch, mixer)).map(([fader, part]) => {
      const { label: _, _defaultlabel, ...other } = part;
      if (other.sourceid !== undefined) channels.set(Number(fader), other.sourceid as number);
      return [fader, other] as const;
    });
    rest[mixer] = { ...own, faders: Object.fromEntries(faders) };
    shown[mixer] = shownLabels(tree, configured, channels, labels);
  }
  const audio = { ...patch.audio as Patch, mixers: rest };
  return {
    rest: withoutEmpty({ ...patch, audio }),
    shown: withoutEmpty({ audio: { mixers: shown } }),
    kept: withoutEmpty({ audio: { channels: kept } }),
  };
}

/**
 * Returns the labels of faders and sources in a tree with stored values. A fader keeps its
 * configured channel if the mixer no longer has the stored one.
 */
export function storedLabels({ mixers }: Configuration, tree: Branch, stored: Branch): Patch {
  const shown = mixers.map((mixer) => {
    const { faders } = mixerChannels(tree, mixer.id);
    const channels = new Map(mixer.faders.map(({ id, channel }) => {
      const { sourceid } = faders[id]!;
      return [id, sourceid === NO_CHANNEL || mixer.places.has(sourceid) ? sourceid : channel];
    }));
    const labels = new Map(mixer.faders.map(({ channel, label }) => {
      return [channel, storedLabel(stored, channel) ?? label];
    }));
    return [mixer.id, shownLabels(tree, mixer, channels, labels)] as const;
  });
  return withoutEmpty({ audio: { mixers: Object.fromEntries(shown) } });
}

/** Returns the changes in a mixer after faders get these channels, and channels these labels. */
function shownLabels(
  tree: Branch,
  { id, places, faders: all }: MixerConfiguration,
  channels: Channels,
  labels: Labels,
): Patch {
  const { faders, sourcelist } = mixerChannels(tree, id);
  const ofFaders = all
    .filter(({ id }) => channels.has(id) || labels.has(faders[id]!.sourceid))
    .map(({ id }) => {
      const sourceid = channels.get(id) ?? faders[id]!.sourceid;
      const { _label = "", _defaultlabel = "" } = sourcelist[places.get(sourceid) ?? -1] ?? {};
      const label = labels.get(sourceid) ?? _label;
      return [id, differing(faders[id]!, { sourceid, label, _defaultlabel })] as const;
    });
  const ofSources = [...labels].map(([channel, label]) => {
    const place = places.get(channel)!;
    return [place, differing(sourcelist[place]!, { _label: label })] as const;
  });
  return { faders: Object.fromEntries(ofFaders), sourcelist: Object.fromEntries(ofSources) };
}

/** Returns the stored label of a channel; undefined if it has its configured label. */
function storedLabel(stored: Branch, channel: number): string | undefined {
  const label = find(stored, ["audio", "channels", String(channel), "label"]);
  if (typeof label !== "string" || label === "") return undefined;
  return textFault(label, LABEL_LENGTH.max) === undefined ? label : undefined;
}

function inMixers({ audio }: Patch): Readonly<Record<string, Patch>> {
  const { mixers = {} } = (audio ?? {}) as Patch;
  return mixers as Readonly<Record<string, Patch>>;
}

/** Returns a patch without its empty branches. */
function withoutEmpty(patch: Patch): Patch {
  const full = Object.entries(patch)
    .map(([member, value]) =>
      [member, isBranch(value) ? withoutEmpty(value as Patch) : value] as const
    )
    .filter(([, value]) => !isBranch(value) || Object.keys(value).length > 0);
  return Object.fromEntries(full);
}
