/**
 * The content of the view documents `groups` and `strips`, as far as this page knows it. Other
 * programs write them too: a member without the expected form counts as missing, and other members
 * stay when a member is written.
 *
 * @module
 */
import { GROUP_NAME_LENGTH } from "../../../../core/limits.ts";

/** A group of faders of a mixer. */
export interface Group {
  readonly mixer: number;
  readonly kind: "mutegroups" | "vcagroups";
  /** Its number in the control tree: mute groups may begin at 0, VCA groups begin at 1. */
  readonly id: number;
}

/** An object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** The colours of channels. */
export const COLOURS = [
  "red",
  "orange",
  "yellow",
  "green",
  "teal",
  "blue",
  "violet",
  "pink",
] as const;

/** The name of a colour. */
export type Colour = typeof COLOURS[number];

/** The mark of a channel. */
export interface Look {
  readonly colour?: Colour;
  /** The name of a sign, which this page may not know. */
  readonly icon?: string;
}

/** Returns the name of a group in the document `groups`; undefined if it has none. */
export function nameIn(document: unknown, { mixer, kind, id }: Group): string | undefined {
  const group = memberAt(document, ["mixers", String(mixer), kind, String(id)]);
  const name = memberAt(group, ["name"]);
  if (typeof name !== "string") return undefined;
  return clean(name) || undefined;
}

/** Returns the ids of the groups of a kind that have a name, ascending. */
export function namedIn(document: unknown, { mixer, kind }: Omit<Group, "id">): number[] {
  const groups = memberAt(document, ["mixers", String(mixer), kind]);
  return (isMembers(groups) ? Object.keys(groups) : []).filter((id) => /^\d{1,5}$/.test(id))
    .map(Number).filter((id) => nameIn(document, { mixer, kind, id }) !== undefined)
    .sort((one, other) => one - other);
}

/** Returns the document with another name of a group; a blank name removes it. */
export function withName(document: unknown, { mixer, kind, id }: Group, name: string): Members {
  return withMember(document, ["mixers", String(mixer), kind, String(id), "name"], clean(name));
}

/** Returns the mark of a channel in the document `strips`. */
export function lookIn(document: unknown, channel: number): Look {
  const { colour, icon } = membersOf(memberAt(document, ["channels", String(channel)]));
  const known = COLOURS.find((one) => one === colour);
  return {
    ...known !== undefined && { colour: known },
    ...typeof icon === "string" && icon !== "" && { icon },
  };
}

/** Returns the document with another mark of a channel; an empty text removes it. */
export function withLook(
  document: unknown,
  channel: number,
  member: keyof Look,
  value: string,
): Members {
  return withMember(document, ["channels", String(channel), member], value);
}

/**
 * Removes characters that are invisible, or that would turn the direction of the text beside them;
 * cuts to the maximum length of a name.
 */
function clean(name: string): string {
  const seen = name.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, " ").replaceAll(/\s+/g, " ").trim();
  return [...seen].slice(0, GROUP_NAME_LENGTH).join("");
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (above, member) => isMembers(above) && Object.hasOwn(above, member) ? above[member] : undefined,
    value,
  );
}

/**
 * A copy with another text at a path; an empty text removes the member, and the branches that it
 * leaves empty.
 */
function withMember(value: unknown, path: readonly string[], text: string): Members {
  const [member, ...rest] = path as [string, ...string[]];
  const { [member]: before, ...others } = membersOf(value);
  if (rest.length === 0) return text === "" ? others : { ...others, [member]: text };
  const below = withMember(before, rest, text);
  return Object.keys(below).length === 0 ? others : { ...others, [member]: below };
}
