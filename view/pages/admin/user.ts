/**
 * A user, as the page knows it.
 *
 * @module
 */
import type { RpcResult } from "../../../client/client.ts";

/** A user, as the console lists them: all but the token. */
export type User = RpcResult<"getuserlist">[number];
