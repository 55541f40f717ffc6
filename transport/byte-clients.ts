/**
 * The clients of an interface that is carried over plain TCP, and their maximum number.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import type { CooperativeScheduler, Timer } from "../core/ports.ts";
import type { May } from "../core/users/user.ts";
import type { Budget } from "./budget.ts";
import type { ByteListener, OpenByteSocket } from "./byte-socket.ts";
import { createCounts } from "./counts.ts";
import type { Sessions } from "./websocket/sessions.ts";

/** A provider serves the connections of an interface. */
export interface ByteProvider {
  /** Opens a client; undefined if the maximum number of connections is reached. */
  readonly open: OpenByteSocket;
  /** Closes every connection, and stops telling of changes. */
  close(): void;
}

/** The parts of the service that a provider uses. */
export interface ByteProviderOptions {
  readonly console: Console;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  readonly sessions: Pick<Sessions, "meters" | "history">;
  /** The right of the clients. */
  readonly may: May;
  /** Called with faults of the service itself. */
  onFault(fault: unknown): void;
}

/** A client. */
export interface ByteClient extends ByteListener {
  /** Its address, as the limits count it. */
  readonly address: string;
  /** Ends its connection. */
  close(): void;
}

/**
 * The clients of an interface. A client that we have closed counts until its connection is gone.
 */
export interface ByteClients<Client> extends Iterable<Client> {
  readonly size: number;
  /**
   * Adds the client that `open` makes, for a connection from an address; undefined if the maximum
   * number of connections is reached: `limits.connections`, or `limits.connectionsPerAddress` for
   * the address.
   */
  add(address: string, open: () => Client): Client | undefined;
  /** Removes a client whose connection is gone. Returns false if it was removed before. */
  remove(client: Client): boolean;
  /** Ends every connection. */
  closeAll(): void;
}

/** Makes the clients of an interface of a console, none at first. */
export function createByteClients<Client extends ByteClient>(
  console: Console,
): ByteClients<Client> {
  const clients = new Set<Client>();
  const fromAddress = createCounts();
  return {
    get size() {
      return clients.size;
    },
    [Symbol.iterator]: () => clients.values(),
    add(address, open) {
      const { connections, connectionsPerAddress } = console.state.configuration.limits;
      const isFull = clients.size >= connections ||
        fromAddress.of(address) >= connectionsPerAddress;
      if (isFull) return undefined;
      const client = open();
      clients.add(client);
      fromAddress.add(address);
      return client;
    },
    remove(client) {
      if (!clients.delete(client)) return false;
      fromAddress.remove(client.address);
      return true;
    },
    closeAll() {
      for (const client of [...clients]) client.close();
    },
  };
}
