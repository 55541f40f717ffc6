/**
 * The labels of fader channels. A label belongs to a channel: every fader that carries it shows it, and
 * so does the mixer's `sourcelist`. The log keeps it by the channel, at `audio/channels/{id}/label`, and
 * "" for one that was put back to its default, so that a new default in the configuration shows through.
 *
 * @module
 */
import type { Configuration, MixerConfiguration } from "../configuration/configuration.ts";
import { LABEL_LENGTH } from "../limits.ts";
import type { State } from "../state.ts";
import { type Branch, find, isBranch, type Patch } from "../tree/tree.ts";
import { textFault } from "../tree/leaf.ts";
import {
  fadersIn,
  labelledFaders,
  type MixerChannels,
  mixerChannels,
  NO_CHANNEL,
  type Source,
} from "./channels.ts";

/** A change of which the labels of faders are taken apart. */
export interface LabelChange {
  /** The change without labels of faders. */
  readonly rest: Patch;
  /** What faders and sources show then. */
  readonly shown: Patch;
  /** The labels of channels, as the log keeps them. */
  readonly kept: Patch;
}

/**
 * What a change means for labels; undefined where it names no label and no channel of a fader.
 * `written` is what was set or loaded, nested from the root: it has also what the patch leaves out, since
 * the fader shows just that, and so the label that goes with another channel.
 */
export function labelChange(
  { configuration, tree }: State,
  patch: Patch,
  written: Patch = patch,
): LabelChange | undefined {
  const rest: Record<string, Patch> = {};
  const shown: Record<string, Patch> = {};
  const kept: Record<string, Patch> = {};
  for (const [mixer, touched] of labelledFaders(patch)) {
    const configured = configuration.mixers.find(({ id }) => String(id) === mixer)!;
    const ofMixer = { configured, part: mixerChannels(tree, mixer) };
    const moved = new Map(
      touched.filter(([, { sourceid }]) => sourceid !== undefined)
        .map(([fader, { sourceid }]) => [Number(fader), sourceid as number]),
    );
    const labels = labelsOf(ofMixer, moved, touched, fadersIn(written, mixer));
    shown[mixer] = shownLabels(ofMixer, moved, labels);
    for (const [channel, label] of labels) {
      const source = sourceOf(ofMixer, channel)!;
      if (label === source._label) continue;
      kept[channel] = { label: label === source._defaultlabel ? "" : label };
    }
    const others = Object.entries(fadersIn(patch, mixer))
      .map(([fader, { label: _, ...other }]) => [fader, other] as const);
    rest[mixer] = withoutEmpty({
      ...find(patch as unknown as Branch, ["audio", "mixers", mixer]) as unknown as Patch,
      faders: withoutEmpty(Object.fromEntries(others)),
    });
  }
  if (Object.keys(rest).length === 0) return undefined;
  const audio = patch.audio as Patch;
  const mixers = withoutEmpty({ ...audio.mixers as Patch, ...rest });
  return {
    rest: withoutEmpty({ ...patch, audio: withoutEmpty({ ...audio, mixers }) }),
    shown: withoutEmpty({ audio: withoutEmpty({ mixers: withoutEmpty(shown) }) }),
    kept: withoutEmpty({ audio: withoutEmpty({ channels: kept }) }),
  };
}

/** A mixer, as it is configured and as it is. */
interface Mixer {
  readonly configured: MixerConfiguration;
  readonly part: MixerChannels;
}

/** Faders that get another channel: their numbers, and which. */
type Moved = ReadonlyMap<number, number>;

function sourceOf({ configured, part }: Mixer, channel: number): Source | undefined {
  const place = configured.places.get(channel);
  return place === undefined ? undefined : part.sourcelist[place];
}

/** The labels that channels get; an empty one is the channel's default. */
function labelsOf(
  mixer: Mixer,
  moved: Moved,
  touched: readonly (readonly [fader: string, part: Patch])[],
  written: Readonly<Record<string, Patch>>,
): Map<number, string> {
  const labels = new Map<number, string>();
  for (const [fader, { label: changed }] of touched) {
    const before = mixer.part.faders[fader]!;
    const source = sourceOf(mixer, moved.get(Number(fader)) ?? before.sourceid);
    const given = written[fader]?.label;
    const isAsShown = typeof given === "string" && given.normalize("NFC") === before.label;
    const label = changed ?? (isAsShown ? before.label : undefined);
    if (label === undefined || source === undefined) continue;
    labels.set(source._sourceid, label === "" ? source._defaultlabel : label as string);
  }
  return labels;
}

