/**
 * A full disk or a failed write with `storage.onFault` "refuse": the request fails with code 12 and
 * the service goes on. `degraded-mode.test.ts` has the tests of the default, "play".
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { refusing, startService, stillClock, tokens } from "../service.ts";
import { call, factory, FADER, failingStore } from "./row.ts";

Deno.test("a write that fails is code 12 over RPC and 507 on GET ?set=; reads are answered", async () => {
  const medium = failingStore();
  const world = { store: medium, clock: stillClock(), configuration: refusing };
  await using service = await startService(world);
  const socket = await service.open();
  const watcher = await service.open();
  await watcher.ask({ method: "subscribe", path: "/audio" });
  await socket.ask({ method: "auth", token: tokens.admin });
  const { state } = service.console;
  medium.fault = new Error("no space left on device");

  const writes = [
    { method: "set", path: FADER, payload: { fader: -1 } },
    call("setchannellabel", { sourceid: 1, label: "Lost" }),
    call("savesnapshot", { type: 2, id: "", writegroups: 1 }),
    call("loadsnapshot", { id: factory.channel, fader: 0 }),
  ];
  for (const write of writes) {
    for (const { success, error } of [await socket.ask(write), await service.post(write)]) {
      assertEquals([success, error?.code], [false, 12]);
      assertStringIncludes(error.message, "no space left on device");
    }
  }
  const response = await fetch(
    `${service.url}/api/rest${FADER}/fader?set=-1&token=${tokens.admin}`,
  );
  assertEquals([response.status, (await response.json()).error.code], [507, 12]);

  assert(service.console.state === state, "the state is as it was");
  assertEquals((await socket.ask({ method: "get", path: `${FADER}/fader` })).payload, -160);
  assertEquals(await (await fetch(`${service.url}/api/rest${FADER}/fader`)).json(), -160);
  assert((await socket.rpc("getsnapshotlist", { type: 2 })).success);
  assert((await socket.rpc("registerextlist", { list: 1 })).success, "what is volatile goes on");
  assertEquals(watcher.untaken, [], "nobody was told of what is not stored");

  delete medium.fault;
  assertEquals((await socket.ask(writes[0])).success, true);
  assertEquals((await watcher.next()).payload, {
    audio: { mixers: { 0: { faders: { 0: { fader: -1 } } } } },
  });
});

Deno.test("general goes on telling the time when nothing can be stored", async () => {
  const medium = failingStore();
  const clock = stillClock();
  await using service = await startService({ store: medium, clock, configuration: refusing });
  medium.fault = new Error("no space left on device");
  for (const hours of [1, 2, 3]) {
    clock.tick(3_600_000);
    const response = await fetch(`${service.url}/api/rest/general/_uptime`);
    assertEquals(await response.json(), 3600 * hours);
  }
});
