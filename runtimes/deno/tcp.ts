/**
 * Serves, in Deno, interfaces that are carried over plain TCP and not over HTTP.
 *
 * @module
 */
import { UNREAD_MS } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { ByteSocket, OpenByteSocket } from "../../transport/byte-socket.ts";
import type { Address, Server } from "../../transport/server.ts";
import { LISTEN_AGAIN_MS } from "./server.ts";

/** Size of the read buffer of each connection, in bytes. */
const READ_BYTES = 4 * 1024;

/** The parts of a listener. */
export interface TcpParts {
  readonly open: OpenByteSocket;
  readonly timer: Timer;
  /** Called with faults of the service itself. */
  onFault(fault: unknown): void;
}

/**
 * Listens, and hands each connection to `open`; throws if the address is not available. `stop` ends
 * the connections, too.
 */
export function listenTcp(
  { hostname, port }: Address,
  { open, timer, onFault }: TcpParts,
): Server {
  const listener = Deno.listen({ hostname, port });
  const connections = new Set<Deno.TcpConn>();
  let stopped = false;

  async function serve(connection: Deno.TcpConn): Promise<void> {
    const socket = sending(connection, timer);
    const served = open(socket, addressOf(connection));
    if (served === undefined) return closeQuietly(connection);
    connections.add(connection);
    const buffer = new Uint8Array(READ_BYTES);
    try {
      // Answers are small and are waited for.
      connection.setNoDelay();
      // Some clients only listen: nothing else tells that their machine is gone.
      connection.setKeepAlive();
      for (let count = await read(); count !== null; count = await read()) {
        served.receive(buffer.subarray(0, count));
      }
    } catch (fault) {
      onFault(fault);
    }
    socket.close();
    connections.delete(connection);
    served.closed();

    /** Reads until the connection ends, in whatever way. */
    function read(): Promise<number | null> {
      return connection.read(buffer).catch(() => null);
    }
  }

  async function accept(): Promise<void> {
    while (!stopped) {
      try {
        serve(await listener.accept()).catch(onFault);
      } catch (fault) {
        if (stopped) return;
        onFault(fault);
        await new Promise<void>((resolve) => after(timer, LISTEN_AGAIN_MS, resolve));
      }
    }
  }

  accept();
  return {
    address: { hostname: listener.addr.hostname, port: listener.addr.port },
    stop() {
      stopped = true;
      listener.close();
      for (const connection of connections) closeQuietly(connection);
      return Promise.resolve();
    },
  };
}

/** Returns the address of a client; an IPv4 address mapped into IPv6 is the same client. */
function addressOf({ remoteAddr }: Deno.TcpConn): string {
  return remoteAddr.hostname.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
}

/** The sending side: bytes that the network has not accepted yet wait here, in their order. */
function sending(connection: Deno.TcpConn, timer: Timer): ByteSocket {
  const waiting: Uint8Array[] = [];
  let bufferedAmount = 0;
  let isSending = false;
  let isOpen = true;

  async function sendAll(): Promise<void> {
    isSending = true;
    for (let next = waiting[0]; isOpen && next !== undefined; next = waiting[0]) {
      const stopWaiting = after(timer, UNREAD_MS, close);
      const count = await connection.write(next).catch(() => undefined);
      stopWaiting();
      // A write may end well although the connection was closed meanwhile.
      if (count === undefined || !isOpen) return close();
      bufferedAmount -= count;
      if (count === next.length) waiting.shift();
      else waiting[0] = next.subarray(count);
    }
    isSending = false;
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    waiting.length = 0;
    bufferedAmount = 0;
    closeQuietly(connection);
  }

  return {
    send(bytes) {
      if (!isOpen) return;
      waiting.push(bytes);
      bufferedAmount += bytes.length;
      if (!isSending) sendAll();
    },
    close,
    get bufferedAmount() {
      return bufferedAmount;
    },
  };
}

/** Closes a connection, which may be closed already. */
function closeQuietly(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch (fault) {
    if (!(fault instanceof Deno.errors.BadResource)) throw fault;
  }
}
