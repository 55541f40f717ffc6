/**
 * A server of the service, whatever runtime it listens in.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";
import type { Service } from "./arrival.ts";
import type { MemoryQuota } from "./memory-quota.ts";

/** Where to listen. */
export interface Address {
  readonly hostname: string;
  /** 0 is any that is free. */
  readonly port: number;
}

/** A server, listening. */
export interface Server {
  /** The address that was really bound. */
  readonly address: Address;
  /** Takes no more requests, and resolves when those under way are answered. */
  stop(): Promise<void>;
}

/** The service that a server serves, its ports and its limits. */
export interface ServerParts {
  readonly service: Service;
  readonly timer: Timer;
  /** Is told of our own faults. */
  onFault(fault: unknown): void;
  /** Maximum number of connections of one address, where they can be counted; without it any. */
  readonly connectionsPerAddress?: () => number;
  /** For heads and messages that are not whole yet; without it they are not counted. */
  readonly receiveBuffers?: MemoryQuota;
}
