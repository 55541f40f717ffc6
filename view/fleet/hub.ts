/**
 * The hub as its page sees it: its consoles, and its RPC methods.
 *
 * @module
 */
import type { ReadonlySignal } from "@preact/signals";
import type { FleetRpcName, FleetRpcParams, FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { RequestError } from "../../client/client.ts";
import { at, tryRpc } from "../state/live.ts";
import { credentials } from "../state/rights.ts";
import type { Consoles, FleetConsole } from "./console.ts";

/** All consoles; undefined until they are known. */
export const consoles = at("/consoles") as ReadonlySignal<Consoles | undefined>;

/** One console; undefined if there is none. */
export function consoleAt(id: string): ReadonlySignal<FleetConsole | undefined> {
  return at(`/consoles/${id}`) as ReadonlySignal<FleetConsole | undefined>;
}

/**
 * The methods that may take longer than the page waits for a sign of life. A hub answers the
 * requests of one WebSocket in order, so these are sent over HTTP.
 */
const LONG: readonly FleetRpcName[] = [
  "fleetagain",
  "fleetbackupnow",
  "fleetdiff",
  "fleetdo",
  "fleettemplatesave",
];

/** The last call of each of them: a hub carries out only a few calls of a user at a time. */
const calls = new Map<string, Promise<unknown>>();

/** Calls an RPC method of the hub; rejects with a `RequestError` if it refuses. */
export function hubRpc<Name extends FleetRpcName>(
  name: Name,
  params: FleetRpcParams<Name>,
): Promise<FleetRpcResult<Name>> {
  const call = tryRpc as unknown as (
    name: Name,
    params: FleetRpcParams<Name>,
    send: (() => Promise<unknown>) | undefined,
  ) => Promise<FleetRpcResult<Name>>;
  return call(name, params, LONG.includes(name) ? () => queued(name, params) : undefined);
}

function queued(method: string, params: unknown): Promise<unknown> {
  // Another user may have logged in by the time of its turn.
  const headers = credentials();
  const call = (calls.get(method) ?? Promise.resolve()).then(() => post(method, params, headers));
  calls.set(method, call.catch(() => {}));
  return call;
}

/** Calls an RPC method over HTTP. */
async function post(
  method: string,
  params: unknown,
  headers: Record<string, string>,
): Promise<unknown> {
  const { error, payload } = await fetch(new URL("api/rest", document.baseURI), {
    method: "POST",
    headers,
    body: JSON.stringify({ method: "rpc", payload: { method, params } }),
  }).then((answer) => answer.json()).catch(() => {
    throw new RequestError("lost", "");
  });
  if (error !== undefined) throw new RequestError(error.code, error.message);
  return payload.result;
}
