/**
 * The items of an own page, in words.
 *
 * @module
 */
import { at } from "../../state/live.ts";
import { groupNames, titleOf } from "../mixer/groups/names.ts";
import { ownTexts } from "../../texts/own.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { textsOf } from "../../texts/texts.ts";
import type { Item, Unread } from "./own-page.ts";

/** Names an item by the name of its resource in the console; a missing resource by its number. */
export function itemText(item: Item | Unread): string {
  const { names, unreadShort } = textsOf(ownTexts);
  switch (item.kind) {
    case "unread":
      return unreadShort;
    case "strip":
      return names.strip(faderText(item.mixer, item.fader), mixerText(item.mixer));
    case "key": {
      const { mixer, fader, group, logic, key } = keyOf(item.path);
      if (logic !== undefined) return names.logic(nameAt(`/control/logics/${logic}`, logic));
      if (group !== undefined) {
        const muted = { mixer: mixer!, kind: "mutegroups", id: group } as const;
        return `${titleOf(groupNames(), muted)}, ${mixerText(mixer!)}`;
      }
      const member = mixerWords().members[key!];
      return names.fader(member, faderText(mixer!, fader!), mixerText(mixer!));
    }
    case "list":
      return names.list(nameAt(`/control/extlists/${item.list}`, item.list));
    case "meter":
      return names[item.of](nameAt(`/audio/${item.of}/${item.id}`, item.id));
    case "snapshot":
      return names.snapshot(item.name, mixerText(item.mixer));
    case "channelsnapshot": {
      const target = faderText(item.mixer, item.fader);
      return names.channelsnapshot(item.name, target, mixerText(item.mixer));
    }
    case "processingsnapshot":
      return names.processingsnapshot(
        item.name,
        nameAt(`/audio/flexprocessings/${item.fp}`, item.fp),
      );
    case "text":
      return names.text(item.text);
  }
}

function mixerText(mixer: number): string {
  return nameAt(`/audio/mixers/${mixer}`, mixer + 1);
}

/** Names a fader by its number, which counts from 1 on the page, and its label. */
export function faderText(mixer: number, fader: number): string {
  const label = at(`/audio/mixers/${mixer}/faders/${fader}/label`).value ?? "";
  return `${fader + 1} ${label}`.trim();
}

/** Names the resource at a path by its name, and by its number until the name is known. */
export function nameAt(path: string, number: number): string {
  return at(`${path}/_name` as string).value as string | undefined ?? `${number}`;
}

/** The object of a switch: a key of a fader, a mute group or a logic. */
export interface Key {
  readonly mixer?: number;
  readonly fader?: number;
  readonly group?: number;
  readonly logic?: number;
  readonly key?: "on" | "pfl1" | "pfl2";
}

/** Takes the path of a switch apart. */
export function keyOf(path: string): Key {
  const [, branch, , first, part, second, key] = path.split("/");
  if (branch === "control") return { logic: Number(first) };
  if (part === "mutegroups") return { mixer: Number(first), group: Number(second) };
  return { mixer: Number(first), fader: Number(second), key: key as NonNullable<Key["key"]> };
}
