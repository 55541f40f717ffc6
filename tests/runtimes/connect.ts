/**
 * `Deno.connect` on `node:net`, with the members that tests use.
 *
 * @module
 */
import { connect } from "node:net";

/** The address to connect to. */
interface Target {
  readonly hostname: string;
  readonly port: number;
}

/** Connects; `read` answers null at the end of the connection, also after a reset. */
export async function connectHere({ hostname, port }: Target) {
  const socket = connect({ host: hostname, port });
  await new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => {});
  let isOver = false;
  socket.once("close", () => isOver = true);
  let wake = () => {};
  for (const name of ["readable", "end", "close"]) socket.on(name, () => wake());

  async function read(buffer: Uint8Array): Promise<number | null> {
    for (;;) {
      const piece: Uint8Array | null = socket.read(Math.min(buffer.length, socket.readableLength));
      if (piece !== null) {
        buffer.set(piece);
        return piece.length;
      }
      if (isOver || socket.readableEnded) return null;
      await new Promise<void>((resolve) => wake = resolve);
    }
  }

  const readable = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const buffer = new Uint8Array(64 * 1024);
      const count = await read(buffer);
      if (count === null) controller.close();
      else controller.enqueue(buffer.subarray(0, count));
    },
  }, { highWaterMark: 0 });

  return {
    read,
    readable,
    write: (bytes: Uint8Array) =>
      new Promise<number>((resolve, reject) =>
        socket.write(bytes, (fault) => fault ? reject(fault) : resolve(bytes.length))
      ),
    closeWrite: () => new Promise<void>((resolve) => void socket.end(resolve)),
    close: () => void socket.destroy(),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
