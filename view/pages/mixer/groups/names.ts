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

/** The document `groups`. */
export function groupNames(): unknown {
  return viewDocument("groups").value?.document;
}

/** The text for a group without a name. */
export function numberOf({ kind, id }: Group): string {
  return kind === "vcagroups" ? mixerWords().vca(id) : textsOf(groupsTexts).muteGroup(id + 1);
}

/** The text for a group, by the document `groups`. */
export function titleOf(document: unknown, group: Group): string {
  return nameIn(document, group) ?? numberOf(group);
}

/**
 * The sentence that names the mute group that silences a strip; undefined if the group has no name.
 */
export function mutedBy(mixer: number, id: number): string | undefined {
  const name = nameOf({ mixer, kind: "mutegroups", id });
  return name && textsOf(groupsTexts).mutedBy(name);
}

/** The name of a group, if it has one. */
export function nameOf(group: Group): string | undefined {
  return nameIn(groupNames(), group);
}
