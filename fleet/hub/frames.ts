/**
 * Reads the frames of a console. A console is not trusted: every frame that is not in the protocol
 * is refused.
 *
 * @module
 */
import * as v from "valibot";
import { type Json, jsonExcess } from "../../core/json.ts";
import { AUDIT_CHANGES, PATH_CHARACTERS } from "../../core/limits.ts";
import { MAY } from "../../core/users/user.ts";
import { sentenceOf } from "./console-state.ts";
import {
  type Enrolment,
  FLEET_ID,
  type FromConsole,
  TOLD_CHARACTERS,
  TOLD_LINES,
  TOLD_TEXT,
  WHY_CHARACTERS,
} from "../wire.ts";

/** Maximum number of values in a frame. */
const FRAME_VALUES = 50_000;

/** Maximum number of levels of a tree. */
const TREE_DEPTH = 24;

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const sentence = v.pipe(text(WHY_CHARACTERS), v.transform(sentenceOf));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const time = v.pipe(v.number(), v.finite());
const consoleId = v.pipe(v.string(), v.regex(FLEET_ID));
const may = v.picklist([...MAY, "admin"] as const);
const digests = v.record(text(64), text(128));
const alarms = v.pipe(v.array(text(500)), v.maxLength(32));
const tree = v.custom<Record<string, never>>((value) => isBranch(value, TREE_DEPTH));

/** Any value: the frame was limited in depth and values before it was parsed. */
const json = v.custom<Json>(() => true);

/** A value that would change; `before` or `after` is absent where there is no value. */
const change = v.object({
  path: text(PATH_CHARACTERS),
  before: v.optional(json),
  after: v.optional(json),
});

const tells = v.optional(v.literal(true));
const summary = { name: text(128), site: text(128), may, version: text(64), alarms, tree, tells };

const toldText = text(TOLD_TEXT);
const toldLine = v.pipe(
  v.object({
    user: v.optional(toldText),
    from: v.optional(toldText),
    what: toldText,
    subject: v.optional(toldText),
    changes: v.optional(v.pipe(
      v.array(v.object({ path: toldText, before: v.optional(json), after: v.optional(json) })),
      v.maxLength(AUDIT_CHANGES),
    )),
    more: v.optional(count),
    durable: v.optional(v.literal(false)),
    target: v.optional(json),
    refused: v.optional(sentence),
    again: v.optional(count),
  }),
  v.check((line) => JSON.stringify(line).length <= TOLD_CHARACTERS),
);

const frame = v.variant("type", [
  v.object({
    type: v.literal("birth"),
    console: consoleId,
    boot: v.pipe(text(64), v.minLength(1)),
    epoch: count,
    seq: v.literal(0),
    t: time,
    summary: v.object(summary),
    digests,
  }),
  v.object({
    type: v.literal("change"),
    seq: count,
    t: time,
    summary: v.optional(v.partial(v.object(summary))),
    digests: v.optional(digests),
  }),
  v.object({ type: v.literal("beat"), seq: v.optional(count), t: time }),
  v.object({ type: v.literal("unused"), ticket: text(64), why: sentence }),
  v.object({
    type: v.literal("did"),
    id: consoleId,
    outcome: v.picklist(["done", "refused", "expired"]),
    why: v.optional(sentence),
    code: v.optional(count),
    result: v.optional(json),
  }),
  v.object({
    type: v.literal("would"),
    id: consoleId,
    before: v.optional(tree),
    after: v.optional(tree),
    changes: v.optional(v.array(change)),
    more: v.optional(count),
    refused: v.optional(sentence),
  }),
  v.object({
    type: v.literal("told"),
    lines: v.pipe(v.array(toldLine), v.maxLength(TOLD_LINES)),
    lost: v.optional(count),
  }),
]);

const enrolment = v.object({
  code: text(64),
  console: consoleId,
  name: v.pipe(text(128), v.minLength(1)),
  site: text(128),
});

/** Reads a frame of a control socket; undefined for anything else. */
export function readFrame(data: string): FromConsole | undefined {
  if (jsonExcess(data, FRAME_VALUES) !== undefined) return undefined;
  return read(frame, data) as FromConsole | undefined;
}

/** Reads the body of an enrolment request; undefined for anything else. */
export function readEnrolment(data: string): Enrolment | undefined {
  return read(enrolment, data);
}

function read<Schema extends v.GenericSchema>(
  schema: Schema,
  data: string,
): v.InferOutput<Schema> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(schema, value);
  return parsed.success ? parsed.output : undefined;
}

function isBranch(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Assigning a member of this name would set the prototype of a branch.
  return Object.keys(value).every((member) =>
    member !== "__proto__" && isTree((value as Record<string, unknown>)[member], depth - 1)
  );
}

function isTree(value: unknown, depth: number): boolean {
  if (depth < 0 || value === null) return false;
  if (Array.isArray(value)) return value.every((item) => isTree(item, depth - 1));
  return typeof value === "object" ? isBranch(value, depth) : true;
}
