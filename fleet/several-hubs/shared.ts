/**
 * What several hubs share, as a hub asks for it: `fleet/nats/` makes it, which is loaded only where
 * the configuration asks for that.
 *
 * @module
 */
import type { Bus } from "./bus.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** Where the servers are, and by what they know this hub. */
export interface ServerOptions {
  /** Addresses such as `tls://nats-a.example:4222`: at least one. */
  readonly servers: readonly string[];
  /** The seed of an nkey, or the text of a credentials file; without it the hub is nobody. */
  readonly credentials?: string | undefined;
  /** The certificates that vouch for the servers, as PEM; without them those of the machine. */
  readonly ca?: string | undefined;
  /** The name of this hub, which the servers list. */
  readonly name: string;
  /** Whether a server is taken that acknowledges what it has not synced: for tests. */
  readonly allowOldServer?: boolean | undefined;
  /** Hears that the connection was lost or is back, and of what server. */
  onState?(state: "lost" | "back", server: string): void;
}

/** The options of {@link OpenShared}. */
export interface SharedOptions extends ServerOptions {
  readonly organisation: string;
  /** Number of servers that keep what is stored, where that is not there yet. */
  readonly replicas: number;
  /** Hears of what could not be sent or read. */
  onFault(fault: unknown): void;
}

/** What several hubs share. */
export interface Shared {
  /** Closing it ends all of this. */
  readonly ledger: Ledger;
  readonly bus: Bus;
}

/** Opens what the hubs of an organisation share; rejects with a sentence that says what is wrong. */
export type OpenShared = (options: SharedOptions) => Promise<Shared>;
