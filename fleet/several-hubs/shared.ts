/**
 * The interface of the parts that several hubs share. `fleet/nats/` makes them, and is loaded only
 * if the configuration asks for it.
 *
 * @module
 */
import type { Bus } from "./bus.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** The addresses of the servers, and the credentials of this hub. */
export interface ServerOptions {
  /** Addresses such as `tls://nats-a.example:4222`: at least one. */
  readonly servers: readonly string[];
  /**
   * The seed of an nkey, or the text of a credentials file; without it the hub has no credentials.
   */
  readonly credentials?: string | undefined;
  /**
   * The certificates that vouch for the servers, as PEM; by default the certificates of the
   * machine.
   */
  readonly ca?: string | undefined;
  /** The name of this hub, which the servers list. */
  readonly name: string;
  /** Whether a server is accepted that acknowledges before it has synced: for tests. */
  readonly allowOldServer?: boolean | undefined;
  /** Called when the connection was lost or is back, with the server. */
  onState?(state: "lost" | "back", server: string): void;
}

/** The options of {@link OpenShared}. */
export interface SharedOptions extends ServerOptions {
  readonly organisation: string;
  /** Number of servers that keep the ledger; it counts when the ledger is made. */
  readonly replicas: number;
  /** Called with each fault of a send or a read. */
  onFault(fault: unknown): void;
}

/** The shared parts of several hubs. */
export interface Shared {
  /** Closing the ledger also ends the bus. */
  readonly ledger: Ledger;
  readonly bus: Bus;
}

/**
 * Opens the shared parts of the hubs of an organisation; rejects with a sentence that says what is
 * wrong.
 */
export type OpenShared = (options: SharedOptions) => Promise<Shared>;
