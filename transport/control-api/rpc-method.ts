/**
 * The type of RPC methods. Each has its own file, with its name from the specification. Its
 * parameters are a schema, from which validation, errors and the published description follow.
 *
 * @module
 */
import * as v from "valibot";
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, type Refusal, renamed } from "../../core/errors.ts";
import type { State } from "../../core/state.ts";
import type { Actor } from "../../core/users/user.ts";
import { type ParametersSchema, readParameters } from "../parameters.ts";
import type { Caller } from "./method.ts";

/** Parameters as received. */
export type ReceivedParams = Readonly<Record<string, unknown>>;

/** Alternative names of a parameter. */
export interface Aliases {
  readonly parameter: string;
  /** The first of these names in a request counts, if `parameter` itself is absent. */
  readonly names: readonly string[];
}

interface MethodParts<Name extends string, Params extends v.ObjectEntries, Result extends object> {
  readonly name: Name;
  /** One sentence for the published description. */
  readonly summary: string;
  readonly params: Params;
  /** The schema of the result, for the published description; the type of `run` has to match it. */
  readonly result: v.GenericSchema<unknown, NoInfer<Result>>;
  /** Additional members of the published schema. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Whether the method writes without waiting for anything: then it may start while other writes of
   * its connection are being stored. Any other method does not overlap with requests of its
   * connection.
   */
  readonly writes?: true;
  /** Whether the method changes nothing, so that it is not in the audit trail. */
  readonly reads?: true;
  /** Whether the method is a login itself, which needs no token where one is required. */
  readonly logsIn?: true;
  /** Whether the answer may be large, so that it is written in steps. */
  readonly answersMuch?: true;
  /** Refuses a call whatever its parameters are. */
  readonly precondition?: (state: State, actor: Actor) => Refusal | undefined;
  readonly aliases?: Aliases;
  /** Returns the effective parameters, where a call ignores some of the received ones. */
  readonly effective?: (params: ReceivedParams) => ReceivedParams;
  /** Returns the parameters as the answer echoes them, if they differ from the received ones. */
  readonly echo?: (params: ReceivedParams) => ReceivedParams;
  run(
    console: Console,
    params: v.InferOutput<ParametersSchema<Params>>,
    actor: Actor,
    caller: Caller,
  ): Outcome<Result> | Promise<Outcome<Result>>;
}

/**
 * A method that can be called with any received parameters; its type arguments are those of its
 * parameters and its result.
 */
export interface RpcMethod<
  Name extends string = string,
  Params extends v.ObjectEntries = v.ObjectEntries,
  Result extends object = object,
> extends Omit<MethodParts<Name, Params, Result>, "run" | "params" | "metadata"> {
  readonly params: ParametersSchema<Params>;
  call(params: ReceivedParams, caller: Caller): Outcome<Result> | Promise<Outcome<Result>>;
}

/** Makes a method of its parts: `call` refuses parameters that do not match its schema (3). */
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
      const refusal = rest.precondition?.(caller.console.state, caller.actor);
      if (refusal !== undefined) return refusal;
      const effective = rest.effective?.(received) ?? received;
      const read = readDescribed(params, effective, rest.aliases);
      return isRefusal(read) ? read : run(caller.console, read, caller.actor, caller);
    },
  };
}

/**
 * Validates parameters, one of which may have an alternative name; a refusal names it as received.
 */
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
