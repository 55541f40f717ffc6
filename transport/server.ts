/**
 * A server of the service in any runtime.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";
import type { Service } from "./arrival.ts";
import type { MemoryQuota } from "./memory-quota.ts";

/** The address on which a server listens. */
export interface Address {
  readonly hostname: string;
  /** The port; 0 selects a free one. */
  readonly port: number;
}

/** A listening server. */
export interface Server {
  /** The bound address, with the selected port. */
  readonly address: Address;
  /** Accepts no further requests; resolves when those in progress are answered. */
  stop(): Promise<void>;
}

/** The service that a server serves, its ports and its limits. */
export interface ServerParts {
  readonly service: Service;
  readonly timer: Timer;
  /** Called with faults of the service itself. */
  onFault(fault: unknown): void;
  /**
   * Maximum number of connections of one address, if the runtime can count them; unlimited without
   * it.
   */
  readonly connectionsPerAddress?: () => number;
  /** Closes a connection of an address that has sent nothing; returns whether there was one. */
  readonly giveWay?: (address: string) => boolean;
  /** The memory quota of incomplete request heads and messages; without it they are not counted. */
  readonly receiveBuffers?: MemoryQuota;
}
