import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Client, connect, RequestError } from "../../../client/client.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { createFleetTree } from "../../../fleet/api/fleet-tree.ts";
import type { HubParts } from "../../../fleet/api/method.ts";
import { createHubSockets } from "../../../fleet/api/sockets.ts";
import { createBatches } from "../../../fleet/batches/batch.ts";
import { machine } from "../../../runtimes/clock.ts";
import { ample } from "../../budgets.ts";
import { passingTime } from "../../timers.ts";
import { ADMIN_TOKEN, entry, fakeCore, idOf, USER_TOKEN } from "../fake-core.ts";
import type { Branch } from "../../../core/tree/tree.ts";
import { serveHub } from "../serve-hub.ts";
import { openSocket, until } from "../../service.ts";

/** Connects the typed client of consoles to the hub, unchanged. */
async function client(url: string, token?: string): Promise<Client> {
  const own = connect(url, token === undefined ? {} : { token });
  await own.ready();
  return own;
}

const one = idOf(1);

Deno.test("the tree of a hub has each console with its state, its alarms and its summary", async () => {
  const core = fakeCore();
  const tree = { general: { _name: "one" }, audio: { mixers: { 0: { _label: "M" } } } };
  core.put(one, entry("Studio 1", { site: "Berlin", alarms: ["full"], tree }));
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, USER_TOKEN);
  assertEquals(await own.get(`/consoles/${one}`), {
    ...tree,
    _id: one,
    _name: "Studio 1",
    _site: "Berlin",
    _state: "live",
    _since: "2026-01-01T00:00:00.000Z",
    _heard: true,
    _version: "1",
    _may: "operate",
    _alarms: ["full"],
  });
  assertEquals(await own.get(`/consoles/${one}/audio/mixers/0/_label`), "M");
  assertEquals(await own.get("/consoles", { depth: 2, only: ["_name"] }), {
    [one]: { _name: "Studio 1" },
  });
  assertEquals((await own.get("/general") as { _name: string })._name, "Radio");
  const nothing = await assertRejects(() => own.get(`/consoles/${one}/audio/x`), RequestError);
  assertEquals(nothing.code, 6);
  assertMatch(nothing.message, /all of a console is at \/consoles\/\{id\}\/api\/ws/);
});

Deno.test("a subscriber gets updates for a new console, for changes, and for a removed console", async () => {
  const core = fakeCore();
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, USER_TOKEN);
  using all = await own.watch("/consoles");
  // deno-lint-ignore no-explicit-any
  const console = () => (all.value as any)[one];
  core.put(one, entry("Studio 1", { tree: { audio: { a: 1, b: 2 } } }));
  await until(() => console()?._name === "Studio 1");
  core.put(one, entry("Studio 1", { tree: { audio: { a: 3, b: 2 } } }, "stale"));
  await until(() => console()._state === "stale");
  assertEquals(console().audio, { a: 3, b: 2 });
  core.put(one, undefined);
  await until(() => console()._state === "removed");
  assertEquals(await own.get("/consoles"), {});
});

Deno.test("a subscriber of a console that lost values reads its tree again", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1", { tree: { audio: { a: 1, b: 2 } } }));
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, USER_TOKEN);
  using audio = await own.watch(`/consoles/${one}/audio`);
  core.put(one, entry("Studio 1", { tree: { audio: { a: 1 } } }));
  await audio.until((value) => !("b" in (value as object)));
});

Deno.test("a user with a right for one site sees and sets only its consoles: in the tree, in updates and in lists", async () => {
  const core = fakeCore();
  const two = idOf(2);
  core.put(one, entry("Studio 1", { site: "Berlin" }));
  core.put(two, entry("Studio 2", { site: "Vienna" }));
  const rights = [{ site: "Berlin", may: "press" as const }];
  const admin = { user: { name: "anna", may: "admin" as const }, from: "x" };
  const added = await core.addUser({ name: "carl", rights }, admin);
  const { token } = added as { token: string };
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, token);
  assertEquals(Object.keys(await own.get("/consoles") as object), [one]);
  await assertRejects(() => own.get(`/consoles/${two}/_name`), RequestError, "nothing at");
  await assertRejects(() => own.watch(`/consoles/${two}`), RequestError, "no console");
  const hidden = () => own.set(`/consoles/${two}/audio`, {} as never);
  await assertRejects(hidden, RequestError, "there is no console");
  const { payload } = await hub.rpc("fleetlist", {}, token);
  assertEquals(payload.result.map(({ id }: { id: string }) => id), [one]);
  const { admin: isAdmin, may } = (await hub.rpc("getuser", {}, token)).payload.result;
  assertEquals([isAdmin, may], [false, "press"]);
  await using all = await own.watch("/consoles");
  // deno-lint-ignore no-explicit-any
  const ids = () => Object.entries<any>(all.value as object).map(([id, { _name }]) => id + _name);
  core.put(two, entry("Other", { site: "Vienna" }));
  core.put(one, entry("Studio One", { site: "Berlin" }));
  await until(() => ids().includes(`${one}Studio One`));
  assertEquals(ids(), [`${one}Studio One`]);
  core.put(two, entry("Other", { site: "Berlin" }));
  await until(() => ids().includes(`${two}Other`));
  core.put(one, entry("Studio One", { site: "Vienna" }));
  await until(() => ids().join() === `${two}Other`);
  core.put(two, undefined);
  await until(() => JSON.stringify(all.value).includes("removed"));
  await core.modifyUser({ name: "carl", rights: [{ console: one, may: "view" }] }, admin);
  await until(() => ids().join() === `${one}Studio One`);
});

