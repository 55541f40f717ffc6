/**
 * The hub as its page sees it: its consoles, and its RPC methods.
 *
 * @module
 */
import type { ReadonlySignal } from "@preact/signals";
import type { FleetRpcName, FleetRpcParams, FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { ConsoleState } from "../../fleet/hub-core.ts";
import { at, tryRpc } from "../state/live.ts";

/** A console, as it stands in the tree of a hub. */
export interface FleetConsole {
  readonly _id: string;
  readonly _name: string;
  readonly _site: string;
  readonly _state: ConsoleState | "removed";
  /** In ISO 8601 and UTC. */
  readonly _since: string;
  readonly _version: string;
  readonly _alarms: readonly string[];
  readonly general?: { readonly _storage?: string; readonly _engine?: string };
}

/** The consoles by their ids. */
export type Consoles = Readonly<Record<string, FleetConsole>>;

/** All consoles; undefined until they are known. */
export const consoles = at("/consoles") as ReadonlySignal<Consoles | undefined>;

/** One console; undefined where there is none. */
export function consoleAt(id: string): ReadonlySignal<FleetConsole | undefined> {
  return at(`/consoles/${id}`) as ReadonlySignal<FleetConsole | undefined>;
}

/** Calls an RPC method of the hub; rejects with a `RequestError` where it refuses. */
export const hubRpc = tryRpc as unknown as <Name extends FleetRpcName>(
  name: Name,
  params: FleetRpcParams<Name>,
) => Promise<FleetRpcResult<Name>>;
