/**
 * The paths that a client of a console is subscribed to, from the answers that a hub passes on. An
 * update names no path: it is merged with others while the client lags, and these have to be of the
 * same subscription, because a client takes an update for one of its own (decisions.md, "Control
 * tree").
 *
 * @module
 */
import { objectIn } from "../../core/json.ts";
import { SUBSCRIPTIONS } from "../../core/limits.ts";
import { formatPath, isBranch, parsePath, type Patch } from "../../core/tree/tree.ts";
import { SESSIONS_PER_CLIENT } from "./hub-limits.ts";

/** The subscribed paths of one client. */
export interface SubscribedPaths {
  /** Takes an answer of the console; returns the paths whose updates nobody waits for any more. */
  takeAnswer(text: string): readonly string[];
  /**
   * Returns the outermost subscribed path at or above all values of an update; "" if there is none.
   * So two updates with a value in common have one path.
   */
  pathOf(patch: Patch): string;
}

/** Maximum number of characters of an answer that is parsed: it has a path, and a `msgID`. */
const ANSWER_CHARACTERS = 8192;

/** Maximum number of paths: a console takes fewer on the sessions of one client. */
const PATHS = SESSIONS_PER_CLIENT * SUBSCRIPTIONS;

/** Makes the subscribed paths of a client, none at first. */
export function createSubscribedPaths(): SubscribedPaths {
  /**
   * Each path, and whether it is still subscribed. An ended subscription stays while there is one
   * below it, because its pending update may have the last values of that one.
   */
  const paths = new Map<string, boolean>();

  function isNeeded(path: string): boolean {
    return paths.entries().some(([other, isSubscribed]) =>
      isSubscribed && isAtOrBelow(other, path)
    );
  }

  function end(path: string): readonly string[] {
    if (!paths.has(path)) return [];
    paths.set(path, false);
    const ended = [...paths.keys()].filter((one) => isAtOrBelow(path, one) && !isNeeded(one));
    for (const one of ended) paths.delete(one);
    return ended;
  }

  return {
    takeAnswer(text) {
      if (text.length > ANSWER_CHARACTERS || !text.includes('subscribe"')) return [];
      const { method, path, success } = objectIn(text) ?? {};
      if (success !== true || typeof path !== "string") return [];
      const own = formatPath(parsePath(path));
      if (method === "unsubscribe") return end(own);
      if (method === "subscribe" && (paths.has(own) || paths.size < PATHS)) paths.set(own, true);
      return [];
    },
    pathOf(patch) {
      if (paths.has("/")) return "/";
      let path = "";
      let value: Patch[string] = patch;
      while (isBranch(value)) {
        const members: readonly string[] = Object.keys(value);
        if (members.length !== 1) return "";
        path += `/${members[0]}`;
        if (paths.has(path)) return path;
        value = value[members[0]!]!;
      }
      return "";
    },
  };
}

function isAtOrBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(above === "/" ? above : `${above}/`);
}