Deno.test("the tree of a hub counts the consoles of each site by their states, and those with alarms", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1", { site: "Berlin Mitte" }));
  core.put(idOf(2), entry("Studio 2", { site: "Berlin Mitte", alarms: ["full", "hot"] }, "gone"));
  core.put(idOf(3), entry("Van", {}, "quarantined"));
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, USER_TOKEN);
  const none = { _consoles: 0, _live: 0, _stale: 0, _gone: 0, _quarantined: 0, _alarms: 0 };
  assertEquals(await own.get("/sites"), {
    "Berlin Mitte": { ...none, _consoles: 2, _live: 1, _gone: 1, _alarms: 1 },
    "": { ...none, _consoles: 1, _quarantined: 1 },
  });
  const headers = { authorization: `Bearer ${USER_TOKEN}` };
  const berlin = await fetch(`${hub.url}/api/rest/sites/Berlin%20Mitte/_live`, { headers });
  assertEquals(await berlin.json(), 1);
  await assertRejects(() => own.get("/sites/Vienna"), RequestError, "nothing at");
  const core2 = fakeCore();
  core2.put(one, entry("Studio 1", { site: "__proto__" }));
  await using odd = await serveHub(core2);
  await using other = await client(odd.socket, USER_TOKEN);
  assertEquals(await other.get("/sites"), {});
});

Deno.test("a subscriber gets changed counts of sites alone, and zeros of a site whose consoles have left", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1", { site: "Berlin" }));
  core.put(idOf(2), entry("Studio 2", { site: "Berlin" }));
  await using hub = await serveHub(core);
  const socket = new WebSocket(hub.socket);
  const told: unknown[] = [];
  let isSubscribed = false;
  await new Promise((resolve) => socket.onopen = resolve);
  socket.onmessage = ({ data }) => {
    const { method, payload } = JSON.parse(data);
    if (method === "subscribe") isSubscribed = true;
    else if (method !== "auth") told.push(payload.sites);
  };
  const subscribe = { msgID: 1, method: "subscribe", path: "/sites/Berlin", token: USER_TOKEN };
  socket.send(JSON.stringify({ msgID: 0, method: "auth", token: USER_TOKEN }));
  socket.send(JSON.stringify(subscribe));
  await until(() => isSubscribed);
  told.length = 0;
  core.put(one, entry("Studio 1", { site: "Berlin", tree: { audio: { a: 1 } } }));
  core.put(idOf(3), entry("Studio 3", { site: "Vienna" }));
  core.put(one, entry("Studio 1", { site: "Berlin" }, "stale"));
  await until(() => told.length === 1);
  assertEquals(told.splice(0), [{ Berlin: { _live: 1, _stale: 1 } }]);
  core.put(one, undefined);
  core.put(idOf(2), entry("Studio 2", { site: "Vienna" }));
  await until(() => told.length === 1);
  assertEquals(told, [{ Berlin: { _consoles: 0, _live: 0, _stale: 0 } }]);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  socket.close();
  await closed;
});

