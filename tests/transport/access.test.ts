/** Access over real connections: the event goes to the connections that called getaccess. */
import { assertEquals } from "@std/assert";
import { type Json, startService, type TestSocket } from "../service.ts";

const told = (first: object, second: object = {}) => ({
  mixer: { 0: { accessgroup: first }, 1: { accessgroup: second } },
});

/** The messages that came before the answer to a further request. */
async function before(socket: TestSocket): Promise<Json[]> {
  const messages = [];
  socket.send({ method: "get", path: "/general/_api_version", msgID: "mark" });
  for (let message = await socket.next(); message.msgID !== "mark"; message = await socket.next()) {
    messages.push(message.payload);
  }
  return messages;
}

const event = (params: object) => ({ type: "getaccess", params });

Deno.test("getaccess answers the fader of each access group, and later changes come to the connections that called it", async () => {
  await using service = await startService();
  const asker = await service.open();
  const stranger = await service.open();
  assertEquals((await asker.rpc("getaccess", {})).payload.result, told({}));
  await service.rpc("setaccess", { fader: 3 });
  await service.rpc("setaccess", { fader: 3 });
  await service.rpc("setaccess", { mixer: 1, accessgroup: 2, fader: 0 });
  await service.rpc("setaccess", { fader: null });
  assertEquals(await before(asker), [
    event(told({ 1: 3 })),
    event(told({ 1: 3 }, { 2: 0 })),
    event(told({}, { 2: 0 })),
  ]);
  assertEquals(await before(stranger), []);
  const { payload } = await service.rpc("getaccess", {});
  assertEquals(payload.result, told({}, { 2: 0 }), "over HTTP, too");
});

Deno.test("setaccess for an unknown mixer or fader is error 6, and changes nothing", async () => {
  await using service = await startService();
  const { state } = service.console;
  const rows = [[{ mixer: 7, fader: 0 }, 6], [{ fader: 99 }, 6], [{ mixer: 7, fader: null }, 6], [
    { accessgroup: 9, fader: 0 },
    3,
  ], [{}, 3]] as const;
  for (const [params, code] of rows) {
    assertEquals((await service.rpc("setaccess", params)).error.code, code, JSON.stringify(params));
  }
  assertEquals(service.console.state.access, state.access);
});

Deno.test("a viewer may call getaccess, and setaccess is refused (5)", async () => {
  await using service = await startService();
  const user = { name: "viewer", groups: 1, may: "view" };
  const { token } = (await service.rpc("adduser", user)).payload.result;
  const socket = await service.open();
  await socket.ask({ method: "auth", token });
  assertEquals((await socket.rpc("getaccess", {})).payload.result, told({}));
  assertEquals((await socket.rpc("setaccess", { fader: 1 })).error.code, 5);
});
