/** Hostile clients: none takes unbounded memory or delays other clients. */
import { assert, assertEquals } from "@std/assert";
import { concat } from "@std/bytes/concat";
import { TCP_UNREAD_BYTES, TCP_UPDATE_MS, TCP_WHOLE_MS } from "../../../core/limits.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { set } from "../../../core/tree/set.ts";
import { machineScheduler } from "../../../runtimes/clock.ts";
import { createBudget } from "../../../transport/budget.ts";
import { createProvider } from "../../../transport/ecp/provider.ts";
import { demoWith, result, serviceOf, stillClock, testConsole, until } from "../../service.ts";
import { fasterTimer, passingTime } from "../../timers.ts";
import { startByteService } from "../byte-service.ts";
import { repeated, sendUntilClosed } from "../flood.ts";
import { blocks, shownBlock } from "./blocks.ts";
import { connectClient } from "./client.ts";

const ecp = { listen: "127.0.0.1:0" } as const;
const configuration = demoWith({ ecp });

/** A second of the service is 10 ms of this machine. */
const fastTimer = fasterTimer(100);

const ASK = blocks("02 00 110E0000 0002");

Deno.test("a client that sends requests without reading is closed, and another is answered", async () => {
  await using service = await startByteService(configuration);
  await using deaf = await connectClient(service, false);
  await using innocent = await connectClient(service);
  const closed = sendUntilClosed(deaf.sendBytes, repeated(ASK, 4000));
  for (let count = 0; count < 20; count++) {
    assertEquals(await innocent.ask(["02 00 110E0000 0002"]), ["03 110E0000 000201"]);
  }
  await closed;
  assertEquals(await innocent.ask(["02 00 110E0000 0002"]), ["03 110E0000 000201"]);
  assertEquals(service.faults, []);
});

Deno.test("endless requests delay another client by at most one turn", async () => {
  const { open } = await held(machineScheduler());
  const greedy = open("127.0.0.1");
  const innocent = open("127.0.0.2");
  const count = 5000;
  greedy.client.receive(repeated(ASK, count));
  innocent.client.receive(ASK);
  await until(() => innocent.network.sent.length > 0);
  const before = greedy.network.sent.length;
  assert(before < count / 2, `${before} came before`);
  await until(() => greedy.network.sent.length === count);
  greedy.client.closed();
  innocent.client.closed();
});

Deno.test("endless sets are refused over limits.writes, and answered", async () => {
  const limits = { writes: { perMinute: 10, burstMinutes: 1 } };
  await using service = await startByteService(demoWith({ ecp, limits }));
  await using greedy = await connectClient(service);
  await using innocent = await connectClient(service);
  const sets = ["03 00 110E0000 0002 00", "03 00 110E0000 0002 01"];
  const answers = await greedy.ask(new Array(20).fill(sets).flat(), 40);
  const last = new Set(answers.slice(20));
  assertEquals(last.size, 1);
  assert(service.audit.some(({ refused }) => refused?.code === 11));
  assertEquals(await innocent.ask(["02 00 110E0000 0002"]), [...last]);
});

Deno.test("a connection with half a block is closed after 10 s; a silent connection stays open", async () => {
  await using service = await startByteService(configuration, fastTimer);
  await using quiet = await connectClient(service);
  await using half = await connectClient(service);
  await half.sendBytes(concat([ASK, ASK.subarray(0, 7)]));
  await until(() => half.isClosed);
  assertEquals(half.came, ["03 110E0000 000201"]);
  assertEquals(await quiet.ask(["02 00 110E0000 0002"]), ["03 110E0000 000201"]);
});

Deno.test("a block that comes byte by byte also has 10 s; each block has its own 10 s", async () => {
  const { open, pass } = await held();
  const { client, network } = open();
  for (let count = 0; count < 3; count++) {
    client.receive(ASK.subarray(0, 8));
    pass(6000);
    client.receive(concat([ASK.subarray(8), ASK.subarray(0, 1)]));
    pass(6000);
    client.receive(ASK.subarray(1));
  }
  pass(TCP_WHOLE_MS);
  assertEquals(network.isClosed, false);
  client.receive(ASK.subarray(0, 1));
  pass(6000);
  client.receive(ASK.subarray(1, 2));
  pass(3999);
  assertEquals(network.isClosed, false);
  pass(1);
  assertEquals(network.isClosed, true);
});

Deno.test("a block whose rest comes later is answered", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await client.sendBytes(ASK.subarray(0, 5));
  await client.sendBytes(ASK.subarray(5));
  await until(() => client.came.length === 1);
  assertEquals(client.isClosed, false);
});

Deno.test("a client that begins with another protocol, such as a page in a browser, is closed", async () => {
  await using service = await startByteService(configuration);
  await using browser = await connectClient(service);
  const head = new TextEncoder().encode("POST / HTTP/1.1\r\nHost: 127.0.0.1:2008\r\n\r\n");
  const padded = new Uint8Array(Math.ceil(head.length / 16) * 16).fill(0x20);
  padded.set(head);
  await browser.sendBytes(concat([padded, blocks("03 00 110E0000 0002 00")]));
  await until(() => browser.isClosed);
  await using client = await connectClient(service);
  assertEquals(await client.ask(["02 00 110E0000 0002"]), ["03 110E0000 000201"]);
  assertEquals(browser.came, []);
});

/** A provider in simulated time, and clients whose network the test controls. */
async function held(scheduler = withoutPauses) {
  const console = await testConsole({ configuration, clock: stillClock() });
  const { timer, pass, pending } = passingTime();
  const { sessions } = serviceOf(console, { clock: stillClock(), timer, scheduler });
  const provider = createProvider({
    console,
    timer,
    scheduler,
    budget: createBudget(() => console.state.configuration.limits.memory),
    sessions,
    may: "operate",
    onFault: (fault) => {
      throw fault;
    },
  });
  const idle = pending();
  const change = (path: string, value: unknown) => result(console, set(path, value));
  function open(address = "127.0.0.1") {
    const network = { sent: [] as string[], bufferedAmount: 0, isClosed: false };
    const client = provider.open({
      send: (bytes) => void network.sent.push(shownBlock(bytes)),
      close: () => void (network.isClosed = true),
      get bufferedAmount() {
        return network.bufferedAmount;
      },
    }, address)!;
    return { client, network };
  }
  return { open, change, pass, left: () => pending() - idle };
}

Deno.test("a lagging client gets the values in force once it reads, not each earlier change", async () => {
  const { open, change, pass } = await held();
  const { client, network } = open();
  network.bufferedAmount = TCP_UNREAD_BYTES / 2;
  for (const isOn of [false, true, false]) await change("/control/logics/2/value", isOn);
  pass(1000);
  assertEquals(network.sent, []);
  network.bufferedAmount = 0;
  pass(1000);
  assertEquals(network.sent, ["03 110E0000 000200"]);
  client.closed();
});

Deno.test("levels that change all the time are sent 25 times a second, and the last level always", async () => {
  const { open, change, pass, left } = await held();
  const { client, network } = open();
  client.receive(blocks("01 00 11030000 01"));
  for (let step = 0; step < 100; step++) {
    await change("/audio/mixers/0/faders/4/fader", -step);
    pass(10);
  }
  pass(TCP_UPDATE_MS);
  assertEquals(network.sent.length, 26);
  assertEquals(network.sent.at(-1), "04 11030000 0004D954");
  client.receive(blocks("02").subarray(0, 3));
  client.closed();
  assertEquals(left(), 0);
  pass(TCP_WHOLE_MS);
  assertEquals(network.isClosed, false);
});
