/**
 * What one connection is subscribed to: a path covers all below it, and a change comes once however
 * many subscriptions cover it.
 *
 * @module
 */
import { type Refusal, refuse } from "../core/errors.ts";
import { SUBSCRIPTIONS } from "../core/limits.ts";
import { combine, type Patch } from "../core/tree/patch.ts";
import { formatPath, patchBelow, type Path } from "../core/tree/path.ts";

/** The subscriptions of one connection. */
export interface Subscriptions {
  /** Refused (11) past the number of subscriptions that a connection may have. */
  add(path: Path): Refusal | undefined;
  remove(path: Path): void;
  /** The same for connections that are sent the same. */
  readonly key: string;
  /** The part of a patch that is subscribed to; undefined for none. */
  select(patch: Patch): Patch | undefined;
}

/** No subscriptions yet. */
export function createSubscriptions(): Subscriptions {
  const paths = new Map<string, Path>();
  let cover: { readonly key: string; readonly paths: readonly Path[] } = { key: "", paths: [] };

  function recover(): void {
    const covering = [...paths].filter(([, path]) => !coveredByParent(path));
    cover = {
      key: covering.map(([text]) => text).sort().join("\n"),
      paths: covering.map(([, path]) => path),
    };
  }

  function coveredByParent(path: Path): boolean {
    return path.some((_, length) => paths.has(formatPath(path.slice(0, length))));
  }

  return {
    add(path) {
      const text = formatPath(path);
      if (paths.has(text)) return;
      if (paths.size >= SUBSCRIPTIONS) {
        return refuse("limitReached", `path: expected at most ${SUBSCRIPTIONS} subscriptions`);
      }
      paths.set(text, path);
      recover();
    },
    remove(path) {
      if (paths.delete(formatPath(path))) recover();
    },
    get key() {
      return cover.key;
    },
    select(patch) {
      let selected: Patch | undefined;
      for (const path of cover.paths) {
        const part = patchBelow(patch, path);
        if (part !== undefined) selected = selected === undefined ? part : combine(selected, part);
      }
      return selected;
    },
  };
}
