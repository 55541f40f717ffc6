/**
 * The names of groups, as the console keeps them for all.
 *
 * @module
 */
import { viewDocument } from "../../../state/view-document.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { textsOf } from "../../../texts/texts.ts";
import { groupsTexts } from "../../../texts/groups.ts";
import { type Group, nameIn } from "./document.ts";

/** The document `groups`, as somebody has written it. */
export function groupNames(): unknown {
  return viewDocument("groups").value?.document;
}

/** What a group is called where it has no name. */
export function numberOf({ kind, id }: Group): string {
  return kind === "vcagroups" ? mixerWords().vca(id) : textsOf(groupsTexts).muteGroup(id + 1);
}

/** What a group is called, by the document `groups`. */
export function titleOf(document: unknown, group: Group): string {
  return nameIn(document, group) ?? numberOf(group);
}

/** Says which mute group silences a strip; undefined where nobody has named it. */
export function mutedBy(mixer: number, id: number): string | undefined {
  const name = nameOf({ mixer, kind: "mutegroups", id });
  return name && textsOf(groupsTexts).mutedBy(name);
}

/** The name of a group, if somebody has named it. */
export function nameOf(group: Group): string | undefined {
  return nameIn(groupNames(), group);
}
