/** Hostile consumers: none takes unbounded memory or delays other consumers. */
import { assert, assertEquals } from "@std/assert";
import { concat } from "@std/bytes/concat";
import {
  EMBER_DIRECTORIES,
  EMBER_MESSAGE_BYTES,
  EMBER_PACKET_BYTES,
} from "../../../core/limits.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { set } from "../../../core/tree/set.ts";
import type { Change } from "../../../transport/ember/change.ts";
import { ALIVE, ASK_ALIVE, messagePackets } from "../../../transport/ember/s101.ts";
import { createUpdates } from "../../../transport/ember/updates.ts";
import { demoWith, result, until } from "../../service.ts";
import { fasterTimer, passingTime } from "../../timers.ts";
import { repeated, sendUntilClosed } from "../flood.ts";
import { connectConsumer, requestFor, ROOT_DIRECTORY, setRequest, startEmber } from "./consumer.ts";

const ember = { listen: "127.0.0.1:0" } as const;
const configuration = demoWith({ ember });

/** A second of the service is 50 ms of this machine. */
const fastTimer = fasterTimer(20);

const DIRECTORY = "a2{64{a0{62{a0{02 01 20}}}}}";

Deno.test("a consumer that sends requests without reading is closed, and another is answered", async () => {
  await using service = await startEmber(configuration);
  await using deaf = await connectConsumer(service, false);
  await using innocent = await connectConsumer(service);
  let isClosed = false;
  const closed = sendUntilClosed(deaf.send, repeated(requestFor("1.4", DIRECTORY), 500))
    .then(() => isClosed = true);
  assertEquals((await innocent.directory("1")).length, 10);
  assertEquals(isClosed, false);
  await closed;
  assertEquals((await innocent.directory("1")).length, 10);
  assertEquals(service.faults, []);
});

Deno.test("a connection with half a frame is closed after 10 s, with an endless frame at once", async () => {
  await using service = await startEmber(configuration, fastTimer);
  await using half = await connectConsumer(service);
  await half.send(ROOT_DIRECTORY.subarray(0, 8));
  await until(() => half.isClosed);
  await using slow = await startEmber(configuration);
  await using endless = await connectConsumer(slow);
  await endless.send(concat([Uint8Array.of(0xfe), new Uint8Array(EMBER_MESSAGE_BYTES + 1)]));
  await until(() => endless.isClosed);
});

Deno.test("a connection with half a message is closed 10 s after the beginning of the message", async () => {
  const { timer, pass } = passingTime();
  await using service = await startEmber(configuration, timer);
  await using consumer = await connectConsumer(service);
  const whole = messagePackets(new Uint8Array(2 * EMBER_PACKET_BYTES));
  const half = whole.subarray(0, whole.indexOf(0xff) + 1);
  /** Sends bytes and a keep-alive, whose answer shows that all earlier bytes were read. */
  const answered = async (...bytes: Uint8Array[]) => {
    const { alive } = consumer;
    await consumer.send(concat([...bytes, ASK_ALIVE]));
    await until(() => consumer.alive > alive);
  };
  await answered();
  pass(5000);
  await answered(half);
  pass(9999);
  await answered();
  pass(1);
  await until(() => consumer.isClosed);
});

Deno.test("requests behind a too long frame are not carried out", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await using innocent = await connectConsumer(service);
  const tooLong = new Uint8Array(EMBER_MESSAGE_BYTES + 100).fill(1);
  tooLong[0] = 0xfe;
  await consumer.send(concat([tooLong, setRequest("1.4.1.1", -44)]));
  await until(() => consumer.isClosed);
  const [fader] = await innocent.directory("1.4.1");
  assertEquals(fader!.contents[2], -160);
  assertEquals(service.audit, []);
});

