/**
 * Fader channels are carried by faders (decisions.md, "Identity and numbers"): `sourceid` of a
 * fader says which channel it carries, and may be any channel of the mixer's `sourcelist`, or 0.
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import type { FaderAddress } from "../tree/resources.ts";
import { type Branch, find, formatPath, isBranch, type Patch, type Tree } from "../tree/tree.ts";

/** A fader that carries no channel has this `sourceid`. */
export const NO_CHANNEL = 0;

/** Describes the part of a mixer's branch that channels need: its faders, and its sources. */
export interface MixerChannels {
  readonly faders: Readonly<Record<string, FaderChannel>>;
  readonly sourcelist: readonly Source[];
}

/** Describes the part of a fader's branch that says which channel it carries, and its labels. */
export interface FaderChannel {
  readonly sourceid: number;
  readonly label: string;
  readonly _defaultlabel: string;
}

/** A mixer has its channels as the items of its `sourcelist`. */
export interface Source {
  readonly _sourceid: number;
  readonly _label: string;
  readonly _defaultlabel: string;
}

/** Returns the faders and the sources of a mixer that exists. */
export function mixerChannels(tree: Branch, mixer: number | string): MixerChannels {
  return find(tree, ["audio", "mixers", String(mixer)]) as unknown as MixerChannels;
}

/** Says whether faders of a mixer may carry a channel: a channel of its `sourcelist`, or 0. */
function hasChannel({ configuration }: State, mixer: string, channel: unknown): boolean {
  if (channel === NO_CHANNEL) return true;
  const configured = configuration.mixers.find(({ id }) => String(id) === mixer);
  return configured !== undefined && configured.places.has(channel as number);
}

/** Finds the first fader that carries a channel; refuses (6) a channel that no fader carries. */
export function findChannel(
  { configuration, tree }: State,
  sourceid: number,
): FaderAddress | Refusal {
  for (const { id: mixer, faders } of sourceid === NO_CHANNEL ? [] : configuration.mixers) {
    const parts = mixerChannels(tree, mixer).faders;
    const fader = faders.find(({ id }) => parts[id]!.sourceid === sourceid);
    if (fader !== undefined) return { mixer, fader: fader.id };
  }
  return refuse("noSuchObject", `there is no fader that carries channel ${sourceid}`, "sourceid");
}

/**
 * The faders that get a label or another channel: for each mixer, their numbers and their changes.
 */
export type LabelledFaders = ReadonlyMap<string, readonly (readonly [string, Patch])[]>;

/** Finds the faders of a patch that get a label or another channel. */
export function labelledFaders({ audio }: Patch): LabelledFaders {
  const { mixers = {} } = (audio ?? {}) as Readonly<Record<string, Patch>>;
  const labelled = new Map<string, [string, Patch][]>();
  for (const [mixer, part] of Object.entries(mixers) as [string, Patch][]) {
    const ofMixer = Object.entries((part.faders ?? {}) as Readonly<Record<string, Patch>>)
      .filter(([, { label, sourceid }]) => label !== undefined || sourceid !== undefined);
    if (ofMixer.length > 0) labelled.set(mixer, ofMixer);
  }
  return labelled;
}

/** Returns the faders of a mixer that a patch names. */
export function fadersIn(patch: Patch, mixer: string): Readonly<Record<string, Patch>> {
  const faders = find(patch as unknown as Branch, ["audio", "mixers", mixer, "faders"]);
  return (faders ?? {}) as unknown as Readonly<Record<string, Patch>>;
}

/**
 * Refuses (3) a write that puts a channel on a fader that is not in the `sourcelist` of its mixer,
 * or that labels a fader without a channel. `written` is the written content, nested from the root:
 * it also has labels that the patch leaves out because the faders show them already.
 */
export function channelRefusal(
  state: State,
  labelled: LabelledFaders,
  written: Patch,
): Refusal | undefined {
  for (const [mixer, faders] of labelled) {
    const part = mixerChannels(state.tree, mixer);
    const named = fadersIn(written, mixer);
    for (const [fader, { sourceid = part.faders[fader]!.sourceid }] of faders) {
      const path = formatPath(["audio", "mixers", mixer, "faders", fader]);
      const label = named[fader]?.label ?? "";
      if (sourceid === NO_CHANNEL && label !== "") {
        return refuse("invalidParameter", `${path}/label: the fader carries no channel to label`);
      }
      if (hasChannel(state, mixer, sourceid)) continue;
      const expected = `${NO_CHANNEL} or a channel of the mixer's sourcelist`;
      return refuse("invalidParameter", `${path}/sourceid: expected ${expected}, got ${sourceid}`);
    }
  }
}

/**
 * Returns the content of a channel's or a mixer's snapshot without the channels that the mixer does
 * not have, and without their labels.
 */
export function withOwnChannels(state: State, mixer: string, content: Branch): Branch {
  const ofFader = (fader: Tree): Tree => {
    if (!isBranch(fader) || fader.sourceid === undefined) return fader;
    const { sourceid, label: _, ...rest } = fader;
    return hasChannel(state, mixer, sourceid) ? fader : rest;
  };
  // A forged snapshot of a channel may have faders, too.
  const own = ofFader(content) as Branch;
  if (!isBranch(own.faders)) return own;
  const faders = Object.entries(own.faders).map(([id, fader]) => [id, ofFader(fader)] as const);
  return { ...own, faders: Object.fromEntries(faders) };
}
