/** `getclientlist`: the open WebSocket connections (decisions.md, "Users"). */
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { machineTimer } from "../../../runtimes/clock.ts";
import { assert, assertEquals } from "@std/assert";
import { ample } from "../../budgets.ts";
import { createSessions } from "../../../transport/websocket/sessions.ts";
import type { Socket } from "../../../transport/websocket/send-buffer.ts";
import {
  demoWith,
  type Json,
  startService,
  stillClock,
  testConsole,
  type TestService,
  tokens,
} from "../../service.ts";
import { openRaw } from "../raw-socket.ts";

async function clients(service: TestService): Promise<Json[]> {
  return (await service.rpc("getclientlist", {})).payload.result;
}

Deno.test("getclientlist has each connection with address, user, time, subscriptions and unread bytes, in order of arrival", async () => {
  const clock = stillClock();
  await using service = await startService({ clock });
  assertEquals(await clients(service), []);
  clock.tick(Date.UTC(2026, 9, 2, 7, 30));
  const first = await service.open();
  clock.tick(5);
  const second = await service.open();
  await first.ask({ method: "auth", token: tokens.one });
  for (const path of ["/audio", "/audio/mixers/0", "/general", "audio/"]) {
    await second.ask({ method: "subscribe", path });
  }
  const of = (user: string | null, since: string, subscriptions: number) => ({
    address: "127.0.0.1",
    user,
    since: `2026-10-02T07:30:00.${since}Z`,
    subscriptions,
    unread: 0,
    claims: [],
  });
  const expected = [of("one", "000", 0), of(null, "005", 3)];
  assertEquals(await clients(service), expected);
  assertEquals(Object.keys((await clients(service))[0]), Object.keys(expected[0]!));

  await second.ask({ method: "auth", token: tokens.admin });
  await second.ask({ method: "unsubscribe", path: "/general" });
  const own = await second.rpc("getclientlist", {});
  assertEquals(own.payload.result, [of("one", "000", 0), of("admin", "005", 2)]);

  await first.close();
  let left = await clients(service);
  while (left.length > 1) left = await clients(service);
  assertEquals(left, [of("admin", "005", 2)], "one that was closed is gone");
});

Deno.test("the connection of a removed user has no user name", async () => {
  await using service = await startService();
  const socket = await service.open();
  await socket.ask({ method: "auth", token: tokens.one });
  assertEquals((await clients(service)).map(({ user }) => user), ["one"]);
  await service.rpc("removeuser", { name: "one" });
  assert(!(await clients(service)).some(({ user }) => user === "one"));
});

for (const [trustProxy, address] of [[false, "127.0.0.1"], [true, "203.0.113.9"]] as const) {
  Deno.test(`the address of a connection is the one that counts for limits: trustProxy ${trustProxy}`, async () => {
    const configuration = demoWith({ limits: { rest: { trustProxy } } });
    await using service = await startService({ configuration });
    const headers = { "x-forwarded-for": "198.51.100.7, ::ffff:203.0.113.9" };
    using _ = await openRaw(`${service.url}/api/ws`, headers);
    assertEquals((await clients(service)).map((client) => client.address), [address]);
  });
}

Deno.test("unread is the number of bytes that wait in the buffer of the socket", async () => {
  const sessions = createSessions(await testConsole(), {
    timer: machineTimer,
    scheduler: withoutPauses,
    budget: ample,
  });
  const peer = { address: "192.0.2.1", since: 0 };
  const socket = { bufferedAmount: 0, send() {}, close() {} };
  const session = sessions.open(socket satisfies Socket, peer);
  socket.bufferedAmount = 4711;
  assertEquals(sessions.clients().map((client: Json) => client.unread), [4711]);
  session.closed();
  assertEquals(sessions.clients(), []);
});
