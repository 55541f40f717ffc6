import { assertEquals } from "@std/assert";
import { listenTcp } from "../../../runtimes/deno/tcp.ts";
import type { ByteSocket } from "../../../transport/byte-socket.ts";
import { until } from "../../service.ts";
import { fasterTimer } from "../../timers.ts";

/** A second of the service is 10 ms of this machine. */
const fastTimer = fasterTimer(100);

/** Listens, and records the connections, their ends and faults. */
function listening(receive: (bytes: Uint8Array, socket: ByteSocket) => void = () => {}) {
  const opened: { readonly socket: ByteSocket; readonly address: string }[] = [];
  const faults: unknown[] = [];
  let closed = 0;
  const server = listenTcp({ hostname: "127.0.0.1", port: 0 }, {
    open(socket, address) {
      opened.push({ socket, address });
      return { receive: (bytes) => receive(bytes, socket), closed: () => void closed++ };
    },
    timer: fastTimer,
    onFault: (fault) => void faults.push(fault),
  });
  return {
    opened,
    faults,
    get closed() {
      return closed;
    },
    connect: () => Deno.connect(server.address),
    stop: server.stop,
  };
}

Deno.test("bytes are received and sent in their order, and the end is told once", async () => {
  const tcp = listening((bytes, socket) => socket.send(bytes.slice()));
  const client = await tcp.connect();
  const buffer = new Uint8Array(8);
  for (let number = 0; number < 100; number++) {
    await client.write(Uint8Array.of(number));
    assertEquals([await client.read(buffer), buffer[0]], [1, number]);
  }
  assertEquals(tcp.opened[0]?.address, "127.0.0.1");
  client.close();
  await until(() => tcp.closed === 1);
  tcp.opened[0]!.socket.close();
  tcp.opened[0]!.socket.send(Uint8Array.of(1));
  await tcp.stop();
  assertEquals([tcp.closed, tcp.faults], [1, []]);
});

Deno.test("a client that reads nothing for 60 s is closed, and the bytes that wait for it are dropped", async () => {
  const tcp = listening();
  const client = await tcp.connect();
  await until(() => tcp.opened.length === 1);
  const { socket } = tcp.opened[0]!;
  // More than the buffers of the network hold.
  for (let count = 0; count < 64; count++) socket.send(new Uint8Array(1024 * 1024));
  await until(() => tcp.closed === 1);
  assertEquals(socket.bufferedAmount, 0);
  client.close();
  await tcp.stop();
  assertEquals(tcp.faults, []);
});

Deno.test("a fault in the receiver of bytes closes that connection, and is reported", async () => {
  const fault = new Error("the test says so");
  const tcp = listening(() => {
    throw fault;
  });
  const client = await tcp.connect();
  const other = await tcp.connect();
  await until(() => tcp.opened.length === 2);
  await client.write(Uint8Array.of(1));
  await until(() => tcp.closed === 1);
  assertEquals(tcp.faults, [fault]);
  await tcp.stop();
  await until(() => tcp.closed === 2);
  client.close();
  other.close();
});
