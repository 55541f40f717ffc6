/**
 * The type of the RPC methods of a hub. Each has its own file in `fleet/rpc/`. Its parameters are a
 * schema, as in the methods of a console.
 *
 * @module
 */
import * as v from "valibot";
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { type ParametersSchema, readParameters } from "../../transport/parameters.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import type { HubParts } from "./method.ts";

/** The parts of a hub that methods use besides its core. */
export type RpcParts = Pick<HubParts, "batches" | "drift" | "backups">;

interface MethodParts<Name extends string, Params extends v.ObjectEntries, Result> {
  readonly name: Name;
  /** One sentence for the published description. */
  readonly summary: string;
  readonly params: Params;
  /** The schema of the result; the type of `run` has to match it. */
  readonly result: v.GenericSchema<unknown, NoInfer<Result>>;
  run(
    core: HubCore,
    params: v.InferOutput<ParametersSchema<Params>>,
    actor: FleetActor,
    parts: RpcParts,
  ): Result | Refusal | Promise<Result | Refusal>;
}

/** A method that can be called with any received parameters. */
export interface FleetRpcMethod<
  Name extends string = string,
  Params extends v.ObjectEntries = v.ObjectEntries,
  Result = unknown,
> extends Omit<MethodParts<Name, Params, Result>, "run" | "params"> {
  readonly params: ParametersSchema<Params>;
  call(
    core: HubCore,
    received: Readonly<Record<string, unknown>>,
    actor: FleetActor,
    parts: RpcParts,
  ): Result | Refusal | Promise<Result | Refusal>;
}

/** Makes a method of its parts: `call` refuses parameters that do not match its schema (3). */
export function fleetRpcMethod<Name extends string, Params extends v.ObjectEntries, Result>(
  { params: entries, run, ...parts }: MethodParts<Name, Params, Result>,
): FleetRpcMethod<Name, Params, Result> {
  const params = v.object(entries);
  return {
    ...parts,
    params,
    call(core, received, actor, parts) {
      const read = readParameters(params, received);
      return isRefusal(read) ? read : run(core, read, actor, parts);
    },
  };
}
