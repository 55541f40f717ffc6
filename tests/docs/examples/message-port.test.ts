/** The example of a transport: a client and a service without a network. */
import { assertEquals, assertRejects } from "@std/assert";
import { serveOnPort, worldOn } from "../../../docs/examples/message-port.ts";
import { connect, RequestError } from "../../../client/client.ts";
import { machine, machineScheduler, machineTimer } from "../../../runtimes/clock.ts";
import { serviceOf, testConsole, tokens } from "../../service.ts";

const FADER = "/audio/mixers/0/faders/0/fader";

Deno.test("a client and a service talk over a MessagePort: requests, updates, refusals and the close", async () => {
  const console = await testConsole();
  const { service, sessions } = serviceOf(console, {
    clock: machine.clock,
    timer: machineTimer,
    scheduler: machineScheduler(),
  });
  const faults: unknown[] = [];
  const world = worldOn(() => {
    const { port1, port2 } = new MessageChannel();
    serveOnPort(service, port2, "page").catch((fault) => faults.push(fault));
    return port1;
  });
  const desk = connect("ws://localhost/api/ws", { token: tokens.admin, world });
  await desk.ready();
  const level = await desk.watch(FADER);
  await desk.set(FADER, -12);
  await level.until((dB) => dB === -12);
  await assertRejects(() => desk.get("/nowhere"), RequestError, "no such path");
  assertEquals(sessions.count, 1);
  const lost = new Promise<void>((resolve) => {
    desk.onState(({ state }) => state === "lost" && resolve());
  });
  sessions.closeAll(1001, "the service is stopping");
  await lost;
  // The client connects again by itself.
  await desk.ready();
  assertEquals(await desk.get(FADER), -12);
  await desk.close();
  assertEquals(faults, []);
});

Deno.test("a client talks over a MessagePort in a runtime that has no WebSocket", async () => {
  const { service } = serviceOf(await testConsole(), {
    clock: machine.clock,
    timer: machineTimer,
    scheduler: machineScheduler(),
  });
  const world = worldOn(() => {
    const { port1, port2 } = new MessageChannel();
    void serveOnPort(service, port2, "page");
    return port1;
  });
  const { WebSocket } = globalThis;
  Reflect.deleteProperty(globalThis, "WebSocket");
  try {
    await using desk = connect("ws://localhost/api/ws", { world });
    await desk.ready();
    assertEquals(await desk.set(FADER, -12), -12);
  } finally {
    Object.assign(globalThis, { WebSocket });
  }
});
