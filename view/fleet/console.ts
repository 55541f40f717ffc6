/**
 * The consoles, as a hub reports them.
 *
 * @module
 */
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { ConsoleState } from "../../fleet/hub/hub-core.ts";

/** A console, as the tree of a hub has it. */
export interface FleetConsole {
  readonly _id: string;
  readonly _name: string;
  readonly _site: string;
  readonly _state: ConsoleState | "removed";
  /** The time at which `_state` began, in ISO 8601 and UTC. */
  readonly _since: string;
  /** False while the hub has not heard the console, and has waited for it since `_since`. */
  readonly _heard: boolean;
  readonly _version: string;
  readonly _alarms: readonly string[];
  readonly general?: { readonly _storage?: string; readonly _engine?: string };
  readonly audio?: { readonly mixers?: Readonly<Record<string, Mixer>> };
}

interface Mixer {
  readonly faders?: Readonly<Record<string, { readonly on?: boolean }>>;
}

/** Says whether a console is on air, as far as the hub knows: one of its faders is ON. */
export function isOnAir({ audio }: FleetConsole): boolean {
  return Object.values(audio?.mixers ?? {}).some(({ faders }) =>
    Object.values(faders ?? {}).some(({ on }) => on === true)
  );
}

/** The consoles by their ids. */
export type Consoles = Readonly<Record<string, FleetConsole>>;

/** The outcome of a batch at a console, in a word. */
export type Outcome = FleetRpcResult<"fleetbatch">["results"][number]["outcome"];