Deno.test("a user with rights for some consoles sees the counts of these alone", async () => {
  const core = fakeCore();
  const [two, three] = [idOf(2), idOf(3)];
  core.put(one, entry("Studio 1", { site: "Berlin" }));
  core.put(two, entry("Studio 2", { site: "Berlin" }));
  core.put(three, entry("Studio 3", { site: "Vienna" }));
  const admin = { user: { name: "anna", may: "admin" as const }, from: "x" };
  const rights = [{ console: one, may: "view" as const }];
  const { token } = await core.addUser({ name: "carl", rights }, admin) as { token: string };
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, token);
  await using all = await own.watch("/sites");
  const none = { _consoles: 0, _live: 0, _stale: 0, _gone: 0, _quarantined: 0, _alarms: 0 };
  assertEquals(all.value, { Berlin: { ...none, _consoles: 1, _live: 1 } });
  await using other = await client(hub.socket, ADMIN_TOKEN);
  using vienna = await other.watch("/sites/Vienna/_gone");
  core.put(two, entry("Studio 2", { site: "Berlin" }, "gone"));
  core.put(three, entry("Studio 3", { site: "Vienna" }, "gone"));
  await vienna.until((value) => value === 1);
  // For all users together the counts stay as they are.
  core.put(one, entry("Studio 1", { site: "Berlin" }, "gone"));
  core.put(two, entry("Studio 2", { site: "Berlin" }));
  // deno-lint-ignore no-explicit-any
  const berlin = () => (all.value as any).Berlin;
  await until(() => berlin()._gone === 1);
  assertEquals(all.value, { Berlin: { ...none, _consoles: 1, _gone: 1 } });
  core.put(one, undefined);
  await until(() => berlin()._consoles === 0);
  assertEquals(all.value, { Berlin: none });
  assertEquals(await own.get("/sites"), {});
});

Deno.test("a console is listed with the templates of its model from which it differs", async () => {
  const core = fakeCore();
  const put = (
    number: number,
    faders: Readonly<Record<string, Branch>>,
    digests: Record<string, string>,
  ) => {
    const tree = { audio: { mixers: { 0: { faders } } } };
    core.put(idOf(number), { ...entry(`Studio ${number}`, { tree }), digests });
  };
  put(1, { 0: {} }, { labels: "a", users: "u" });
  put(2, { 0: {} }, { labels: "b", users: "u" });
  put(3, { 0: {} }, { labels: "b", users: "v" });
  put(4, { 0: {}, 1: {} }, { labels: "c", users: "u" });
  put(5, { 0: {} }, {});
  const by = { console: one, from: "Studio 1", saved: "2026-01-01T00:00:00.000Z", by: "anna" };
  const model = { 0: ["0"] };
  const labels = { digest: "a", value: {} };
  const users = { digest: "u", value: {} };
  await core.templates.save({ ...by, name: "house", model, sections: { labels, users } });
  await core.templates.save({ ...by, name: "crew", model, sections: { users } });
  await using hub = await serveHub(core);
  const { payload } = await hub.rpc("fleettemplatedrift", {}, USER_TOKEN);
  assertEquals(payload.result, [
    { console: idOf(2), templates: ["house"] },
    { console: idOf(3), templates: ["house", "crew"] },
  ]);
  const admin = { user: { name: "anna", may: "admin" as const }, from: "x" };
  const rights = [{ console: idOf(2), may: "admin" as const }];
  const { token } = await core.addUser({ name: "carl", rights }, admin) as { token: string };
  assertEquals((await hub.rpc("fleettemplatedrift", {}, token)).error?.code, 5);
});

Deno.test("the hubs are listed for admins", async () => {
  const core = fakeCore();
  await using hub = await serveHub(core);
  const { payload } = await hub.rpc("fleethublist", {}, ADMIN_TOKEN);
  assertEquals(payload.result[0], {
    ...{ id: "1", here: true, consoles: 0, name: "hub-a", version: "1.2.3" },
    ...{ since: "2026-01-01T00:00:00.000Z", stores: true },
  });
  assertEquals(payload.result[2], { id: "0123456789", here: false, consoles: 1 });
  assertEquals((await hub.rpc("fleethublist", {}, USER_TOKEN)).error?.code, 5);
});

Deno.test("a set below a console goes to that console as the user who asked, and has its answer", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1"));
  core.answer = () => ({ payload: 10 });
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, USER_TOKEN);
  const path = `/consoles/${one}/audio/mixers/0/faders/0/fader`;
  assertEquals(await own.set(path, 99 as never), 10 as never);
  assertEquals(
    core.asked.map(({ message: { msgID: _, ...message }, ...asked }) => ({ ...asked, message })),
    [
      {
        id: one,
        as: { name: "ben", may: "operate" },
        message: { method: "set", path: "/audio/mixers/0/faders/0/fader", payload: 99 },
      },
    ],
  );
  core.answer = () => ({ success: false, error: { code: 5, message: "not yours" } });
  const refused = await assertRejects(() => own.set(path, 1 as never), RequestError, "not yours");
  assertEquals(refused.code, 5);
  const { payload } = await hub.rpc("getaudit", {}, ADMIN_TOKEN);
  const [{ time: _, from: __, ...line }] = payload.result;
  assertEquals(line, { user: "ben", what: "set", target: path, refused: "not yours" });
});

