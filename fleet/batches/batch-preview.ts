/**
 * The preview of a batch: the values that it would change on a console.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import { isBranch, type Tree } from "../../core/tree/tree.ts";
import type { Planned } from "./batch-order.ts";
import type { CommandPreview } from "../commands/command.ts";
import { PREVIEW_BYTES, PREVIEW_VALUES } from "../hub/hub-limits.ts";
import type { ConsoleId } from "../wire.ts";

/** A value that would change. */
export interface PreviewedChange {
  readonly path: string;
  /** Null where there is none. */
  readonly before: Json;
  readonly after: Json;
}

/** The changes that a batch would make on a console. */
export interface BatchPreview {
  readonly console: ConsoleId;
  readonly name: string;
  readonly site: string;
  readonly changes: readonly PreviewedChange[];
  /** Number of further values that would change. */
  readonly more: number;
  /** The reason for which it would be refused. */
  readonly refused?: string;
  /** The reason for which there is no preview; the request may be carried out nevertheless. */
  readonly noPreview?: string;
}

/**
 * Maximum number of changes in the preview of one console, and of bytes of these changes as JSON.
 */
export interface PreviewPart {
  readonly values: number;
  readonly bytes: number;
}

/** Returns the share of each console in the preview of a number of consoles. */
export function previewPart(consoles: number): PreviewPart {
  return {
    values: Math.max(PREVIEW_VALUES.each, Math.floor(PREVIEW_VALUES.all / consoles)),
    bytes: Math.floor(PREVIEW_BYTES / consoles),
  };
}

const encoder = new TextEncoder();

/** Returns the preview of a console; changes beyond its share are only counted. */
export function previewOf(
  planned: Planned,
  said: CommandPreview | undefined,
  part: PreviewPart,
): BatchPreview {
  const { id, summary: { name, site } } = planned.console;
  const changes: PreviewedChange[] = [];
  let count = 0;
  let left = part.bytes;
  for (const change of changesIn(said)) {
    count++;
    if (changes.length === part.values) continue;
    const { length } = encoder.encode(JSON.stringify(change));
    if (length > left) continue;
    left -= length;
    changes.push(change);
  }
  const more = count - changes.length + (said?.more ?? 0);
  return { console: id, name, site, changes, more, ...whyNot(planned, said) };
}

function whyNot(
  planned: Planned,
  said: CommandPreview | undefined,
): Pick<BatchPreview, "refused" | "noPreview"> {
  if ("refused" in planned) return { refused: planned.refused.message };
  if (said === undefined) return { noPreview: "the console did not answer" };
  const { refused, noPreview } = said;
  if (refused !== undefined) return { refused };
  return noPreview === undefined ? {} : { noPreview };
}

/** Yields the changes of a preview, first those outside the control tree, which are few. */
function* changesIn(said: CommandPreview | undefined): Generator<PreviewedChange> {
  for (const { path, before, after } of said?.changes ?? []) {
    yield { path, before: (before ?? null) as Json, after: (after ?? null) as Json };
  }
  yield* changesOf(said?.before, said?.after, "");
}

/** Yields the values of two patches that differ. */
function* changesOf(
  before: Tree | undefined,
  after: Tree | undefined,
  path: string,
): Generator<PreviewedChange> {
  if (!isBranch(before) && !isBranch(after)) {
    if (before === undefined && after === undefined) return;
    const [was, is] = [before ?? null, after ?? null] as readonly Json[];
    yield { path, before: was!, after: is! };
    return;
  }
  const [old, now] = [isBranch(before) ? before : {}, isBranch(after) ? after : {}];
  for (const member of new Set([...Object.keys(old), ...Object.keys(now)])) {
    yield* changesOf(old[member], now[member], `${path}/${member}`);
  }
}
