/**
 * A client of a console that serves ECP.
 *
 * @module
 */
import { BLOCK_BYTES } from "../../../transport/ecp/block.ts";
import { until } from "../../service.ts";
import type { ByteService } from "../byte-service.ts";
import { blocks, shownBlock } from "./blocks.ts";

/** A client. */
export interface TestClient extends AsyncDisposable {
  /** All received blocks, in order, as {@linkcode shownBlock} writes them. */
  readonly came: readonly string[];
  /** The number of bytes of each read. */
  readonly reads: readonly number[];
  /** Whether the service has ended the connection. */
  readonly isClosed: boolean;
  sendBytes(bytes: Uint8Array): Promise<void>;
  /** Sends blocks in one piece. */
  send(...texts: readonly string[]): Promise<void>;
  /** Sends blocks, and returns the next `count` blocks. */
  ask(texts: readonly string[], count?: number): Promise<readonly string[]>;
  /** The blocks since the last call, up to the answer to a request for an unknown logic. */
  rest(): Promise<readonly string[]>;
}

/** A logic that no console of a test has. */
const UNKNOWN = "02 00 110E0000 FFFF";

/** Connects a client; `reads` says whether it reads from its socket. */
export async function connectClient(
  { port }: Pick<ByteService, "port">,
  reads = true,
): Promise<TestClient> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const came: string[] = [];
  const sizes: number[] = [];
  let isClosed = false;
  let taken = 0;

  async function read(): Promise<void> {
    const buffer = new Uint8Array(64 * 1024);
    for (;;) {
      const count = await connection.read(buffer).catch(() => null);
      if (count === null) break;
      sizes.push(count);
      for (let at = 0; at < count; at += BLOCK_BYTES) {
        came.push(shownBlock(buffer.subarray(at, at + BLOCK_BYTES)));
      }
    }
    isClosed = true;
  }

  const reading = reads ? read() : Promise.resolve();

  async function sendBytes(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  }

  const send = (...texts: readonly string[]) => sendBytes(blocks(...texts));

  async function ask(texts: readonly string[], count = 1): Promise<readonly string[]> {
    const from = came.length;
    await send(...texts);
    await until(() => came.length >= from + count);
    taken = from + count;
    return came.slice(from, taken);
  }

  return {
    came,
    reads: sizes,
    get isClosed() {
      return isClosed;
    },
    sendBytes,
    send,
    ask,
    async rest() {
      await send(UNKNOWN);
      const last = "03 110E0000 FFFF00";
      await until(() => came.slice(taken).includes(last));
      const rest = came.slice(taken, came.indexOf(last, taken));
      taken = came.length;
      return rest;
    },
    async [Symbol.asyncDispose]() {
      try {
        connection.close();
      } catch {
        // The service has ended the connection.
      }
      await reading;
    },
  };
}
