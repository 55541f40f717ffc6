/**
 * HTTPS with a certificate that can be replaced while connections are open.
 *
 * Deno's server keeps the certificate that it was started with, and closes its WebSockets when it
 * is stopped (tests/program/tls.test.ts shows what is wanted of both). So the port belongs to this
 * front, which hands each connection, still encrypted, to a server behind it on the loopback
 * interface. A new certificate is a new server for the connections that come from then on; the one
 * before lives as long as its last connection.
 *
 * @module
 */
import type { Tls } from "../../core/backup/tls.ts";
import { UNREAD_MS } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";
import { createCounts } from "../counts.ts";
import { pump } from "./pump.ts";
import { type Address, listen, LISTEN_AGAIN_MS, type Server, type ServerParts } from "./server.ts";

/** A listener for HTTPS. */
export interface TlsFront extends Server {
  /**
   * Connections that come from now on get this certificate; without one they are closed. Throws
   * where it will not do; the one before stays then.
   */
  setCertificate(tls: Tls | undefined): void;
}

/** A connection that brings nothing at all for so long, in ms, after it was opened is closed. */
export const FIRST_BYTE_MS = 10_000;

/**
 * A connection on which nothing passes for so long, in ms, is closed. A WebSocket that is alive is
 * pinged more often.
 */
export const IDLE_MS = 60_000;

/** The server of one certificate. */
interface Inner {
  readonly server: Server;
  open: number;
  replaced: boolean;
}

/**
 * Listens; throws where the address cannot be had. Whoever leaves what it is sent unread for
 * `unreadMs` is cut off.
 */
export function listenTls(
  { hostname, port }: Address,
  parts: ServerParts,
  unreadMs = UNREAD_MS,
): TlsFront {
  const { timer, onFault, connectionsPerAddress = () => Infinity } = parts;
  const listener = Deno.listen({ hostname, port });
  const address = { hostname: listener.addr.hostname, port: listener.addr.port };
  const behind = new Set<Inner>();
  // The server behind sees all connections come from here: who they are from is known by the port.
  const clients = new Map<number, string>();
  const fromAddress = createCounts();
  let current: Inner | undefined;
  let stopped = false;

  function letGo(inner: Inner): void {
    if (!inner.replaced || inner.open > 0 || !behind.delete(inner)) return;
    inner.server.stop().catch(onFault);
  }

  async function pass(outer: Deno.TcpConn, inner: Inner): Promise<void> {
    const { hostname } = outer.remoteAddr;
    if (fromAddress.of(hostname) >= connectionsPerAddress()) return outer.close();
    fromAddress.add(hostname);
    inner.open++;
    const idle = Promise.withResolvers<void>();
    const watch = watchIdle(timer, idle.resolve);
    try {
      const inside = await Deno.connect(inner.server.address);
      const { port } = inside.localAddr;
      clients.set(port, outer.remoteAddr.hostname);
      // Where one end is gone, or does not read, the other is of no use.
      await Promise.race([
        pump(outer, inside, unreadMs, timer, watch.passed),
        pump(inside, outer, unreadMs, timer, watch.passed),
        idle.promise,
      ]);
      clients.delete(port);
      inside.close();
    } finally {
      watch.stop();
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
        clientAt: (port) => clients.get(port),
      });
      current = server && { server, open: 0, replaced: false };
      if (current !== undefined) behind.add(current);
      if (before === undefined) return;
      before.replaced = true;
      letGo(before);
    },
    async stop() {
      stopped = true;
      listener.close();
      await Promise.all([...behind].map(({ server }) => server.stop()));
    },
  };
}

/** Looks whether anything passes on a connection. */
interface IdleWatch {
  /** Something has passed. */
  passed(): void;
  stop(): void;
}

/** Calls `idle` once nothing has passed for too long. */
function watchIdle(timer: Timer, idle: () => void): IdleWatch {
  let last = timer.monotonic();
  let allowed = FIRST_BYTE_MS;
  let stop = after(timer, allowed, look);

  function look(): void {
    const left = last + allowed - timer.monotonic();
    if (left <= 0) idle();
    else stop = after(timer, left, look);
  }

  return {
    passed() {
      last = timer.monotonic();
      allowed = IDLE_MS;
    },
    stop: () => stop(),
  };
}
