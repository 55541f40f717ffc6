/**
 * Carries out `setchannellabel`, which labels fader channels, by RPC and by REST (service.md).
 *
 * @module
 */
import type { Command } from "../command.ts";
import { isRefusal } from "../errors.ts";
import { faderPath } from "../tree/resources.ts";
import { writeChange } from "../tree/set.ts";
import { findChannel } from "./channels.ts";

/** The label in force after the change, with its channel and the mixer. */
export interface ChannelLabel {
  readonly label: string;
  readonly mixer: number;
  readonly sourceid: number;
}

/**
 * Labels a fader channel, on every fader that carries it; a blank label restores the configured
 * one. It does the same as setting `label` of such a fader in the control tree. Refused: a channel
 * that no fader carries (6), a label over 128 characters or with control characters (3).
 */
export function setChannelLabel(sourceid: number, label: string): Command<ChannelLabel> {
  return (state) => {
    const address = findChannel(state, sourceid);
    if (isRefusal(address)) return address;
    const written = writeChange(state, [...faderPath(address), "label"], label);
    if (isRefusal(written)) return written;
    const { events, inForce } = written;
    return { events, result: { label: inForce as string, mixer: address.mixer, sourceid } };
  };
}