Deno.test("a set on a console that is not live is refused at once with the reason, and is not sent", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1", {}, "stale"));
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, USER_TOKEN);
  const path = `/consoles/${one}/audio`;
  const sentence =
    'the console "Studio 1" is stale since 2026-01-01T00:00:00.000Z: nothing was sent';
  await assertRejects(() => own.set(path, {} as never), RequestError, sentence);
  core.put(one, entry("Studio 1", {}, "quarantined"));
  await assertRejects(() => own.set(path, {} as never), RequestError, "quarantine");
  await assertRejects(() => own.set("/consoles/x/y", {} as never), RequestError, "no console");
  await assertRejects(
    () => own.set("/general/_name", "x" as never),
    RequestError,
    "/consoles/{id}",
  );
  assertEquals(core.asked, []);
});

Deno.test("a set whose console is lost before its answer is refused with an unknown outcome, and the next set works", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1"));
  core.answer = () => undefined;
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, USER_TOKEN);
  const path = `/consoles/${one}/audio`;
  const lost = assertRejects(() => own.set(path, {} as never), RequestError, "nobody knows");
  await until(() => core.asked.length === 1);
  core.cut();
  await lost;
  core.answer = () => ({ payload: 1 });
  assertEquals(await own.set(path, {} as never), 1 as never);
});

Deno.test("without a token of the fleet nothing is shown, unless anonymous is console", async () => {
  for (const anonymous of ["none", "console"] as const) {
    await using hub = await serveHub(fakeCore(anonymous));
    await using own = await client(hub.socket);
    const isOpen = await own.get("/consoles").then(() => true, ({ code }) => code);
    assertEquals(isOpen, anonymous === "none" ? 4 : true);
    const status = (await fetch(`${hub.url}/api/rest/consoles`)).status;
    assertEquals(status, anonymous === "none" ? 401 : 200);
    const wrong = connect(hub.socket, { token: "00000000-00000000-00000000-00000000" });
    await assertRejects(() => wrong.ready(), RequestError);
    assertEquals(wrong.state, "refused");
  }
});

Deno.test("making codes, approving and removing consoles, and reading and changing users need the right of an admin", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1", {}, "quarantined"));
  await using hub = await serveHub(core);
  const calls = [
    ["fleetenrolcode", {}],
    ["fleetapprove", { id: one }],
    ["fleetuseradd", { name: "carl", may: "view" }],
    ["fleetuserlist", {}],
    ["fleetuserremove", { name: "carl" }],
    ["getaudit", {}],
    ["fleetremove", { id: one }],
  ] as const;
  for (const [method, params] of calls) {
    assertEquals((await hub.rpc(method, params, USER_TOKEN)).error?.code, 5, method);
    assertEquals((await hub.rpc(method, params, ADMIN_TOKEN)).success, true, method);
  }
  assertEquals((await hub.rpc("fleetlist", {}, USER_TOKEN)).payload.result, []);
  assertEquals((await hub.rpc("fleetapprove", { id: "x" }, ADMIN_TOKEN)).error?.code, 3);
  assertEquals((await hub.rpc("fleetnothing", {}, ADMIN_TOKEN)).error?.code, 2);
});

Deno.test("a user who is removed is disconnected, and refused from then on", async () => {
  await using hub = await serveHub(fakeCore());
  await using own = await client(hub.socket, USER_TOKEN);
  using _watch = await own.watch("/consoles");
  const ended = new Promise<void>((resolve) => {
    own.onState(({ state }) => state === "refused" && resolve());
  });
  await hub.rpc("fleetuserremove", { name: "ben" }, ADMIN_TOKEN);
  await ended;
});

