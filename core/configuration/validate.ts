/**
 * Validates a document by its schema in steps: in one go, valibot takes over a second for the
 * faults that an archive may have.
 *
 * @module
 */
import * as v from "valibot";
import { isLarge } from "../json.ts";
import { isBranch } from "../tree/tree.ts";
import { describeIssue, type Fault } from "./faults.ts";

/** What a schema has of those that it is made of. */
interface Parts {
  readonly pipe?: readonly unknown[];
  readonly wrapped?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly options?: readonly (Parts & { readonly type: string })[];
}

/** Each step is a fault, or, undefined, a value without one. */
type Validation = Generator<Fault | undefined, unknown>;

/**
 * Answers the value as the schema gives it out, which means nothing where there was a fault.
 * What is large is taken apart: objects, lists, and lists that have a short form.
 */
export function* validate(
  schema: v.GenericSchema,
  value: unknown,
  path: readonly string[] = [],
): Validation {
  if (!isLarge(value)) return yield* validateWhole(schema, value, path);
  const { type } = schema;
  const { pipe, wrapped, item, entries, options } = schema as Parts;
  if (type === "optional") return yield* validate(wrapped!, value, path);
  const list = type === "array" ? item : options?.find((option) => option.type === "array")?.item;
  let inner: unknown;
  if (list !== undefined && Array.isArray(value)) inner = yield* validateItems(list, value, path);
  else if (type === "strict_object" && isBranch(value)) {
    inner = yield* validateMembers(entries!, value, path);
  } else return yield* validateWhole(schema, value, path);
  if (pipe === undefined) return inner;
  // What is done with the whole: it is given a name, say.
  const actions = pipe.slice(1) as [v.GenericPipeAction<unknown>];
  return yield* validateWhole(v.pipe(v.unknown(), ...actions), inner, path);
}

function* validateWhole(
  schema: v.GenericSchema,
  value: unknown,
  path: readonly string[],
): Validation {
  const parsed = v.safeParse(schema, value);
  yield;
  for (const issue of parsed.issues ?? []) yield* describeIssue(issue, path);
  return parsed.output;
}

function* validateItems(
  item: v.GenericSchema,
  values: readonly unknown[],
  path: readonly string[],
): Validation {
  const items: unknown[] = [];
  for (let at = 0; at < values.length; at++) {
    items.push(yield* validate(item, values[at], [...path, String(at)]));
  }
  return items;
}

function* validateMembers(
  entries: Readonly<Record<string, v.GenericSchema>>,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): Validation {
  const members: Record<string, unknown> = {};
  for (const [member, schema] of Object.entries(entries)) {
    const at = [...path, member];
    const given = Object.hasOwn(value, member);
    if (!given && schema.type !== "optional") {
      yield { path: at.join("."), reason: "expected it, it is missing" };
      continue;
    }
    const output = yield* validate(schema, given ? value[member] : undefined, at);
    if (output !== undefined) members[member] = output;
  }
  for (const member of Object.keys(value)) {
    if (Object.hasOwn(entries, member)) continue;
    yield { path: [...path, member].join("."), reason: "there is no such member" };
  }
  return members;
}
