/**
 * Attacks by bodies that stop before their end.
 *
 * @module
 */
import { connect as connectHttp2 } from "node:http2";
import { atOnce, type Attack, noteAnswer, sleep, type Target } from "../target.ts";
import { dial, write } from "../wire.ts";

const BODIES = 200;
const BYTES = 1024 * 1024;

/** 200 requests whose body stops one byte before its end. */
export async function stoppedBodies(target: Target): Promise<void> {
  const body = new Uint8Array(BYTES - 1).fill(0x20);
  await atOnce(BODIES, async () => {
    const socket = await dial(target.port).catch(() => undefined);
    if (socket === undefined) return target.tell("no connection");
    noteAnswer(target, socket);
    await write(
      socket,
      `POST /api/rest HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\n` +
        `content-type: application/json\r\ncontent-length: ${BYTES}\r\n\r\n`,
    );
    await write(socket, body);
  });
}

const CONNECTIONS = 10;
const STREAMS = 200;
const PIECE_BYTES = 64 * 1024;

/** 10 connections of HTTP/2 with 200 streams each, whose bodies stop before their end. */
export function stoppedStreams(scheme: "http" | "https"): Attack {
  return async (target) => {
    const port = scheme === "http" ? target.port : target.tlsPort;
    await atOnce(CONNECTIONS, async () => {
      const session = connectHttp2(`${scheme}://127.0.0.1:${port}`, { rejectUnauthorized: false });
      const ended = new Promise<void>((resolve) => session.once("close", resolve));
      session.on("error", () => {});
      session.once("connect", () => target.tell("HTTP/2 spoken"));
      const streams = atOnce(STREAMS, async () => {
        const stream = session.request({ ":method": "POST", ":path": "/api/rest" });
        stream.on("error", () => {});
        stream.on("response", (headers) => target.tell(`HTTP ${headers[":status"]}`));
        stream.on("close", () => target.over || target.tell("stream closed"));
        stream.resume();
        const piece = new Uint8Array(PIECE_BYTES).fill(0x20);
        for (let sent = 0; sent < BYTES - PIECE_BYTES && !stream.destroyed; sent += piece.length) {
          const taken = new Promise<void>((resolve) => stream.write(piece, () => resolve()));
          await Promise.race([taken, ended, sleep(5000)]);
        }
      });
      await Promise.race([streams, ended]);
      if (!target.over) target.tell("connection over, or all sent");
    });
  };
}
