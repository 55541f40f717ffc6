/**
 * The types of the RPC methods, derived from the schemas of the service: the parameters and the
 * result of each.
 *
 * @module
 */
import type * as v from "valibot";
import type { RpcMethods } from "../transport/control-api/rpc-methods.ts";

/** The name of an RPC method. */
export type RpcName = keyof RpcMethods;

/** The parameters of a method. */
export type RpcParams<Name extends RpcName> = v.InferInput<RpcMethods[Name]["params"]>;

/** The result of a method. */
export type RpcResult<Name extends RpcName> = Extract<
  Awaited<ReturnType<RpcMethods[Name]["call"]>>,
  { readonly result: unknown }
>["result"];
