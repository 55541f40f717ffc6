/**
 * What an RPC method is. Each stands in a file of its own, named as the specification names it, with
 * its parameters as a schema: validation, errors and the published description come from that.
 *
 * @module
 */
import * as v from "valibot";
import type { Console, Outcome } from "../../core/console.ts";
import { type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import type { Actor } from "../../core/users/user.ts";
import type { World } from "../methods/method.ts";

type Schema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** Parameters as they came. */
export type ReceivedParams = Readonly<Record<string, unknown>>;

interface MethodParts<Params extends Schema> {
  readonly name: string;
  /** One sentence for the published description. */
  readonly summary: string;
  readonly params: Params;
  /** A write may start while earlier ones of its connection are on their way to the medium. */
  readonly writes: boolean;
  /** Whether the answer may be too large to be written in one go. */
  readonly answersMuch?: true;
  /** The parameters under their described names, where clients use others too. */
  readonly rename?: (params: ReceivedParams) => ReceivedParams;
  /** The parameters as the answer echoes them, where that is not as they came. */
  readonly echo?: (params: ReceivedParams) => ReceivedParams;
  run(
    console: Console,
    params: v.InferOutput<Params>,
    actor: Actor,
    world: World,
  ): Outcome<object> | Promise<Outcome<object>>;
}

/** A method, ready to be called with whatever came. */
export interface RpcMethod extends Omit<MethodParts<Schema>, "run" | "rename"> {
  call(
    console: Console,
    params: ReceivedParams,
    actor: Actor,
    world: World,
  ): Outcome<object> | Promise<Outcome<object>>;
}

/** Makes a method of its parts: `call` refuses parameters that its schema does not take (code 3). */
export function rpcMethod<Params extends Schema>(parts: MethodParts<Params>): RpcMethod {
  const { run, rename = (params) => params, ...rest } = parts;
  return {
    ...rest,
    call(console, received, actor, world) {
      const parsed = v.safeParse(parts.params, rename(received), { abortEarly: true });
      return parsed.success
        ? run(console, parsed.output, actor, world)
        : refuseIssue(parts.params, parsed.issues[0]);
    },
  };
}

function refuseIssue(schema: Schema, issue: v.BaseIssue<unknown>): Refusal {
  const path = (issue.path ?? []).map(({ key }) => String(key));
  const missing = issue.type === "object" && issue.received === "undefined";
  const got = missing ? "it is missing" : `got ${shown(issue.input)}`;
  const expected = missing ? expectedAt(schema, path) : issue.message;
  return refuse("invalidParameter", `expected ${expected}, ${got}`, path.join("."));
}

/** What schemas have that hold others: an object, a list, what may be left out. */
interface Holder {
  readonly entries?: Readonly<Record<string, Holder>>;
  readonly item?: Holder;
  readonly wrapped?: Holder;
  readonly message?: unknown;
}

/** What the schema of a missing member expects: the message it would give. */
function expectedAt(schema: Schema, path: readonly string[]): string {
  let at: Holder | undefined = schema as Holder;
  for (const member of path) {
    const holder: Holder | undefined = at?.wrapped ?? at;
    at = holder?.entries?.[member] ?? holder?.item;
  }
  return typeof at?.message === "string" ? at.message : "a value";
}
