/**
 * The labels of fader channels. A label belongs to a channel: every fader that carries it shows it, and
 * so does the mixer's `sourcelist`. The log keeps it by the channel, at `audio/channels/{id}/label`, and
 * "" for one that was put back to its default, so that a new default in the configuration shows through.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { LABEL_LENGTH } from "../limits.ts";
import type { State } from "../state.ts";
import { type Branch, isBranch, type Patch } from "../tree/patch.ts";
import { find } from "../tree/path.ts";
import { textFault } from "../tree/value.ts";
import { labelledFaders, mixerChannels, NO_CHANNEL, sourcesOf } from "./channels.ts";

/** A change of which the labels of faders are taken apart. */
export interface LabelChange {
  /** The change without labels of faders. */
  readonly rest: Patch;
  /** What faders and sources show then. */
  readonly shown: Patch;
  /** The labels of channels, as the log keeps them. */
  readonly kept: Patch;
}

/** What a change means for labels; undefined where it names no label and no channel of a fader. */
export function labelChange({ tree }: State, patch: Patch): LabelChange | undefined {
  const rest: Record<string, Patch> = {};
  const shown: Record<string, Patch> = {};
  const kept: Record<string, Patch> = {};
  for (const [mixer, labelled] of labelledFaders(patch)) {
    const part = mixerChannels(tree, mixer);
    const sources = sourcesOf(part);
    const changed = find(patch as unknown as Branch, [
      "audio",
      "mixers",
      mixer,
    ]) as unknown as Patch;
    const written = changed.faders as Readonly<Record<string, Patch>>;
    const channelOf = (fader: string) =>
      (written[fader]?.sourceid ?? part.faders[fader]!.sourceid) as number;
    const labels = new Map<number, string>();
    for (const [fader, { label }] of labelled) {
      const source = sources.get(channelOf(fader));
      if (label === undefined || source === undefined) continue;
      labels.set(source._sourceid, label === "" ? source._defaultlabel : label as string);
    }
    const faders = Object.entries(part.faders).map(([fader, before]) => {
      const source = sources.get(channelOf(fader));
      const label = labels.get(channelOf(fader)) ?? source?._label ?? "";
      const after = { label, _defaultlabel: source?._defaultlabel ?? "" };
      return [fader, difference(before, after)] as const;
    });
    const sourcelist = part.sourcelist.map((source, position) => {
      const label = labels.get(source._sourceid) ?? source._label;
      if (label !== source._label) {
        kept[source._sourceid] = { label: label === source._defaultlabel ? "" : label };
      }
      return [position, difference(source, { _label: label })] as const;
    });
    shown[mixer] = withoutEmpty({
      faders: withoutEmpty(Object.fromEntries(faders)),
      sourcelist: withoutEmpty(Object.fromEntries(sourcelist)),
    });
    const unlabelled = Object.entries(written).map(([fader, { label: _, ...rest }]) =>
      [fader, rest] as const
    );
    rest[mixer] = withoutEmpty({
      ...changed,
      faders: withoutEmpty(Object.fromEntries(unlabelled)),
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
      return [id, difference(before, { sourceid, label, _defaultlabel })] as const;
    });
    const sourcelist = part.sourcelist.map((source, position) =>
      [position, difference(source, { _label: labels.get(source._sourceid)!.label })] as const
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

/** The members of `after` that are others before. */
function difference(before: object, after: Readonly<Record<string, string | number>>): Patch {
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
