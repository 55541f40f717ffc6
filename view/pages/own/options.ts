/**
 * The items of each kind that the console has, for an own page.
 *
 * @module
 */
import { tryRead, tryRpc } from "../../state/live.ts";
import { groupNames, titleOf } from "../mixer/groups/names.ts";
import { readResources, type Target, targetsOf, TYPES } from "../snapshots/targets.ts";
import type { Item } from "./own-page.ts";

/** The kinds of items, by their common names. */
export const CHOICES = [
  "strip",
  "on",
  "pfl1",
  "pfl2",
  "mute",
  "logic",
  "list",
  "levels",
  "loudness",
  "snapshot",
  "channelsnapshot",
  "processingsnapshot",
  "text",
] as const;

/** A kind of item. */
export type Choice = typeof CHOICES[number];

/** An item that can be put on a page, and its name. */
export interface Option {
  readonly text: string;
  readonly item: Item;
}

/** A branch of the tree, as it was read in part. */
type Named = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const NAMES = { depth: 2, only: ["_name"] };
const LABELS = { depth: 4, only: ["label"] };
const MUTE_GROUPS = { depth: 1 };

/** Lists the items of a kind; none if the console refuses, for example without a license. */
export async function optionsOf(kind: Exclude<Choice, "text">): Promise<readonly Option[]> {
  switch (kind) {
    case "strip":
      return await faders((mixer, fader) => ({ kind: "strip", mixer, fader }));
    case "on":
    case "pfl1":
    case "pfl2":
      return await faders((mixer, fader) => ({
        kind: "key",
        path: `/audio/mixers/${mixer}/faders/${fader}/${kind}`,
      }));
    case "mute":
      return await inMixers(async (mixer) => {
        const path = `/audio/mixers/${mixer}/mutegroups`;
        const groups = Object.keys(await branch(path, MUTE_GROUPS)).map(Number);
        return groups.map((group) => ({
          text: titleOf(groupNames(), { mixer, kind: "mutegroups", id: group }),
          item: { kind: "key", path: `${path}/${group}` },
        }));
      });
    case "logic":
      return await named("/control/logics", (id) => ({
        kind: "key",
        path: `/control/logics/${id}/value`,
      }));
    case "list":
      return await named("/control/extlists", (list) => ({ kind: "list", list }));
    case "levels":
    case "loudness":
      return await named(`/audio/${kind}`, (id) => ({ kind: "meter", of: kind, id }));
    case "snapshot":
      return await inMixers(async (mixer) => {
        const list = await tryRpc("getsnapshotlist", { type: TYPES.mixer, mixer }).catch(() => []);
        return list.map(({ id, name }) => ({
          text: name,
          item: { kind: "snapshot", mixer, id, name, asks: true },
        }));
      });
    case "channelsnapshot":
      return (await snapshots(TYPES.channel)).map(({ id, name }) => ({
        text: name,
        item: { kind, mixer: 0, fader: 0, id, name, asks: true },
      }));
    case "processingsnapshot":
      return (await snapshots(TYPES.processing)).map(({ id, name }) => ({
        text: name,
        item: { kind, fp: 0, id, name, asks: true },
      }));
  }
}

/** Lists the targets of a chosen item; undefined if the kind has no target. */
export async function targetsFor(kind: Choice): Promise<readonly Target[] | undefined> {
  if (kind !== "channelsnapshot" && kind !== "processingsnapshot") return undefined;
  const resources = await readResources();
  const type = kind === "channelsnapshot" ? "channel" : "processing";
  return resources === undefined ? [] : targetsOf(type, resources);
}

async function snapshots(type: 1 | 3) {
  return await tryRpc("getsnapshotlist", { type, mixer: 0 }).catch(() => []);
}

async function faders(itemOf: (mixer: number, fader: number) => Item): Promise<Option[]> {
  const found = await branch("/audio/mixers", LABELS) as Named;
  return await inMixers((mixer) => {
    const labels = (found[mixer]?.faders ?? {}) as Named;
    return Object.entries(labels).map(([fader, { label }]) => ({
      text: `${Number(fader) + 1} ${label}`,
      item: itemOf(mixer, Number(fader)),
    }));
  });
}

async function inMixers(of: (mixer: number) => Option[] | Promise<Option[]>): Promise<Option[]> {
  const mixers = Object.entries(await branch("/audio/mixers", NAMES) as Named);
  const options: Option[] = [];
  for (const [id, { _name }] of mixers) {
    const prefix = mixers.length > 1 ? `${_name} · ` : "";
    const found = await of(Number(id));
    options.push(...found.map(({ text, item }) => ({ text: prefix + text, item })));
  }
  return options;
}

async function named(path: string, itemOf: (id: number) => Item): Promise<Option[]> {
  const found = await branch(path, NAMES) as Named;
  return Object.entries(found)
    .map(([id, { _name }]) => ({ text: String(_name), item: itemOf(Number(id)) }));
}

async function branch(path: string, extent: { depth: number; only?: string[] }): Promise<object> {
  return await tryRead(path, extent).catch(() => undefined) as object | undefined ?? {};
}
