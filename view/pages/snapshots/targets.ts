/**
 * The sources and targets of snapshots.
 *
 * @module
 */
import type { Audio, Fader, Mixer } from "../../../client/client.ts";
import type { Names } from "../../parts/difference.ts";
import { read } from "../../state/live.ts";
import { namedIn } from "../mixer/groups/document.ts";
import { groupNames, titleOf } from "../mixer/groups/names.ts";

/**
 * The types of snapshots, by their names in the address; their numbers are the numbers of the
 * protocol.
 */
export const TYPES = { mixer: 2, channel: 1, processing: 3 } as const;

/** The name of a type. */
export type TypeName = keyof typeof TYPES;

/** A mixer, a fader or a processing. */
export interface Target {
  readonly path: string;
  readonly name: string;
  /** The parameters of the calls. */
  readonly params: { readonly mixer?: number; readonly fader?: number; readonly fp?: number };
  /** Channels that its faders may carry. */
  readonly channels: readonly number[];
  readonly names: Names;
}

/** The sources and targets of snapshots. */
export type Resources = Pick<Audio, "mixers" | "flexprocessings">;

/** The part of all mixers that is read: of their faders it has only the labels. */
const MIXERS = { depth: 4, only: ["label"] };

const NAMES = { depth: 2, only: ["_name"] };

/** Reads the mixers and the processings of the console; undefined if it does not answer. */
export async function readResources(): Promise<Resources | undefined> {
  const mixers = await read("/audio/mixers", MIXERS);
  const flexprocessings = await read("/audio/flexprocessings", NAMES);
  return mixers && flexprocessings && { mixers, flexprocessings } as Resources;
}

/** All targets of a snapshot of a type, in order. */
export function targetsOf(
  type: TypeName,
  { mixers, flexprocessings }: Resources,
): Target[] {
  if (type === "processing") {
    return Object.entries(flexprocessings).map(([fp, { _name: name }]) => ({
      path: `/audio/flexprocessings/${fp}`,
      name,
      params: { fp: Number(fp) },
      channels: [],
      names: { faders: new Map(), channels: new Map() },
    }));
  }
  return Object.entries(mixers).flatMap(([id, given]: [string, Mixer]) => {
    const { _name: mixerName, sourcelist, faders } = given;
    const mixer = Number(id);
    const labels = Object.entries(faders)
      .map(([fader, { label }]: [string, Fader]) => [fader, label] as const);
    const common = {
      channels: sourcelist.map(({ _sourceid }) => _sourceid),
      names: {
        faders: new Map(labels),
        channels: new Map(sourcelist.map(({ _sourceid, _label }) => [_sourceid, _label])),
        muteGroups: muteGroupsOf(mixer),
      },
    };
    const path = `/audio/mixers/${id}`;
    if (type === "mixer") return [{ path, name: mixerName, params: { mixer }, ...common }];
    return labels.map(([fader, label]) => ({
      path: `${path}/faders/${fader}`,
      name: `${mixerName} · ${Number(fader) + 1} ${label}`,
      params: { mixer, fader: Number(fader) },
      channels: common.channels,
      names: { ...common.names, areOfFader: true },
    }));
  });
}

/** The names of the mute groups of a mixer, by their numbers. */
function muteGroupsOf(mixer: number): ReadonlyMap<number, string> {
  const document = groupNames();
  const kind = "mutegroups";
  const named = namedIn(document, { mixer, kind });
  return new Map(named.map((id) => [id, titleOf(document, { mixer, kind, id })]));
}
