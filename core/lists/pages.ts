/**
 * The pages in which an external list is shown (decisions.md, "RPC").
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { type ExternalList, licenseRefusal, type ListEntry, type Lists } from "./list.ts";

/**
 * Returns the page of each entry, from 0: a page ends after `pageSize` entries, and after each
 * entry with `pagination`.
 */
export function pagesOf(entries: readonly ListEntry[], pageSize: number): number[] {
  let page = 0;
  let onPage = 0;
  return entries.map(({ pagination }) => {
    const own = page;
    onPage++;
    if (pagination === true || onPage >= pageSize) {
      page++;
      onPage = 0;
    }
    return own;
  });
}

/** Clamps a requested page to the last page of a list. */
export function pageShown(entries: readonly ListEntry[], pageSize: number, page: number): number {
  return Math.min(page, pagesOf(entries, pageSize).at(-1) ?? 0);
}

/**
 * Returns the lists that exist in a configuration, with their current page clamped to the last one.
 */
export function listsUnder(configuration: Configuration, lists: Lists): Lists {
  const left = new Map<number, ExternalList>();
  if (licenseRefusal(configuration) !== undefined) return left;
  for (const { id, pageSize } of configuration.lists) {
    const list = lists.get(id);
    if (list === undefined) continue;
    left.set(id, { ...list, page: pageShown(list.entries, pageSize, list.page) });
  }
  return left;
}
