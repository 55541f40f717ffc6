/**
 * The RPC `setextlist` (service.md, "RPC methods").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { refuse } from "../errors.ts";
import { LIST_ENTRIES } from "../limits.ts";
import { absentList, changeList } from "./change.ts";
import type { ListEntry } from "./list.ts";
import { pageShown } from "./pages.ts";

/** The new contents of a list. */
export interface SetList {
  readonly list: number;
  readonly entries: readonly ListEntry[];
  /** The page to show, from 0; past the last one it is the last. Without it the page stays. */
  readonly select?: number | undefined;
}

/**
 * Fills a list, which need not be the caller's own: there is no owner. Buttons held down are let go,
 * for they are other buttons now. Refused: an absent list (6), over 1000 entries (11).
 */
export function setList(params: SetList): Command<SetList> {
  const { list, entries, select } = params;
  return changeList(list, params, ({ before, pageSize }) => {
    if (before === undefined) return absentList(list);
    if (entries.length > LIST_ENTRIES) {
      const sentence = `expected at most ${LIST_ENTRIES}, got ${entries.length}`;
      return refuse("limitReached", sentence, "entries");
    }
    const page = pageShown(entries, pageSize, select ?? before.page);
    return { ...before, entries, page, held: new Map() };
  });
}
