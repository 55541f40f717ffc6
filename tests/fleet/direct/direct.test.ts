/** Direct consoles, which the hub dials, against a real service. */
import { assertEquals, assertMatch } from "@std/assert";
import { webWorld } from "../../../client/world.ts";
import { isRefusal } from "../../../core/errors.ts";
import { createDirect, type DirectOptions } from "../../../fleet/direct/direct.ts";
import type { HeldConsole } from "../../../fleet/hub/hub-core.ts";
import type { FleetUser } from "../../../fleet/wire.ts";
import { machine, machineTimer } from "../../../runtimes/clock.ts";
import { passingTime } from "../../timers.ts";
import { demoWith, startService, tokens, until } from "../../service.ts";

/** A direct console that is closed with its test. */
function direct(
  url: string,
  options: Partial<DirectOptions> = {},
): HeldConsole & Disposable {
  const held = createDirect(
    { url: `${url.replace("http", "ws")}/api/ws`, site: "Berlin", token: tokens.one, ...options },
    { clock: machine.clock, timer: machineTimer, staleAfter: 3000 },
  );
  return { ...held, [Symbol.dispose]: held.close };
}

const isLive = (held: HeldConsole) => held.entry().state === "live";
const operator: FleetUser = { name: "ben", may: "operate" };

Deno.test("a direct console is live with its name, its version, its labels and the right of the hub's user", async () => {
  await using service = await startService({
    configuration: demoWith({ device: { name: "OB-1" } }),
  });
  using held = direct(service.url);
  await until(() => isLive(held) && "audio" in held.entry().summary.tree);
  const { name, site, may, tree, alarms } = held.entry().summary;
  assertEquals([name, site, may, alarms], ["OB-1", "Berlin", "operate", []]);
  // deno-lint-ignore no-explicit-any
  const { general, audio } = tree as any;
  assertEquals([general._storage, "_uptime" in general], ["ok", false]);
  assertEquals(Object.keys(audio.mixers[0].faders[0]).sort(), ["label", "on"]);
  assertMatch(held.entry().id, /^[0-9a-f]{32}$/);
});

Deno.test("a change of a direct console makes a new entry, in which unchanged parts are the same objects", async () => {
  await using service = await startService();
  using held = direct(service.url);
  await until(() => isLive(held) && "audio" in held.entry().summary.tree);
  const before = held.entry().summary;
  const path = "/audio/mixers/0/faders/0/label";
  assertEquals((await service.post({ method: "set", path, payload: "Moderator" })).success, true);
  await until(() => JSON.stringify(held.entry().summary.tree).includes("Moderator"));
  assertEquals(held.entry().summary.tree.general === before.tree.general, true);
});

Deno.test("a direct console that cannot be reached is gone, and is live again once it can", async () => {
  const service = await startService();
  using held = direct(service.url);
  await until(() => isLive(held));
  service.closeSockets();
  await until(() => held.entry().state === "gone");
  await until(() => isLive(held));
  await service[Symbol.asyncDispose]();
  await until(() => held.entry().state === "gone");
  const refused = await held.session("", operator, "1.2.3.4", { receive() {}, closed() {} });
  assertMatch(isRefusal(refused) ? refused.message : "", /is gone since .*: nothing was sent/);
});

Deno.test("a session on a direct console is logged in as the hub's user of that console", async () => {
  await using service = await startService();
  using held = direct(service.url);
  await until(() => isLive(held) && held.entry().summary.may === "operate");
  const heard: string[] = [];
  let isClosed = false;
  const socket = await held.session("", operator, "1.2.3.4", {
    receive: (data) => void heard.push(String(data)),
    closed: () => void (isClosed = true),
  });
  if (isRefusal(socket)) throw new Error(socket.message);
  socket.send(JSON.stringify({ msgID: 1, method: "rpc", payload: { method: "getuser" } }));
  await until(() => heard.length > 0);
  assertEquals(JSON.parse(heard[0]!).payload.result.name, "one");
  service.closeSockets();
  await until(() => isClosed);
});

Deno.test("a stranger on a direct console does not get the token of the hub, over HTTP either; the session ends with the hub", async () => {
  await using service = await startService();
  using held = direct(service.url);
  await until(() => isLive(held) && held.entry().summary.may === "operate");
  const heard: string[] = [];
  const closed: unknown[] = [];
  const socket = await held.session("", undefined, "1.2.3.4", {
    receive: (data) => void heard.push(String(data)),
    closed: (code) => void closed.push(code),
  });
  if (isRefusal(socket)) throw new Error(socket.message);
  const request = { method: "rpc", payload: { method: "getuser", params: {} } };
  socket.send(JSON.stringify({ msgID: 1, ...request }));
  await until(() => heard.length > 0);
  assertEquals(JSON.parse(heard[0]!).payload.result.name, null);
  const body = JSON.stringify(request);
  const post = new Request("http://console/api/rest", { method: "POST", body });
  const answer = await (await held.fetch("", undefined, "1.2.3.4", post)).json();
  assertEquals(answer.error.code, 4);
  held.close();
  await until(() => closed.length > 0);
  assertEquals(closed, [1001]);
});

