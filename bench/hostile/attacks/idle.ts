/**
 * Attacks by doing nothing: connections that take places.
 *
 * @module
 */
import type { Socket } from "node:net";
import { atOnce, sleep, type Target } from "../target.ts";
import { dial, gone, headOf, openWire, write } from "../wire.ts";

const EACH = 300;
const WEBSOCKETS = 1000;
/** So many are opened together, so that it is not the opening that does harm. */
const TOGETHER = 50;

/**
 * 300 connections that say nothing, 300 with half a head, 300 that were answered and stay, 1,000
 * WebSockets; all of one address. At the end it notes how many are still open.
 */
export async function idle(target: Target): Promise<void> {
  const host = `host: 127.0.0.1:${target.port}\r\n`;
  const get = `GET /api/rest/general/_api_version HTTP/1.1\r\n${host}`;
  const kinds: Record<string, Set<Socket>> = {};

  /** Keeps a connection, and forgets it at its end. */
  function keep(kind: string, socket: Socket): void {
    const kept = kinds[kind] ??= new Set();
    kept.add(socket);
    socket.resume();
    gone(socket).then(() => kept.delete(socket));
  }

  async function open(kind: string, count: number, one: () => Promise<Socket | undefined>) {
    for (let opened = 0; opened < count; opened += TOGETHER) {
      await atOnce(TOGETHER, async () => {
        const socket = await one().catch(() => undefined);
        if (socket === undefined) target.tell(`${kind}: refused`);
        else keep(kind, socket);
      });
    }
  }

  await open("WebSockets", WEBSOCKETS, async () => {
    const { status, socket } = await openWire(target.port, { hear: () => {} });
    if (status === 101) return socket;
    socket.destroy();
  });
  await open("silent", EACH, () => dial(target.port));
  await open("half a head", EACH, async () => {
    const socket = await dial(target.port);
    await write(socket, get);
    return socket;
  });
  await open("kept alive", EACH, async () => {
    const socket = await dial(target.port);
    await write(socket, `${get}\r\n`);
    return await headOf(socket) === "" ? undefined : socket;
  });
  while (!target.over) await sleep(50);
  for (const [kind, kept] of Object.entries(kinds)) target.tell(`${kind}: still open`, kept.size);
}
