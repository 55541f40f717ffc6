/**
 * Carries out the RPC `setextlist` (service.md, "RPC methods").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { refuse } from "../errors.ts";
import { LIST_ENTRIES } from "../limits.ts";
import { absentList, changeList } from "./change.ts";
import type { ListEntry } from "./list.ts";
import { pageShown } from "./pages.ts";

/** The new content of a list. */
export interface SetList {
  readonly list: number;
  readonly entries: readonly ListEntry[];
  /** The page to show, from 0, clamped to the last page. Without it the page stays. */
  readonly select?: number | undefined;
}

/**
 * Fills a list. Any client may do so, because lists have no owner. Buttons that are held down are
 * released, because they are replaced. Refused: a list that does not exist (6), more than 1000
 * entries (11).
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
