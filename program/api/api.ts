/**
 * All interfaces as one value, which `faderd api` prints.
 *
 * @module
 */
import { errorCodes } from "../../core/errors.ts";
import { describeActions } from "./actions.ts";
import { describeErrors } from "./errors.ts";
import { describeMessages } from "./messages.ts";
import { describeRpc } from "./rpc.ts";
import { describeTree } from "./tree.ts";

/** Describes every RPC method, REST action, message, path of the control tree and error. */
export function describeInterfaces() {
  return {
    rpc: describeRpc(),
    rest: describeActions(),
    messages: describeMessages(),
    tree: describeTree(),
    errors: describeErrors(),
    errorCodes,
  };
}
