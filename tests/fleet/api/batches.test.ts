import { assertEquals, assertMatch } from "@std/assert";
import { connect } from "../../../client/client.ts";
import { openSocket } from "../../service.ts";
import { ADMIN_TOKEN, entry, fakeCore, idOf, USER_TOKEN } from "../fake-core.ts";
import { serveHub } from "../serve-hub.ts";

const request = { method: "set", path: "/audio/mixers/0/faders/0/label", payload: "Host" };

Deno.test("fleetdo begins a batch, fleetbatch answers its results, and fleetagain repeats the failed commands", async () => {
  const core = fakeCore();
  core.put(idOf(1), entry("One", { site: "Berlin" }));
  core.put(idOf(2), entry("Two", { site: "Berlin" }, "gone"));
  await using hub = await serveHub(core);
  const id = "d".repeat(32);
  const params = { select: { site: "Berlin" }, request, id };
  const { payload } = await hub.rpc("fleetdo", params, USER_TOKEN);
  const { created, expires, ...begun } = payload.result;
  assertEquals(Date.parse(expires) - Date.parse(created), 3000);
  const counts = { queued: 0, sent: 0, done: 1, refused: 1, expired: 0, unknown: 0 };
  const facts = { by: "ben", request: `set ${request.path}`, kind: "live" };
  assertEquals(begun, { id, ...facts, consoles: 2, state: "settled", counts });
  const told = (await hub.rpc("fleetbatch", { batch: id }, ADMIN_TOKEN)).payload.result;
  const [one, two] = told.results;
  assertEquals([one.console, one.name, one.outcome], [idOf(1), "One", "done"]);
  assertMatch(two.why, /is gone since/);
  core.put(idOf(2), entry("Two", { site: "Berlin" }));
  const again = (await hub.rpc("fleetagain", { batch: id }, USER_TOKEN)).payload.result;
  assertEquals([again.consoles, again.counts.done, again.again], [1, 1, id]);
  const trail = (await hub.rpc("getaudit", {}, ADMIN_TOKEN)).payload.result;
  // deno-lint-ignore no-explicit-any
  assertEquals(trail.map(({ user, what, target }: any) => [user, what, target.consoles]), [
    ["ben", "fleetagain", 1],
    ["ben", "fleetdo", 2],
  ]);
});

Deno.test("fleetdo with preview changes nothing, and answers the values that would change", async () => {
  const core = fakeCore();
  core.put(idOf(1), entry("One", { site: "Berlin" }));
  core.commands.would = () => ({ before: { a: 1 }, after: { a: 2 } });
  await using hub = await serveHub(core);
  const params = { select: { all: true }, request, preview: true };
  const { payload } = await hub.rpc("fleetdo", params, USER_TOKEN);
  const changes = [{ path: "/a", before: 1, after: 2 }];
  assertEquals(payload.result, {
    preview: [{ console: idOf(1), name: "One", site: "Berlin", changes, more: 0 }],
  });
  assertEquals(core.commands.submitted, []);
});

Deno.test("an invalid parameter of fleetdo is refused, and the message names it", async () => {
  const core = fakeCore();
  core.put(idOf(1), entry("One"));
  await using hub = await serveHub(core);
  const select = { all: true };
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ request }, /^select: expected/],
    [{ select: { place: "Berlin" }, request }, /^select\.place: expected ids, site, name/],
    [{ select: {}, request }, /^select: expected at least one of/],
    [{ select: { ids: ["x"] }, request }, /^select\.ids\.0: expected 32 lower-case/],
    [{ select, request: { method: "get" } }, /^request\.method: expected/],
    [{ select, request: { method: "set", path: "/a" } }, /^request\.payload: expected a value/],
    [{ select, request: { ...request, token: "x" } }, /^request\.token: expected/],
    [
      { select, request: { method: "rpc", payload: { method: "x".repeat(65) } } },
      /^request\.payload\.method: expected at most 64 characters/,
    ],
    [{ select, request, kind: "later" }, /^kind: expected live or kept/],
    [{ select, request, expires: 0 }, /^expires: expected an integer from 1/],
    [{ select, request, require: [] }, /^require: expected values by their paths/],
    [{ select, request, require: {} }, /^require: expected values by their paths/],
    [{ select, request, id: "1" }, /^id: expected 32 lower-case/],
  ];
  for (const [params, expected] of cases) {
    const { error } = await hub.rpc("fleetdo", params, USER_TOKEN);
    assertMatch(error?.message ?? "done", expected);
    assertEquals(error?.code, 3, JSON.stringify(params));
  }
  assertEquals((await hub.rpc("fleetbatch", { batch: "e".repeat(32) }, USER_TOKEN)).error?.code, 6);
  assertEquals(core.commands.submitted, []);
});

Deno.test("only the user of a batch and admins get the updates of its results", async () => {
  const core = fakeCore();
  core.put(idOf(1), entry("One"));
  core.commands.outcome = () => undefined;
  await using hub = await serveHub(core);
  const { token } = (await hub.rpc("fleetuseradd", { name: "carl" }, ADMIN_TOKEN)).payload.result;
  const other = await openSocket(hub.socket);
  await other.ask({ method: "auth", token });
  assertEquals((await other.ask({ method: "get", path: "/batches" })).payload, {});
  await other.ask({ method: "subscribe", path: "/" });
  await using own = connect(hub.socket, { token: USER_TOKEN });
  await own.ready();
  using batches = await own.watch("/batches");
  const id = "f".repeat(32);
  await hub.rpc("fleetdo", { select: { all: true }, request, id }, USER_TOKEN);
  // deno-lint-ignore no-explicit-any
  const outcome = (value: any) => value[id]?.results[idOf(1)]._outcome;
  await batches.until((value) => outcome(value) === "queued");
  core.commands.say(core.commands.submitted[0]!, { outcome: "done" });
  await batches.until((value) => outcome(value) === "done");
  core.put(idOf(1), entry("Renamed"));
  assertEquals((await other.next()).payload, { consoles: { [idOf(1)]: { _name: "Renamed" } } });
  await other.close();
});
