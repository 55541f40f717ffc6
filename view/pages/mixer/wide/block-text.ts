/**
 * The names of blocks and of their members.
 *
 * @module
 */
import { mixerWords } from "../../../texts/mixer-words.ts";
import { textsOf } from "../../../texts/texts.ts";
import { wideTexts } from "../../../texts/wide.ts";

/** Names a block; a bus, `bus/2`, by its number. */
export function blockText(name: string): string {
  const { bus, blockNames } = textsOf(wideTexts);
  if (name.startsWith("bus/")) return bus(name.slice("bus/".length));
  const named: Readonly<Record<string, string>> = { ...mixerWords().blocks, ...blockNames };
  return named[name] ?? name;
}

/** Names a member of a block. */
export function memberText(name: string): string {
  const { memberNames } = textsOf(wideTexts);
  const named: Readonly<Record<string, string>> = { ...mixerWords().members, ...memberNames };
  return named[name] ?? name;
}
