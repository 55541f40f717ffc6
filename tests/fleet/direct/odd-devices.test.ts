/**
 * Direct consoles that answer oddly, or not at all, on a real server; the time of the hub is
 * simulated.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { isRefusal } from "../../../core/errors.ts";
import { createDirect } from "../../../fleet/direct/direct.ts";
import { type FleetUser, FRAME_BYTES } from "../../../fleet/wire.ts";
import { machine } from "../../../runtimes/clock.ts";
import { type Json, until } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { openHub } from "../open-hub.ts";

const viewer: FleetUser = { name: "vera", may: "view" };
const UNHEARD = { receive() {}, closed() {} };

/** The answer of a device to a message; undefined for none. */
type Answers = (message: Json) => Json | undefined;

/** A device that a hub has dialled. `answers` may be changed. */
function deviceOf(given: Answers, token?: string) {
  const device = { answers: given, asked: 0 };
  const unanswered = Promise.withResolvers<Response>();
  const known: Answers = ({ method, payload }) =>
    method === "get"
      ? { success: true, payload: { _name: "Device" } }
      : method === "rpc" && payload.method === "getuser"
      ? { success: true, payload: { method: "getuser", result: { may: "operate" } } }
      : { success: true };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    if (request.headers.get("upgrade") === null) {
      device.asked++;
      return unanswered.promise;
    }
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      const answer = device.answers(message) ?? known(message);
      const { msgID, method } = message;
      if (answer.silent !== true) socket.send(JSON.stringify({ msgID, method, ...answer }));
    };
    return response;
  });
  const { timer, pass } = passingTime();
  const url = `ws://127.0.0.1:${server.addr.port}`;
  const held = createDirect(
    { url, site: "", ...(token === undefined ? {} : { token }) },
    { clock: machine.clock, timer, staleAfter: 3000 },
  );
  return {
    ...{ device, held, pass, timer },
    state: () => held.entry().state,
    async [Symbol.asyncDispose]() {
      held.close();
      unanswered.resolve(new Response());
      await server.shutdown();
    },
  };
}

Deno.test("a direct console that refuses a command without an error ends nothing: it is told as refused", async () => {
  await using device = deviceOf(({ method }) => method === "set" ? { success: false } : undefined);
  await until(() => device.state() === "live");
  const { hub, clock } = await openHub();
  hub.hold(device.held);
  const told: unknown[] = [];
  hub.commands.watch(({ outcome, why }) => told.push([outcome, why]));
  await hub.commands.submit([{
    id: "a".repeat(32),
    console: device.held.entry().id,
    batch: "a".repeat(32),
    kind: "live",
    expires: clock.now() + 3000,
    request: { method: "set", path: "/x", payload: 1 },
    by: { name: "anna", may: "admin" },
    from: "x",
  }]);
  await until(() => told.length === 2);
  assertEquals(told, [["sent", undefined], ["refused", "the console refused it"]]);
});

Deno.test("a direct console says in one bounded line why it does not let the hub in", async () => {
  let refuses = false;
  const message = `no\nentry ${"x".repeat(5000)}`;
  await using device = deviceOf(
    ({ method }) =>
      refuses && method === "auth" ? { success: false, error: { code: 4, message } } : undefined,
    "token",
  );
  await until(() => device.state() === "live");
  refuses = true;
  const refusal = await device.held.session("", { name: "anna", may: "admin" }, "", UNHEARD);
  if (!isRefusal(refusal)) throw new Error("it is refused");
  assertMatch(refusal.message, /^the console does not let the hub in: no entry x{491}$/);
});

Deno.test("a direct console that does not name a known right of the hub's user is reached by admins alone", async () => {
  for (const result of [{ admin: false }, { may: "everything" }]) {
    await using device = deviceOf(
      ({ payload }) =>
        payload?.method === "getuser" ? { success: true, payload: { result } } : undefined,
      "token",
    );
    await until(() => device.state() === "live");
    device.pass(1000);
    const refused = await device.held.session("", viewer, "x", UNHEARD);
    assertMatch(isRefusal(refused) ? refused.message : "", /the right to admin/);
  }
});

Deno.test("the right of the hub's user on a direct console is asked for again every 10 s", async () => {
  let may = "view";
  await using device = deviceOf(
    ({ payload }) =>
      payload?.method === "getuser" ? { success: true, payload: { result: { may } } } : undefined,
    "token",
  );
  await until(() => device.held.entry().summary.may === "view");
  may = "configure";
  // A second passes at each look: an answer may take some of them.
  await until(() => {
    device.pass(1000);
    return device.held.entry().summary.may === "configure";
  });
});

Deno.test("a direct console that left one question unanswered is asked again after 10 s, and is live then", async () => {
  let left = Infinity;
  await using device = deviceOf(({ method }) =>
    method === "get" && left-- === 0 ? { silent: true } : undefined
  );
  await until(() => device.state() === "live" && "audio" in device.held.entry().summary.tree);
  left = 0;
  device.pass(1000);
  await until(() => left < 0);
  device.pass(5000);
  assertEquals(device.state(), "stale");
  device.pass(6000);
  await until(() => device.state() === "live");
});

Deno.test("a direct console that refused the hub's token is dialled again after 30 s", async () => {
  let isKnown = false;
  await using device = deviceOf(
    ({ method }) =>
      method === "auth" && !isKnown
        ? { success: false, error: { code: 4, message: "wrong token" } }
        : undefined,
    "token",
  );
  await until(() => device.held.entry().summary.alarms.length === 1);
  isKnown = true;
  device.pass(29_000);
  assertEquals(device.state(), "gone");
  device.pass(1000);
  await until(() => device.state() === "live");
  assertEquals(device.held.entry().summary.alarms, []);
});

Deno.test("a request to a direct console that does not answer ends with its client, or after 60 s", async () => {
  await using device = deviceOf(() => undefined);
  await until(() => device.state() === "live");
  const client = new AbortController();
  const ask = (init: RequestInit = {}) =>
    device.held.fetch("", viewer, "x", new Request("http://console/x", init));
  const left = ask({ signal: client.signal });
  const waits = ask();
  await until(() => device.device.asked === 2);
  client.abort();
  assertEquals((await left).status, 503);
  device.pass(60_000);
  assertEquals((await waits).status, 503);
});

Deno.test("lists in lists of a direct console are left out of its summary", async () => {
  const payload = { _name: "Device", flat: [1, 2], deep: [[1]], gone: null };
  await using device = deviceOf(({ method }) =>
    method === "get" ? { success: true, payload } : undefined
  );
  await until(() => device.state() === "live" && "general" in device.held.entry().summary.tree);
  assertEquals(device.held.entry().summary.tree.general, { _name: "Device", flat: [1, 2] });
});

Deno.test("a direct console that tells more than a summary may have is shown without it, by a short name", async () => {
  let payload: Json = { _name: "x".repeat(1000), a: 1 };
  await using device = deviceOf(({ method }) =>
    method === "get" ? { success: true, payload } : undefined
  );
  await until(() => "general" in device.held.entry().summary.tree);
  assertEquals(device.held.entry().summary.name, "x".repeat(128));
  payload = { _name: "x", long: "x".repeat(FRAME_BYTES) };
  await until(() => {
    device.pass(1000);
    return !("general" in device.held.entry().summary.tree);
  });
  assertEquals(device.state(), "live");
});