Deno.test("a console that loses values or changes its site disconnects no user who does not see it", async () => {
  const core = fakeCore();
  const two = idOf(2);
  core.put(one, entry("Studio 1", { site: "Berlin", tree: { general: { a: 1 } } }));
  core.put(two, entry("Studio 2", { site: "Vienna" }));
  await using hub = await serveHub(core);
  const rights = [{ site: "Vienna", may: "view" }];
  const added = await hub.rpc("fleetuseradd", { name: "carl", rights }, ADMIN_TOKEN);
  const own = await openSocket(hub.socket);
  await own.ask({ method: "auth", token: added.payload.result.token });
  await own.ask({ method: "subscribe", path: "/consoles" });
  // Anna sees both consoles, so her sockets show when each change is told.
  const anna = async () => {
    const socket = await openSocket(hub.socket);
    await socket.ask({ method: "auth", token: ADMIN_TOKEN });
    await socket.ask({ method: "subscribe", path: `/consoles/${one}` });
    return socket;
  };
  const first = await anna();
  core.put(one, entry("Studio 1", { site: "Berlin" }));
  assertEquals(await first.closed, 1012);
  const second = await anna();
  core.put(one, entry("Studio 1", { site: "Graz" }));
  assertEquals((await second.next()).payload, { consoles: { [one]: { _site: "Graz" } } });
  await second.close();
  core.put(two, entry("Renamed", { site: "Vienna" }));
  assertEquals((await Promise.race([own.next(), own.closed])).payload, {
    consoles: { [two]: { _name: "Renamed" } },
  });
  core.put(two, entry("Renamed", { site: "Graz" }));
  assertEquals(await own.closed, 1012);
});

Deno.test("over HTTP a value is read by GET, and an RPC and a set are called by POST", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1"));
  await using hub = await serveHub(core);
  const headers = { authorization: `Bearer ${USER_TOKEN}` };
  const get = async (path: string) => await fetch(`${hub.url}/api/rest${path}`, { headers });
  assertEquals(await (await get(`/consoles/${one}/_name`)).json(), "Studio 1");
  assertEquals(await (await get("/consoles?flat=true")).json(), [one]);
  assertEquals(await (await get("/consoles?flat=1")).json(), [one]);
  assertEquals((await get("/nothing")).status, 404);
  for (const [query, code] of [["flat=x", 3], ["depth=1&depth=1", 3], ["x=%ff", 1]] as const) {
    const refused = await get(`/consoles?${query}`);
    assertEquals([refused.status, (await refused.json()).error.code], [400, code], query);
  }
  const written = await get(`/consoles/${one}/x?set=1`);
  assertEquals([written.status, written.headers.get("allow")], [405, "POST"]);
  await written.body?.cancel();
  const body = JSON.stringify({ method: "set", payload: 1 });
  const url = `${hub.url}/api/rest/consoles/${one}/x`;
  const answer = await (await fetch(url, { method: "POST", headers, body })).json();
  assertEquals([answer.success, answer.payload, core.asked[0]?.message.payload], [true, 1, 1]);
});

Deno.test("of a console in quarantine only the values that are needed to approve it are shown", async () => {
  const core = fakeCore();
  const tree = { audio: { a: 1 } };
  core.put(one, entry("New", { site: "Berlin", tree }, "quarantined"));
  await using hub = await serveHub(core);
  await using own = await client(hub.socket, ADMIN_TOKEN);
  using shown = await own.watch(`/consoles/${one}`);
  assertEquals(Object.keys(shown.value as object).filter((name) => !name.startsWith("_")), []);
  await hub.rpc("fleetapprove", { id: one }, ADMIN_TOKEN);
  await shown.until((value) => (value as { audio?: { a: number } }).audio?.a === 1);
});

Deno.test("a client that lags gets no update of a path from which it has unsubscribed", async () => {
  const core = fakeCore("console");
  core.put(one, entry("old"));
  const { timer, pass } = passingTime();
  const world = {
    ...{ clock: machine.clock, random: machine.random, timer, version: "1" },
    ...{ scheduler: withoutPauses, budget: ample },
  };
  const parts = { core, tree: createFleetTree(core, world), batches: createBatches(core, world) };
  const sockets = createHubSockets(parts as unknown as HubParts, world);
  const sent: { readonly method: string; readonly payload: unknown }[] = [];
  const socket = {
    bufferedAmount: 0,
    send: (text: string) => void sent.push(JSON.parse(text)),
    close() {},
  };
  const { receive, closed } = sockets.open(socket, "10.0.0.1", undefined);
  const ask = async (method: string, path: string) => {
    const before = sent.length;
    receive(JSON.stringify({ method, path }));
    await until(() => sent.length > before);
  };
  await ask("subscribe", `/consoles/${one}/_name`);
  await ask("subscribe", `/consoles/${one}/_site`);
  socket.bufferedAmount = 100_000;
  core.put(one, entry("new", { site: "Berlin" }));
  pass(1000);
  await ask("unsubscribe", `/consoles/${one}/_name`);
  socket.bufferedAmount = 0;
  pass(1000);
  const updates = sent.filter(({ method }) => method === "update").map(({ payload }) => payload);
  assertEquals(updates, [{ consoles: { [one]: { _site: "Berlin" } } }]);
  closed();
});
