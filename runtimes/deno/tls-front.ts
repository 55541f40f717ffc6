/**
 * HTTPS with a certificate that can be replaced while connections are open.
 *
 * Deno's server keeps the certificate that it was started with, and closes its WebSockets when it
 * is stopped (tests/program/tls.test.ts shows the required behaviour of both). So the port belongs
 * to this front, which hands each connection, still encrypted, to a server behind it on the
 * loopback interface. A new certificate gets a new server for later connections; the previous
 * server lives as long as its last connection.
 *
 * @module
 */
import type { Tls } from "../../core/backup/tls.ts";
import { after } from "../../core/ports.ts";
import { createCounts } from "../../transport/counts.ts";
import { createMemoryQuota } from "../../transport/memory-quota.ts";
import { createFrontConnection, type FrontConnection } from "./front-connection.ts";
import { pump } from "./pump.ts";
import { type Address, listen, LISTEN_AGAIN_MS, type Server, type ServerParts } from "./server.ts";

/** A listener for HTTPS. */
export interface TlsFront extends Server {
  /**
   * Sets the certificate of new connections; without one they are closed. Throws if the certificate
   * is invalid; the previous one stays then.
   */
  setCertificate(tls: Tls | undefined): void;
}

/**
 * Time in ms for which the client address of a connection is kept after the end of the connection,
 * because the server behind may still pass on a request then.
 */
const KNOWN_MS = 10_000;

/** The server of one certificate. */
interface Inner {
  readonly server: Server;
  open: number;
}

/** Listens; throws if the address cannot be bound. */
export function listenTls({ hostname, port }: Address, parts: ServerParts): TlsFront {
  const { timer, onFault, connectionsPerAddress = () => Infinity, giveWay = () => false } = parts;
  const { receiveBuffers = createMemoryQuota(() => Infinity) } = parts;
  const listener = Deno.listen({ hostname, port });
  const address = { hostname: listener.addr.hostname, port: listener.addr.port };
  const behind = new Set<Inner>();
  // The server behind sees all connections come from this process; the local port of each
  // identifies its client.
  const connections = new Map<number, FrontConnection>();
  const ended: { readonly port: number; readonly at: number }[] = [];
  const fromAddress = createCounts();
  let current: Inner | undefined;
  let stopped = false;

  function letGo(inner: Inner): void {
    if (inner === current || inner.open > 0 || !behind.delete(inner)) return;
    inner.server.stop().catch(onFault);
  }

  function forget(): void {
    const before = timer.monotonic() - KNOWN_MS;
    while (ended.length > 0 && ended[0]!.at < before) connections.delete(ended.shift()!.port);
  }

  /** Connects from a local port that no connection with outstanding requests had. */
  async function connectTo(inner: Inner): Promise<Deno.TcpConn> {
    forget();
    const inside = await Deno.connect(inner.server.address);
    if (!connections.has(inside.localAddr.port)) return inside;
    inside.close();
    return connectTo(inner);
  }

  async function pass(outer: Deno.TcpConn, inner: Inner): Promise<void> {
    const { hostname } = outer.remoteAddr;
    if (fromAddress.of(hostname) >= connectionsPerAddress() && !giveWay(hostname)) {
      return outer.close();
    }
    fromAddress.add(hostname);
    inner.open++;
    const cut = Promise.withResolvers<void>();
    const connection = createFrontConnection(hostname, receiveBuffers, timer, cut.resolve);
    try {
      const inside = await connectTo(inner);
      const { port } = inside.localAddr;
      connections.set(port, connection);
      // If one end is closed or does not read, the other end is closed, too.
      await Promise.race([
        pump(outer, inside, timer, connection.sent),
        pump(inside, outer, timer, connection.received),
        cut.promise,
      ]);
      ended.push({ port, at: timer.monotonic() });
      inside.close();
    } finally {
      connection.ended();
      outer.close();
      fromAddress.remove(hostname);
      inner.open--;
      letGo(inner);
    }
  }

  async function accept(): Promise<void> {
    while (!stopped) {
      try {
        const outer = await listener.accept();
        if (current === undefined) outer.close();
        else pass(outer, current).catch(onFault);
      } catch (fault) {
        if (stopped) return;
        onFault(fault);
        await new Promise<void>((resolve) => after(timer, LISTEN_AGAIN_MS, resolve));
      }
    }
  }

  accept();
  return {
    address,
    setCertificate(tls) {
      const before = current;
      const server = tls && listen({ hostname: "127.0.0.1", port: 0 }, parts, {
        tls,
        connectionAt: (port) => connections.get(port),
      });
      current = server && { server, open: 0 };
      if (current !== undefined) behind.add(current);
      if (before !== undefined) letGo(before);
    },
    async stop() {
      stopped = true;
      listener.close();
      await Promise.all([...behind].map(({ server }) => server.stop()));
    },
  };
}
