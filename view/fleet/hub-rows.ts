/**
 * The rows of the page Hubs: the hubs in words.
 *
 * @module
 */
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { fleetHubsTexts } from "../texts/fleet-hubs.ts";

/** A hub, as a hub lists it. */
export type ListedHub = FleetRpcResult<"fleethublist">[number];

/** A hub in words. */
export interface HubRow {
  readonly id: string;
  /** Its name, or a part of its id if no name is known. */
  readonly name: string;
  readonly here: boolean;
  /** The version, the start and the id. */
  readonly facts: string;
  readonly connected: string;
  readonly ledger: string;
  /** Whether its ledger stores no changes now. */
  readonly isBad: boolean;
}

/** Number of digits of an id that tell hubs of one name apart. */
const ID_DIGITS = 8;

/** Returns the row of a hub; `timeOf` writes an instant in ISO 8601. */
export function hubRowOf(
  { id, here, consoles, name, version, since, stores }: ListedHub,
  own: ReturnType<typeof fleetHubsTexts>,
  timeOf: (instant: string) => string,
): HubRow {
  const short = id.slice(0, ID_DIGITS);
  const facts = [
    ...(version === undefined ? [] : [`faderd ${version}`]),
    ...(since === undefined ? [] : [own.since(timeOf(since))]),
    own.id(short),
  ];
  return {
    id,
    name: name ?? short,
    here,
    facts: facts.join(" · "),
    connected: own.connected(consoles),
    ledger: stores === undefined ? own.older : stores ? own.stores : own.storesNot,
    isBad: stores === false,
  };
}
