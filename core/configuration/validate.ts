/**
 * Validates a document by its schema in steps: in one call, valibot would take more than a second
 * for a document with as many faults as an archive may hold.
 *
 * @module
 */
import * as v from "valibot";
import { isLarge } from "../json.ts";
import { isBranch } from "../tree/tree.ts";
import { describeIssue, type Fault, listFaults } from "./faults.ts";

/** The inner schemas of a schema. */
interface Parts {
  readonly pipe?: readonly unknown[];
  readonly wrapped?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly options?: readonly (Parts & { readonly type: string })[];
}

/** A validation in steps. Each step yields a fault, or undefined for a value without one. */
type Validation = Generator<Fault | undefined, unknown>;

/**
 * Returns the output of the schema, which is meaningless after a fault. Large objects and lists are
 * validated member by member, also lists that have a short form.
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
  // The actions of the schema on the whole value.
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
  if (parsed.success) yield* listFaults(value, parsed.output, path);
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
      yield { path: at.join("."), reason: "this member is missing" };
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
