/**
 * Finds the fader that carries a channel: consumers know channels, the control tree has faders.
 *
 * @module
 */
import { mixerChannels, NO_CHANNEL } from "../../core/labels/channels.ts";
import type { State } from "../../core/state.ts";
import { type FaderAddress, faderPath } from "../../core/tree/resources.ts";
import type { Path } from "../../core/tree/tree.ts";

/** The faders that carry the channels of a console. */
export interface Carriers {
  /** Returns the path of the first fader that carries a channel; undefined if no fader does. */
  pathOf(channel: number): Path | undefined;
  /** Returns the channel whose first carrier is the fader at a path; undefined if there is none. */
  channelOf(path: Path): number | undefined;
  /** Forgets the carriers that were found, because faders carry other channels than before. */
  forget(): void;
}

/** Makes the carriers of the state in force; they are found when somebody asks. */
export function createCarriers(state: () => State): Carriers {
  let ofChannel: Map<number, Path> | undefined;
  let channels = new Map<string, number>();

  function find(): Map<number, Path> {
    const { configuration, tree } = state();
    const found = new Map<number, Path>();
    channels = new Map();
    for (const { id: mixer, faders } of configuration.mixers) {
      const parts = mixerChannels(tree, mixer).faders;
      for (const { id: fader } of faders) {
        const { sourceid } = parts[fader]!;
        if (sourceid === NO_CHANNEL || found.has(sourceid)) continue;
        const path = faderPath({ mixer, fader } satisfies FaderAddress);
        found.set(sourceid, path);
        channels.set(path.join("/"), sourceid);
      }
    }
    return found;
  }

  const known = () => ofChannel ??= find();
  return {
    pathOf: (channel) => known().get(channel),
    channelOf(path) {
      known();
      return channels.get(path.join("/"));
    },
    forget() {
      ofChannel = undefined;
    },
  };
}
