/** Requests that the fleet of a console vouches for (docs/fleet.md): their users and rights. */
import { assertEquals } from "@std/assert";
import type { Console } from "../../core/console.ts";
import type { User } from "../../core/users/user.ts";
import { machineScheduler, machineTimer } from "../../runtimes/clock.ts";
import type { Listener, Service, Vouched } from "../../transport/arrival.ts";
import { demoWith, type Json, realClock, serviceOf, testConsole, tokens } from "../service.ts";

function fleetUser(parts: Partial<User> = {}): User {
  return {
    name: "fleet:anna",
    groups: 255,
    admin: false,
    engine: false,
    created: "1970-01-01T00:00:00.000Z",
    may: "operate",
    tokenHash: "",
    vouched: true,
    ...parts,
  };
}

const operator: Vouched = { user: fleetUser(), atMost: "operate" };
const viewer: Vouched = { user: fleetUser({ may: "view" }), atMost: "view" };
const nobody: Vouched = { atMost: "view" };

async function consoleAndService(parts: Parameters<typeof demoWith>[0] = {}) {
  const console = await testConsole({ configuration: demoWith(parts) });
  const ports = { clock: realClock, timer: machineTimer, scheduler: machineScheduler() };
  return { console, ...serviceOf(console, ports) };
}

async function post(
  service: Service,
  vouched: Vouched | undefined,
  message: object,
): Promise<Json> {
  const request = new Request("http://localhost/api/rest", {
    method: "POST",
    body: JSON.stringify(message),
  });
  const upgrade = () => new Response(null);
  return await (await service({ request, client: "192.0.2.7", upgrade, vouched })).json();
}

/** Opens a WebSocket session; `ask` resolves with its answers. */
async function session(service: Service, vouched?: Vouched) {
  const waiting: ((answer: Json) => void)[] = [];
  let listener: Listener | undefined;
  const closed: number[] = [];
  const headers = { upgrade: "websocket" };
  await service({
    request: new Request("http://localhost/api/ws", { headers }),
    client: "192.0.2.7",
    vouched,
    upgrade(open) {
      listener = open({
        send: (text) => waiting.shift()?.(JSON.parse(text)),
        close: (code) => closed.push(code),
        bufferedAmount: 0,
      });
      return new Response(null);
    },
  });
  const ask = (message: object) =>
    new Promise<Json>((resolve) => {
      waiting.push(resolve);
      listener!.receive(JSON.stringify(message));
    });
  return { ask, closed, end: () => listener!.closed() };
}

const label = {
  method: "rpc",
  payload: { method: "setchannellabel", params: { sourceid: 1, label: "N" } },
};
const whoami = { method: "rpc", payload: { method: "getuser", params: {} } };

Deno.test("a vouched user is logged in over HTTP without a token, also if a token is required", async () => {
  const { service } = await consoleAndService({ auth: "required" });
  const said = await post(service, operator, whoami);
  assertEquals([said.payload.result.name, said.payload.result.may], ["fleet:anna", "operate"]);
  assertEquals((await post(service, undefined, whoami)).error.code, 4);
});

Deno.test("a vouched user is logged in on a WebSocket, and is not logged out by changes of users", async () => {
  const { service, console } = await consoleAndService({ auth: "required" });
  const { ask, end, closed } = await session(service, operator);
  assertEquals((await ask(whoami)).payload.result.name, "fleet:anna");
  const adduser = { method: "adduser", params: { name: "new", groups: 1, admin: false } };
  await post(service, undefined, { method: "rpc", token: tokens.admin, payload: adduser });
  assertEquals(console.state.users.has("new"), true);
  assertEquals(
    (await ask({ method: "set", path: "/audio/mixers/0/faders/0/on", payload: true })).success,
    true,
  );
  end();
  assertEquals(closed, []);
});

Deno.test("a vouched viewer may not operate, and has no more rights after a logout", async () => {
  const { service } = await consoleAndService();
  const { ask, end } = await session(service, viewer);
  assertEquals((await ask(label)).error.code, 5);
  assertEquals((await ask({ method: "auth", token: "wrong" })).error.code, 4);
  assertEquals((await ask(whoami)).payload.result, {
    name: null,
    groups: 0,
    admin: false,
    engine: false,
    may: "view",
    expires: null,
  });
  assertEquals((await ask(label)).error.code, 4);
  end();
});

Deno.test("a caller through the fleet without a user has at most the right of the fleet", async () => {
  const { service } = await consoleAndService();
  for (const [vouched, success] of [[nobody, false], [undefined, true]] as const) {
    const { ask, end } = await session(service, vouched);
    assertEquals((await ask(label)).success, success);
    end();
  }
});

Deno.test("a token of the console itself has the same rights as without a fleet", async () => {
  const { service } = await consoleAndService();
  assertEquals((await post(service, viewer, { ...label, token: tokens.admin })).success, true);
  const { ask, end } = await session(service, viewer);
  assertEquals((await ask({ method: "auth", token: tokens.admin })).success, true);
  assertEquals((await ask(whoami)).payload.result.name, "admin");
  end();
});

Deno.test("a vouched user is an admin only if the fleet says so", async () => {
  const { service } = await consoleAndService();
  const list = { method: "rpc", payload: { method: "getuserlist", params: {} } };
  assertEquals((await post(service, operator, list)).error.code, 5);
  const admin = { user: fleetUser({ admin: true }), atMost: "configure" } as const;
  assertEquals((await post(service, admin, list)).success, true);
});

Deno.test("an action that needs a user accepts a vouched user, and the audit trail has the name", async () => {
  const entries: Json[] = [];
  const console: Console = await testConsole({
    configuration: demoWith({}),
    audit: (entry) => void entries.push(entry),
  });
  const ports = { clock: realClock, timer: machineTimer, scheduler: machineScheduler() };
  const { service } = serviceOf(console, ports);
  const answer = await service({
    request: new Request("http://localhost/action/login?ObjectID=0"),
    client: "192.0.2.7",
    upgrade: () => new Response(null),
    vouched: operator,
  });
  assertEquals(answer.status, 200);
  await answer.body?.cancel();
  assertEquals(entries.map(({ user, from, what }) => ({ user, from, what })), [
    { user: "fleet:anna", from: "192.0.2.7", what: "login" },
  ]);
});

Deno.test("no user of a console can have a name of the form of fleet users", async () => {
  const { service } = await consoleAndService();
  const params = { name: "fleet:anna", groups: 1, admin: true };
  const adduser = { method: "rpc", token: tokens.admin, payload: { method: "adduser", params } };
  assertEquals((await post(service, undefined, adduser)).error.code, 3);
});
