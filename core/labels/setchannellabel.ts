/**
 * Labels of fader channels: `setchannellabel`, by RPC and by REST (service.md).
 *
 * @module
 */
import type { Command } from "../console.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import { writeLabel } from "./label.ts";

/** Where the fader of a channel is. */
export interface ChannelAddress {
  readonly mixer: number;
  readonly fader: number;
}

/** The fader of a fader channel ID, which is unique in the device; refused (6) for none. */
export function findChannel({ configuration }: State, sourceid: number): ChannelAddress | Refusal {
  for (const mixer of configuration.mixers) {
    const fader = mixer.faders.find(({ channel }) => channel === sourceid);
    if (fader !== undefined) return { mixer: mixer.id, fader: fader.id };
  }
  return refuse("noSuchObject", `there is no fader channel ${sourceid}`, "sourceid");
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
    if (isRefusal(address)) return address;
    const { mixer, fader } = address;
    const path = ["audio", "mixers", String(mixer), "faders", String(fader)];
    const written = writeLabel(state, path, label);
    if (isRefusal(written)) return written;
    return { events: written.events, result: { label: written.label, mixer, sourceid } };
  };
}
