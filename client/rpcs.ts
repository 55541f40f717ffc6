/**
 * The RPC methods as types, from the schemas of the service: what each takes, and what its result
 * is.
 *
 * @module
 */
import type * as v from "valibot";
import type { RpcMethods } from "../transport/control-api/rpc-methods.ts";

/** The name of an RPC method. */
export type RpcName = keyof RpcMethods;

/** The parameters that a method takes. */
export type RpcParams<Name extends RpcName> = v.InferInput<RpcMethods[Name]["params"]>;

/** What a method answers. */
export type RpcResult<Name extends RpcName> = Extract<
  Awaited<ReturnType<RpcMethods[Name]["call"]>>,
  { readonly result: unknown }
>["result"];
