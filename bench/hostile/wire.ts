/**
 * Connections of the clients of `hostile.ts`, from any address of this machine. They read only when
 * they want to.
 *
 * @module
 */
import { connect, type Socket } from "node:net";
import { createFrameReader, frame, type FrameListener, handshake, PING, PONG } from "../frames.ts";

/** Opens a TCP connection to the service from an address of this machine. */
export function dial(port: number, localAddress: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      // A failure is followed by the end of the connection, which is noticed.
      socket.on("error", () => {});
      socket.setNoDelay();
      // Each write that is under way listens for the end.
      socket.setMaxListeners(0);
      resolve(socket);
    });
  });
}

/** Writes bytes; resolves once the system has taken them, or the connection is gone. */
export function write(socket: Socket, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    socket.once("close", resolve);
    socket.write(bytes, () => {
      socket.off("close", resolve);
      resolve();
    });
  });
}

/** Resolves at the end of a connection. */
export function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once("close", () => resolve());
  });
}

/** Resolves with the status of an HTTP answer, 0 if none comes; then pauses the connection. */
export function statusFrom(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    socket.once("close", () => resolve(0));
    socket.once("data", (first: Uint8Array) => {
      socket.pause();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(new TextDecoder().decode(first))?.[1] ?? 0));
    });
  });
}

/** Opens a WebSocket; rejects with the status if it is refused. Without `hear` nothing is read. */
export async function openWire(
  port: number,
  from: string,
  hear?: FrameListener,
  token?: string,
): Promise<{ readonly socket: Socket; send(text: string): Promise<void> }> {
  const socket = await dial(port, from);
  await write(socket, handshake(port, token));
  const status = await statusFrom(socket);
  if (status !== 101) {
    socket.destroy();
    throw new Error(`HTTP ${status}`);
  }
  if (hear !== undefined) {
    const read = createFrameReader((opcode, payload) => {
      if (opcode === PING) write(socket, frame(PONG, payload));
      else hear(opcode, payload);
    });
    socket.on("data", read);
    socket.resume();
  }
  return { socket, send: (text) => write(socket, frame(1, text)) };
}
