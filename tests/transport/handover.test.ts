/** Hand-overs by both interfaces, and their rights (docs/interfaces.md, "Users"). */
import { assertEquals, assertMatch } from "@std/assert";
import { passingTime } from "../timers.ts";
import { demoWith, startService, stillClock, tokens, until } from "../service.ts";

const required = demoWith({ auth: "required" });

for (const anonymous of ["operate", "view", "none"] as const) {
  Deno.test(`with anonymous "${anonymous}" a code needs no token, on either interface`, async () => {
    await using service = await startService({ configuration: demoWith({ anonymous }) });
    for (const over of ["http", "websocket"]) {
      const { payload } = await service.rpc("makehandover", { name: "two" });
      const { code } = payload.result;
      const message = { method: "rpc", payload: { method: "takehandover", params: { code } } };
      const socket = await service.open();
      const answer = over === "http"
        ? await (await fetch(`${service.url}/api/rest`, {
          method: "POST",
          body: JSON.stringify(message),
        })).json()
        : await socket.ask(message);
      const { name, token } = answer.payload.result;
      assertEquals(name, "two");
      assertEquals((await socket.ask({ method: "auth", token })).success, true);
      await socket.close();
    }
  });
}

Deno.test('with auth "required" a code logs in as a token does, and no other text does', async () => {
  await using service = await startService({ configuration: required });
  const { payload: { result: { code } } } = await service.rpc("makehandover", { name: "one" });
  const socket = await service.open();
  assertEquals((await socket.rpc("getuser", {})).error.code, 4);
  const { payload: { result: { token } } } = await socket.rpc("takehandover", { code });
  assertEquals((await socket.rpc("getuser", {})).error.code, 4, "the connection is nobody's still");
  assertEquals((await socket.ask({ method: "auth", token })).success, true);
});

Deno.test("only the connection that made a code is told of its use; connections of the user are closed", async () => {
  await using service = await startService();
  const [maker, other, old] = [await service.open(), await service.open(), await service.open()];
  for (const socket of [maker, other]) await socket.ask({ method: "auth", token: tokens.admin });
  await old.ask({ method: "auth", token: tokens.one });
  const made = await maker.rpc("makehandover", { name: "one", minutes: 1 });
  const { code } = made.payload.result;
  const device = await service.open();
  await device.rpc("takehandover", { code });
  assertEquals(await maker.next(), {
    method: "event",
    payload: { type: "handovertaken", params: { name: "one" } },
  });
  assertEquals(await old.closed, 1012);
  await other.ask({ method: "get", path: "/general/_name" });
  assertEquals(other.untaken, []);
});

Deno.test("the answer to a wrong code is delayed as that to a wrong token, that to a right code is not", async () => {
  const { timer, pass } = passingTime();
  const addresses: string[] = [];
  const wrongTokens = {
    count(address: string) {
      addresses.push(address);
      return 5000;
    },
  };
  await using service = await startService({
    clock: stillClock(),
    serviceTimer: timer,
    wrongTokens,
  });
  const { payload: { result: { code } } } = await service.rpc("makehandover", { name: "one" });
  const socket = await service.open();
  const wrong = socket.rpc("takehandover", { code: tokens.two });
  await until(() => addresses.length === 1);
  pass(4999);
  assertEquals(socket.untaken, []);
  pass(1);
  const { error } = await wrong;
  assertEquals(error.code, 4);
  assertMatch(error.message, /^code: expected the latest code/);
  assertEquals((await socket.rpc("takehandover", { code })).payload.result.name, "one");
  assertEquals(addresses.length, 1);
});
