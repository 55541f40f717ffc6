/**
 * What an RPC method is. Each stands in a file of its own, named as the specification names it,
 * with its parameters as a schema: validation, errors and the published description come from that.
 *
 * @module
 */
import * as v from "valibot";
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, type Refusal, renamed } from "../../core/errors.ts";
import type { Actor } from "../../core/users/user.ts";
import { type ParametersSchema, readParameters } from "../parameters.ts";
import type { Caller } from "./method.ts";

/** Parameters as they came. */
export type ReceivedParams = Readonly<Record<string, unknown>>;

/** Other names that clients use for a parameter. */
export interface Aliases {
  readonly parameter: string;
  /** The first that is given counts, where `parameter` itself is not. */
  readonly names: readonly string[];
}

interface MethodParts<Name extends string, Params extends v.ObjectEntries, Result extends object> {
  readonly name: Name;
  /** One sentence for the published description. */
  readonly summary: string;
  readonly params: Params;
  /** What its result is, for the published description; the types hold `run` to it. */
  readonly result: v.GenericSchema<unknown, NoInfer<Result>>;
  /** What the published schema says beside its parameters. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Whether it writes at once: then it may start while other writes of its connection are being
   * stored. Any other method is alone on its connection.
   */
  readonly writes?: true;
  /** Whether it changes nothing, so that the audit trail has nothing of it. */
  readonly reads?: true;
  /** Whether the answer may be too large to be written in one go. */
  readonly answersMuch?: true;
  readonly aliases?: Aliases;
  /** The parameters as the answer echoes them, where that is not as they came. */
  readonly echo?: (params: ReceivedParams) => ReceivedParams;
  run(
    console: Console,
    params: v.InferOutput<ParametersSchema<Params>>,
    actor: Actor,
    caller: Caller,
  ): Outcome<Result> | Promise<Outcome<Result>>;
}

/** A method, ready to be called with whatever came; its types say what it takes and answers. */
export interface RpcMethod<
  Name extends string = string,
  Params extends v.ObjectEntries = v.ObjectEntries,
  Result extends object = object,
> extends Omit<MethodParts<Name, Params, Result>, "run" | "params" | "metadata"> {
  readonly params: ParametersSchema<Params>;
  call(params: ReceivedParams, caller: Caller): Outcome<Result> | Promise<Outcome<Result>>;
}

/**
 * Makes a method of its parts: `call` refuses parameters that its schema does not take (code 3).
 */
export function rpcMethod<
  Name extends string,
  Params extends v.ObjectEntries,
  Result extends object,
>(parts: MethodParts<Name, Params, Result>): RpcMethod<Name, Params, Result> {
  const { params: entries, metadata, run, ...rest } = parts;
  const object = v.object(entries);
  const params = metadata === undefined ? object : v.pipe(object, v.metadata(metadata));
  return {
    ...rest,
    params,
    call(received, caller) {
      const read = readDescribed(params, received, rest.aliases);
      return isRefusal(read) ? read : run(caller.console, read, caller.actor, caller);
    },
  };
}

/** Reads parameters, of which one may come by another name; its refusal has the name that came. */
function readDescribed<Params extends v.ObjectEntries>(
  params: ParametersSchema<Params>,
  received: ReceivedParams,
  aliases: Aliases | undefined,
): v.InferOutput<ParametersSchema<Params>> | Refusal {
  if (aliases === undefined) return readParameters(params, received);
  const { parameter, names } = aliases;
  const given = [parameter, ...names].find((name) => received[name] !== undefined) ?? parameter;
  const read = readParameters(params, { ...received, [parameter]: received[given] });
  return isRefusal(read) ? renamed(read, { [parameter]: given }) : read;
}