Deno.test("a consumer that begins with another protocol, such as a page in a browser, is closed", async () => {
  await using service = await startEmber(configuration);
  await using browser = await connectConsumer(service);
  const head = new TextEncoder().encode("POST / HTTP/1.1\r\nHost: 127.0.0.1:9000\r\n\r\n");
  await browser.send(concat([head, ROOT_DIRECTORY]));
  await until(() => browser.isClosed);
  assertEquals(browser.messages, 0);
});

Deno.test("a silent consumer gets a keep-alive, and is closed if it does not answer", async () => {
  await using service = await startEmber(configuration, fastTimer);
  await using dead = await connectConsumer(service);
  await using alive = await connectConsumer(service);
  const answering = setInterval(() => alive.send(ALIVE).catch(() => {}), 50);
  await until(() => dead.isClosed);
  assertEquals(alive.isClosed, false);
  clearInterval(answering);
});

Deno.test("endless requests for directories delay another consumer by at most one turn", async () => {
  await using service = await startEmber(configuration);
  await using greedy = await connectConsumer(service);
  await using innocent = await connectConsumer(service);
  const count = 2000;
  const fader = await innocent.find("Device", "Tree", "audio", "mixers", "_0", "faders", "_0");
  await greedy.send(repeated(requestFor(fader.path, DIRECTORY), count));
  await until(() => greedy.messages > 0);
  await innocent.directory("1");
  assert(greedy.messages < count / 2, `${greedy.messages} came before`);
  await until(() => greedy.messages === count);
});

Deno.test("a consumer that has asked for every directory gets every change", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await using innocent = await connectConsumer(service);
  const paths = ["1"];
  let directories = 0;
  for (let next = paths.shift(); next !== undefined; next = paths.shift()) {
    directories++;
    for (const { path, tag } of await consumer.directory(next)) {
      if ((tag === 0x6a || tag === 0x63) && path !== next) paths.push(path);
    }
  }
  assert(directories > 500);
  const from = consumer.came.length;
  const eight = [0, 1, 2, 3, 4, 5, 6, 7];
  const faders = Object.fromEntries(eight.map((id) => [id, { fader: -id, on: true, pfl1: true }]));
  await result(service.console, set("/audio/mixers/0/faders", faders));
  // Each value is at two paths.
  await until(() => consumer.came.length >= from + 3 * 8 * 2);
  assertEquals((await innocent.directory("1")).length, 10);
});

Deno.test("a consumer that has asked for more directories than are remembered gets all changes", () => {
  const { timer, pass } = passingTime();
  const written: (readonly Change[])[] = [];
  const updates = createUpdates({
    output: {
      message() {},
      packet() {},
      lags: () => false,
      untilRead: () => undefined,
      close() {},
    },
    timer,
    scheduler: withoutPauses,
    address: "127.0.0.1",
    onFault(fault) {
      throw fault;
    },
    *write(changes) {
      written.push(changes);
      yield;
      return undefined;
    },
  });
  const change = { key: "2.1", above: "2", numbers: [2, 1], what: "value", path: [] } as const;
  for (let number = 0; number < EMBER_DIRECTORIES; number++) updates.listen(`1.${number}`);
  updates.tell(change);
  pass(100);
  assertEquals(written, []);
  updates.listen("3");
  updates.tell(change);
  pass(100);
  assertEquals(written, [[change]]);
});

Deno.test("an address has at most limits.connectionsPerAddress connections", async () => {
  await using service = await startEmber(
    demoWith({ ember, limits: { connectionsPerAddress: 2 } }),
  );
  await using one = await connectConsumer(service);
  {
    await using two = await connectConsumer(service);
    await two.directory("");
    await using three = await connectConsumer(service);
    await until(() => three.isClosed);
  }
  await one.directory("");
  // The place of the second is free again once the provider notices its end.
  let isServed = false;
  while (!isServed) {
    await using again = await connectConsumer(service);
    await again.send(ROOT_DIRECTORY).catch(() => {});
    await until(() => again.isClosed || again.messages > 0);
    isServed = again.messages > 0;
  }
});
