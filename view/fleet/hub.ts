/**
 * The hub as its page sees it: its consoles, and its RPC methods.
 *
 * @module
 */
import type { ReadonlySignal } from "@preact/signals";
import type { FleetRpcName, FleetRpcParams, FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { at, tryRpc } from "../state/live.ts";
import type { Consoles, FleetConsole } from "./console.ts";

/** All consoles; undefined until they are known. */
export const consoles = at("/consoles") as ReadonlySignal<Consoles | undefined>;

/** One console; undefined if there is none. */
export function consoleAt(id: string): ReadonlySignal<FleetConsole | undefined> {
  return at(`/consoles/${id}`) as ReadonlySignal<FleetConsole | undefined>;
}

/** Calls an RPC method of the hub; rejects with a `RequestError` if it refuses. */
export const hubRpc = tryRpc as unknown as <Name extends FleetRpcName>(
  name: Name,
  params: FleetRpcParams<Name>,
) => Promise<FleetRpcResult<Name>>;