/** What changes of the labels that the faders and the sources of a mixer show. */
function shownLabels(mixer: Mixer, moved: Moved, labels: ReadonlyMap<number, string>): Patch {
  const { configured, part } = mixer;
  const faders: Record<string, Patch> = {};
  const show = (fader: number, channel: number) => {
    const source = sourceOf(mixer, channel);
    const label = labels.get(channel) ?? source?._label ?? "";
    const after = { label, _defaultlabel: source?._defaultlabel ?? "" };
    faders[fader] = changedMembers(part.faders[fader]!, after);
  };
  for (const [fader, channel] of moved) show(fader, channel);
  for (const { id } of labels.size === 0 ? [] : configured.faders) {
    const { sourceid } = part.faders[id]!;
    if (labels.has(sourceid) && !moved.has(id)) show(id, sourceid);
  }
  const sourcelist: Record<string, Patch> = {};
  for (const [channel, label] of labels) {
    const place = configured.places.get(channel)!;
    sourcelist[place] = changedMembers(part.sourcelist[place]!, { _label: label });
  }
  return withoutEmpty({ faders: withoutEmpty(faders), sourcelist: withoutEmpty(sourcelist) });
}

/**
 * What the channels of a configuration and their labels come to in a tree that stored values were put
 * into: a fader keeps its configured channel where the stored one is not the mixer's any more.
 */
export function storedLabels(configuration: Configuration, tree: Branch, stored: Branch): Patch {
  const mixers = configuration.mixers.map(({ id: mixer, faders }) => {
    const part = mixerChannels(tree, mixer);
    const labels = new Map(
      faders.map(({ id, channel, label }) =>
        [channel, {
          label: storedLabel(stored, mixer, id, channel) ?? label,
          _defaultlabel: label,
        }] as const
      ),
    );
    const shown = faders.map(({ id, channel }) => {
      const before = part.faders[id]!;
      const known = before.sourceid === NO_CHANNEL || labels.has(before.sourceid);
      const sourceid = known ? before.sourceid : channel;
      const { label, _defaultlabel } = labels.get(sourceid) ?? { label: "", _defaultlabel: "" };
      return [id, changedMembers(before, { sourceid, label, _defaultlabel })] as const;
    });
    const sourcelist = part.sourcelist.map((source, position) =>
      [position, changedMembers(source, { _label: labels.get(source._sourceid)!.label })] as const
    );
    return [
      mixer,
      withoutEmpty({
        faders: withoutEmpty(Object.fromEntries(shown)),
        sourcelist: withoutEmpty(Object.fromEntries(sourcelist)),
      }),
    ] as const;
  });
  return withoutEmpty({
    audio: withoutEmpty({ mixers: withoutEmpty(Object.fromEntries(mixers)) }),
  });
}

/** Undefined for a channel that has the label of the configuration. */
function storedLabel(
  stored: Branch,
  mixer: number,
  fader: number,
  channel: number,
): string | undefined {
  const label = find(stored, ["audio", "channels", String(channel), "label"]) ??
    // Logs of 0.1 have it by the fader on which the configuration has the channel.
    find(stored, ["audio", "mixers", String(mixer), "faders", String(fader), "label"]);
  if (typeof label !== "string" || label === "") return undefined;
  return textFault(label, LABEL_LENGTH.max) === undefined ? label : undefined;
}

/** The members of `after` that are others in `before`. */
function changedMembers(before: object, after: Readonly<Record<string, string | number>>): Patch {
  const changed = Object.entries(after)
    .filter(([member, value]) => value !== (before as Record<string, unknown>)[member]);
  return Object.fromEntries(changed);
}

/** The same without members that are empty. */
function withoutEmpty(patch: Patch): Patch {
  const full = Object.entries(patch)
    .filter(([, value]) => !isBranch(value) || Object.keys(value).length > 0);
  return Object.fromEntries(full);
}
