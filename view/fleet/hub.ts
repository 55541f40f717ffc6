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

/**
 * Time in ms that the page waits for the answer to an order. The page then shows the batch in any
 * case, and the connection is free for another order.
 */
const ORDER_MS = 20_000;

/**
 * The last call of each of the others, which are sent one at a time: a hub compares, and makes
 * previews, only a few at a time for a user.
 */
const calls = new Map<string, Promise<unknown>>();

/** Calls an RPC method of the hub; rejects with a `RequestError` if it refuses. */
export function hubRpc<Name extends FleetRpcName>(
  name: Name,
  params: FleetRpcParams<Name>,
): Promise<FleetRpcResult<Name>> {
  const call = tryRpc as unknown as (
    name: Name,
    params: FleetRpcParams<Name>,
    send?: () => Promise<unknown>,
  ) => Promise<FleetRpcResult<Name>>;
  if (!LONG.includes(name)) return call(name, params);
  // Another user may have logged in by the time at which it is sent.
  const headers = credentials();
  // An order has to take effect now, so it does not wait for an earlier one.
  if (name === "fleetagain" || name === "fleetdo" && !("preview" in params)) {
    return call(name, params, () => post(name, params, headers, ORDER_MS));
  }
  const turn = (calls.get(name) ?? Promise.resolve())
    .then(() => call(name, params, () => post(name, params, headers)));
  calls.set(name, turn.catch(() => {}));
  return turn;
}

/** Calls an RPC method over HTTP, and waits `ms` for the answer, or without an end. */
async function post(
  method: string,
  params: unknown,
  headers: Record<string, string>,
  ms?: number,
): Promise<unknown> {
  const { error, payload } = await fetch(new URL("api/rest", document.baseURI), {
    method: "POST",
    headers,
    body: JSON.stringify({ method: "rpc", payload: { method, params } }),
    signal: ms === undefined ? null : AbortSignal.timeout(ms),
  }).then((answer) => answer.json()).catch(() => {
    throw new RequestError("lost", "");
  });
  if (error !== undefined) throw new RequestError(error.code, error.message);
  return payload.result;
}
