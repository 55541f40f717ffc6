/**
 * The updates of a hub's own control API: each subscriber gets the part of a change that its user
 * may see.
 *
 * @module
 */
import { type Branch, type Patch, patchBelow, type Path } from "../../core/tree/tree.ts";
import { SERVICE_RESTART } from "../../transport/websocket/close-codes.ts";
import { type SendBuffer, updateOf } from "../../transport/websocket/send-buffer.ts";
import type { AllSubscriptions } from "../../transport/websocket/subscriptions.ts";
import type { BatchChange } from "../batches/kept-batches.ts";
import { type Person, seesAll } from "../hub/rights.ts";
import type { TreeChange } from "./fleet-tree.ts";
import { seenChange } from "./seen.ts";
import { sitesChange } from "./sites.ts";

/** A socket that may have subscriptions. */
export interface Subscriber {
  readonly sendBuffer: SendBuffer;
  mayHear(): boolean;
  /** Returns the logged-in user with the present rights; undefined if nobody is logged in. */
  user(): Person | undefined;
  close(code: number, reason: string): void;
}

/**
 * Sends a change of the tree to its subscribers. Closes those for whom an update cannot express it:
 * a console that they see has fewer values than before, or has come to another site.
 */
export function publishTree(
  subscriptions: AllSubscriptions<Subscriber>,
  change: TreeChange,
): void {
  const { patch, recounted } = change;
  publishSeen(subscriptions, patch, (user) => seenChange(user, change));
  if (recounted !== undefined) {
    publishSeen(subscriptions, recounted.touched, (user) => sitesChange(recounted, user));
  }
  const { rewritten, moved, sites } = change;
  for (const { subscriber, path } of touched(subscriptions, rewritten)) {
    if (!sees(subscriber.user(), rewritten!, sites, path)) continue;
    subscriber.close(SERVICE_RESTART, "a console has fewer values than before");
  }
  const sitesBefore = new Map(
    Object.entries((moved?.consoles ?? {}) as Record<string, Branch>)
      .map(([id, { _site }]) => [id, _site as string]),
  );
  for (const { subscriber, path } of touched(subscriptions, moved)) {
    const user = subscriber.user();
    if (user === undefined || seesAll(user)) continue;
    // A console that moves must disconnect only users who saw it before or see it now.
    const isSeen = sees(user, moved!, sitesBefore, path) || sees(user, moved!, sites, path);
    if (isSeen) subscriber.close(SERVICE_RESTART, "a console is at another site");
  }
}

/** Sends a change of a batch to those of its subscribers to whose users `isShown` shows it. */
export function publishBatches(
  subscriptions: AllSubscriptions<Subscriber>,
  change: BatchChange,
  isShown: (user: Person | undefined) => boolean,
): void {
  const texts = new Map<string, ReturnType<typeof updateOf>>();
  for (const { subscriber, path, text } of subscriptions.touchedBy(change.patch)) {
    if (!subscriber.mayHear() || !isShown(subscriber.user())) continue;
    let update = texts.get(text);
    if (update === undefined) {
      texts.set(text, update = updateOf(text, patchBelow(change.patch, path)!));
    }
    subscriber.sendBuffer.update(update);
  }
}

/** Sends the subscribers of a patch the part of it that each of them sees. */
function publishSeen(
  subscriptions: AllSubscriptions<Subscriber>,
  all: Patch,
  seenBy: (user: Person | undefined) => Patch | undefined,
): void {
  const parts = new Map<string, Patch | undefined>();
  const texts = new Map<string, ReturnType<typeof updateOf>>();
  for (const { subscriber, path, text } of subscriptions.touchedBy(all)) {
    if (!subscriber.mayHear()) continue;
    const user = subscriber.user();
    const who = user === undefined || seesAll(user) ? "" : user.name;
    if (!parts.has(who)) parts.set(who, seenBy(user));
    // The name of a user has no blank.
    const key = `${who} ${text}`;
    let update = texts.get(key);
    if (update === undefined) {
      const seen = parts.get(who);
      const patch = seen && patchBelow(seen, path);
      if (patch === undefined) continue;
      texts.set(key, update = updateOf(text, patch));
    }
    subscriber.sendBuffer.update(update);
  }
}

function touched(subscriptions: AllSubscriptions<Subscriber>, patch: Patch | undefined) {
  return patch === undefined ? [] : subscriptions.touchedBy(patch);
}

/** Says whether a user sees, below a path, any console of a patch, with these at their sites. */
function sees(
  user: Person | undefined,
  patch: Patch,
  sites: TreeChange["sites"],
  path: Path,
): boolean {
  const seen = seenChange(user, { patch, sites });
  return seen !== undefined && patchBelow(seen, path) !== undefined;
}