Deno.test("a user of the fleet with a lesser right than the hub's user of the console is refused, over HTTP too", async () => {
  await using service = await startService();
  using held = direct(service.url);
  await until(() => isLive(held) && held.entry().summary.may === "operate");
  const viewer: FleetUser = { name: "vera", may: "view" };
  const refused = await held.session("", viewer, "1.2.3.4", { receive() {}, closed() {} });
  assertMatch(isRefusal(refused) ? refused.message : "", /the right to operate, which user vera/);
  const path = "http://console/api/rest/audio/mixers/0/faders/0/fader";
  const body = JSON.stringify({ method: "set", payload: -10 });
  const post = () => new Request(path, { method: "POST", body });
  assertEquals((await held.fetch("", viewer, "1.2.3.4", post())).status, 403);
  const answer = await held.fetch("", operator, "1.2.3.4", post());
  assertEquals((await answer.json()).payload, -10);
});

Deno.test("a session of a user with a lesser right ends once the hub's user of the direct console has a higher one", async () => {
  await using service = await startService();
  const { timer, pass } = passingTime();
  const made = await service.rpc("adduser", { name: "hub", groups: 1, admin: false, may: "view" });
  const held = createDirect(
    {
      url: `${service.url.replace("http", "ws")}/api/ws`,
      site: "",
      token: made.payload.result.token,
    },
    { clock: machine.clock, timer, staleAfter: 600_000 },
  );
  using _ = { [Symbol.dispose]: held.close };
  await until(() => isLive(held) && held.entry().summary.may === "view");
  const open = async (as: FleetUser) => {
    const session = { closedWith: undefined as number | undefined };
    const closed = (code: number) => void (session.closedWith = code);
    const socket = await held.session("", as, "1.2.3.4", { receive() {}, closed });
    if (isRefusal(socket)) throw new Error(socket.message);
    return session;
  };
  const viewer = await open({ name: "vera", may: "view" });
  const engineer = await open({ name: "carl", may: "configure" });
  await service.rpc("modifyuser", { name: "hub", may: "configure" });
  await until(() => {
    // An answer of the console may take some of these seconds.
    pass(1000);
    return viewer.closedWith !== undefined;
  });
  assertEquals([viewer.closedWith, engineer.closedWith], [1012, undefined]);
  const refused = await held.session("", { name: "vera", may: "view" }, "1.2.3.4", {
    receive() {},
    closed() {},
  });
  assertMatch(isRefusal(refused) ? refused.message : "", /the right to configure/);
});

Deno.test("until the right of the hub's user on a direct console is known, only an admin reaches the console", async () => {
  await using service = await startService();
  const open = (url: string) => {
    const socket = new WebSocket(url);
    const send = socket.send.bind(socket);
    // The console is never asked for it.
    socket.send = (text) => String(text).includes("getuser") ? undefined : send(text);
    return socket;
  };
  const held = createDirect(
    { url: `${service.url.replace("http", "ws")}/api/ws`, site: "", token: tokens.one },
    {
      clock: machine.clock,
      timer: machineTimer,
      staleAfter: 3000,
      world: { ...webWorld, open },
    },
  );
  using _ = { [Symbol.dispose]: held.close };
  await until(() => isLive(held));
  const unheard = { receive() {}, closed() {} };
  const refused = await held.session("", operator, "1.2.3.4", unheard);
  assertMatch(isRefusal(refused) ? refused.message : "", /the right to admin/);
  const session = await held.session("", { name: "eva", may: "admin" }, "1.2.3.4", unheard);
  assertEquals(isRefusal(session), false);
});

Deno.test("an answer of a direct console is sandboxed in a browser, and sets no cookie", async () => {
  await using service = await startService();
  const fetch = () =>
    Promise.resolve(
      new Response("<script>", { headers: { "content-type": "text/html", "set-cookie": "a=b" } }),
    );
  const held = createDirect(
    { url: `${service.url.replace("http", "ws")}/api/ws`, site: "" },
    { clock: machine.clock, timer: machineTimer, staleAfter: 3000, fetch },
  );
  using _ = { [Symbol.dispose]: held.close };
  await until(() => isLive(held));
  const { headers } = await held.fetch("", operator, "", new Request("http://console/x"));
  assertEquals(headers.get("content-security-policy"), "sandbox; default-src 'none'");
  assertEquals(headers.get("set-cookie"), null);
});

Deno.test("a direct console that refuses the hub's token is gone, with an alarm that says so", async () => {
  await using service = await startService();
  using held = direct(service.url, { token: "00000000-00000000-00000000-00000000", name: "Van" });
  await until(() => held.entry().summary.alarms.length > 0);
  const { state, summary: { name, alarms } } = held.entry();
  assertEquals([state, name], ["gone", "Van"]);
  assertMatch(alarms[0]!, /does not take the token/);
});

Deno.test("the alarm about a refused token stays while the hub dials the console again", async () => {
  await using service = await startService();
  const { timer, pass } = passingTime();
  let dialled = 0;
  const world = {
    ...webWorld,
    open(url: string) {
      dialled++;
      return webWorld.open(url);
    },
  };
  const url = `${service.url.replace("http", "ws")}/api/ws`;
  const held = createDirect(
    { url, site: "", token: "00000000-00000000-00000000-00000000" },
    { clock: machine.clock, timer, staleAfter: 3000, world },
  );
  using _ = { [Symbol.dispose]: held.close };
  const alarms = () => held.entry().summary.alarms.length;
  await until(() => alarms() === 1);
  const told: number[] = [];
  held.watch(({ summary }) => void told.push(summary.alarms.length));
  pass(30_000);
  assertEquals([dialled, alarms(), told], [2, 1, []]);
});
