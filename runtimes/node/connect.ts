/**
 * The client in Node, which before version 22 has no `WebSocket` of its own.
 *
 * @module
 */
import { type Client, connect as connectTo, type ConnectOptions } from "../../client/client.ts";
import { type Socket, webWorld } from "../../client/world.ts";
// @ts-types="./ws.d.ts"
import { WebSocket } from "ws";

/**
 * Time in ms for which `ws` waits for a console to answer a close. Its default is 30 s, for which a
 * frozen console would keep the process alive.
 */
const CLOSE_MS = 1000;

/** Makes a client of the console at `url`, as `connect` of `faderd/client` does, by `ws`. */
export function connect(url: string, options: ConnectOptions = {}): Client {
  const open = (url: string) => new WebSocket(url, { closeTimeout: CLOSE_MS }) as unknown as Socket;
  const world = { ...webWorld, open };
  return connectTo(url, { world, ...options });
}
