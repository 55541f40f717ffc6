/**
 * The messages of public clients of the device, and the parts of the answers that they read
 * (docs/existing-clients.md): the vendor's plugin for Stream Deck, and the module for Companion.
 */
import { assertEquals } from "@std/assert";
import { demoWith, type Json, startService, type TestSocket, tokens } from "../service.ts";

const logged = async (socket: TestSocket, token: string = tokens.one) => {
  socket.send({ method: "auth", token });
  return (await socket.next()).success;
};

Deno.test("a plugin for Stream Deck shows and switches a key, without msgID, by paths without leading slashes", async () => {
  await using service = await startService();
  const plugin = await service.open();
  const path = "audio/mixers/0/faders/0/on";
  assertEquals(await logged(plugin), true);
  plugin.send({ method: "subscribe", path });
  plugin.send({ method: "get", path });
  plugin.send({ method: "get", path: "/general/_uptime" });
  assertEquals(await plugin.next(), { method: "subscribe", path, success: true });
  assertEquals(await plugin.next(), { method: "get", path, payload: false, success: true });
  assertEquals((await plugin.next()).path, "/general/_uptime");
  plugin.send({ method: "set", path, payload: true });
  const update = { audio: { mixers: { 0: { faders: { 0: { on: true } } } } } };
  assertEquals(await plugin.next(), { method: "update", payload: update });
  assertEquals(await plugin.next(), { method: "set", path, payload: true, success: true });
});

Deno.test("after a restart that plugin connects without its token: it operates if anonymous may, else it gets the reason", async () => {
  const path = "audio/mixers/0/faders/0/on";
  for (const [anonymous, code] of [["operate", undefined], ["view", 4], ["none", 4]] as const) {
    await using service = await startService({ configuration: demoWith({ anonymous }) });
    const plugin = await service.open();
    plugin.send({ method: "set", path, payload: true });
    assertEquals((await plugin.next()).error?.code, code, anonymous);
  }
});

Deno.test("a module for Companion finds mixers, snapshots, logics and selectors, and operates them", async () => {
  await using service = await startService();
  const companion = await service.open();
  assertEquals(await logged(companion, tokens.admin), true);
  const ask = async (message: Json) => (await companion.ask({ msgID: 1, ...message })).payload;
  const mixers = await ask({ method: "get", path: "audio/mixers" });
  assertEquals(Object.values<Json>(mixers).map(({ _name }) => _name), ["On Air", "Production"]);
  const params = { type: 2, mixer: 0 };
  const [, closed] = (await companion.rpc("getsnapshotlist", params)).payload.result;
  assertEquals(closed.name, "All closed");
  assertEquals((await companion.rpc("loadsnapshot", { ...params, id: closed.id })).success, true);
  const logics = await ask({ method: "get", path: "/control/logics" });
  assertEquals(logics[2], { value: true, _name: "Door", _path: "Studio 1/Door" });
  const door = "/control/logics/2/value";
  assertEquals(await ask({ method: "set", path: door, payload: false }), false);
  const selector = "/audio/selectors/selectors/1";
  const listener = await service.open();
  await listener.ask({ method: "subscribe", path: selector });
  const monitoring = { left: "3", right: "4" };
  assertEquals(await ask({ method: "set", path: selector, payload: monitoring }), monitoring);
  assertEquals((await listener.next()).payload, {
    audio: { selectors: { selectors: { 1: monitoring } } },
  });
});
