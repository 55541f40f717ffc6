/**
 * The client in Node, which before version 22 has no `WebSocket` of its own.
 *
 * @module
 */
import { type Client, connect as connectTo, type ConnectOptions } from "../../client/client.ts";
import { type Socket, webWorld } from "../../client/world.ts";
// @ts-types="./ws.d.ts"
import { WebSocket } from "ws";

/** Makes a client of the console at `url`, as `connect` of `faderd/client` does, by `ws`. */
export function connect(url: string, options: ConnectOptions = {}): Client {
  const world = { ...webWorld, open: (url: string) => new WebSocket(url) as unknown as Socket };
  return connectTo(url, { world, ...options });
}
