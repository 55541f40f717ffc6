/**
 * The callers of the control API of a hub.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import type { Path } from "../../core/tree/tree.ts";
import type { Batches } from "../batches/batch.ts";
import type { Drift } from "../drift/drift.ts";
import type { Backups } from "../backups/fleet-backups.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import type { Person } from "../hub/rights.ts";
import type { ConsoleLinks } from "./console-links.ts";
import type { FleetTree } from "./fleet-tree.ts";

/** The parts of a hub that its control API uses. */
export interface HubParts {
  readonly core: HubCore;
  readonly tree: FleetTree;
  readonly batches: Batches;
  readonly drift: Drift;
  /** Undefined where the configuration of the hub has no `backup`. */
  readonly backups: Backups | undefined;
  readonly links: ConsoleLinks;
}

/** The operations of a WebSocket, which a request over HTTP lacks. */
export interface HubConnection {
  /** Subscribes; refused (11) where there are too many subscriptions. */
  subscribe(path: Path): Refusal | undefined;
  unsubscribe(path: Path): void;
  /** Called when a request has brought the token of a user, for itself or to log in. */
  userCame(): void;
  /** Logs a user in on this connection, or, without one, out. */
  logIn(user: Person | undefined): void;
}

/** The sender of a request. */
export interface HubCaller extends HubParts {
  readonly actor: FleetActor;
  /** Undefined over HTTP. */
  readonly connection?: HubConnection;
  /** Over HTTP the refusal of the query, which comes after that of the token. */
  readonly badQuery?: Refusal | undefined;
}
