/**
 * Labels of fader channels: the RPC `setchannellabel` (service.md, "RPC methods").
 *
 * @module
 */
import type { Command } from "../console.ts";
import { isRefusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import { treeChanged } from "../tree/change.ts";
import type { Patch } from "../tree/patch.ts";
import { write } from "../tree/write.ts";

/** Where the fader of a channel is. */
export interface ChannelAddress {
  readonly mixer: number;
  readonly fader: number;
}

/** The fader of a fader channel ID, which is unique in the device; undefined for none. */
export function findChannel({ configuration }: State, channel: number): ChannelAddress | undefined {
  for (const mixer of configuration.mixers) {
    const fader = mixer.faders.find((candidate) => candidate.channel === channel);
    if (fader !== undefined) return { mixer: mixer.id, fader: fader.id };
  }
}

/** The label shown, and where. */
export interface ChannelLabel {
  readonly label: string;
  readonly mixer: number;
  readonly sourceid: number;
}

/**
 * Labels a fader channel; a blank label puts the configured one back. It is the same as setting
 * `label` of that fader in the control tree. Refused: a channel that no fader has (6), a label over
 * 128 characters or with control characters (3).
 */
export function setChannelLabel(sourceid: number, label: string): Command<ChannelLabel> {
  return (state) => {
    const address = findChannel(state, sourceid);
    if (address === undefined) {
      return refuse("noSuchObject", `there is no fader channel ${sourceid}`);
    }
    const { mixer, fader } = address;
    const path = ["audio", "mixers", String(mixer), "faders", String(fader)];
    const written = write(state.tree, state.ranges, path, { label });
    if (isRefusal(written)) return written;
    const { patch, inForce } = written;
    return {
      events: patch === undefined ? [] : [treeChanged(state, patch)],
      result: { label: (inForce as Patch).label as string, mixer, sourceid },
    };
  };
}
