/**
 * Who may use which external list.
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import type { Actor } from "../users/user.ts";
import { type ExternalList, licenseRefusal } from "./list.ts";

/** Who may use lists: a WebSocket connection (8), with the license (9), on a configured list (6). */
export function listAccess(
  { configuration }: State,
  { connection }: Actor,
  list: number,
): { readonly number: number } | Refusal {
  if (connection === undefined) {
    return refuse("webSocketOnly", "external lists are for WebSocket connections only");
  }
  const unlicensed = licenseRefusal(configuration);
  if (unlicensed !== undefined) return unlicensed;
  return configuration.lists.some((candidate) => candidate.id === list)
    ? { number: connection }
    : refuse("noSuchObject", `no list ${list} is configured`, "list");
}

/** The list, or its refusal (6) when nobody is subscribed to it. */
export function existingList({ lists }: State, list: number): ExternalList | Refusal {
  return lists.get(list) ??
    refuse("noSuchObject", `nobody has registered list ${list}, so it does not exist`, "list");
}
