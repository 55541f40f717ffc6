/** A console in a Durable Object whose database takes no writes for a while, or without its secret. */
import { assertEquals, assertRejects } from "@std/assert";
import { consoleObject, type SqlStorage } from "../../../runtimes/worker/worker.ts";
import { sqliteStorage } from "../../storage/sqlite.ts";
import { until } from "../../until.ts";

const TOKEN = "bffdc628-88e85b99-b86db9ef-9032ccac";

const LEVEL = "/api/rest/audio/mixers/0/faders/0/fader";

/** A console that keeps its state in a database. */
function consoleIn(storage: SqlStorage) {
  const Desk = consoleObject({
    configuration: { mixers: [{ faders: 1 }], limits: { rest: { burst: 0 } } },
    adminToken: () => TOKEN,
  });
  const desk = new Desk({ storage, blockConcurrencyWhile: (work) => work() }, {});
  const ask = async (path: string, init?: RequestInit) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const request = new Request(`http://127.0.0.1${path}`, { ...init, headers });
    const answer = await desk.fetch(request);
    return { status: answer.status, said: await answer.json() };
  };
  return {
    get: async () => (await ask(LEVEL)).said,
    set: (value: number) => ask(`${LEVEL}?set=${value}`),
    async fade(value: number) {
      const payload = { method: "fadetovalue", params: { mixer: 0, fader: 0, time: 0.1, value } };
      const body = JSON.stringify({ method: "rpc", payload });
      return (await ask("/api/rest", { method: "POST", body })).said.success;
    },
    alarm: async () =>
      [
        (await ask("/health")).said.storage,
        (await ask("/api/rest/general/_storage")).said,
      ].join(),
  };
}

Deno.test("a Worker whose database is full raises the alarm, which ends by itself, and then takes fades", async () => {
  let why: string | undefined;
  using storage = sqliteStorage(() => why);
  const desk = consoleIn(storage);
  assertEquals(await desk.alarm(), "ok,ok");
  const refused = { "SQLITE_FULL": "full", "disk I/O error": "readonly" };
  for (const [fault, state] of Object.entries(refused)) {
    why = fault;
    assertEquals((await desk.set(-20)).status, 507);
    assertEquals(await desk.alarm(), `${state},${state}`);
  }
  assertEquals(await desk.fade(-10), false);
  why = undefined;
  assertEquals(await desk.set(-20), { status: 200, said: -20 });
  await until(async () => await desk.alarm() === "ok,ok");
  why = "disk I/O error";
  assertEquals((await desk.set(-30)).status, 507);
  why = undefined;
  await until(async () => await desk.alarm() === "ok,ok");
  assertEquals(await desk.fade(-10), true);
  await until(async () => await consoleIn(storage).get() === -10);
});

Deno.test("a Worker stores the level at which a fade has ended once its database takes writes again", async () => {
  let why: string | undefined;
  using storage = sqliteStorage(() => why);
  const desk = consoleIn(storage);
  assertEquals(await desk.fade(-10), true);
  why = "disk I/O error";
  await until(async () => await desk.alarm() === "readonly,readonly");
  assertEquals(await desk.get(), -10);
  why = undefined;
  await until(async () => await desk.alarm() === "ok,ok");
  assertEquals(await consoleIn(storage).get(), -10);
});

Deno.test("a Worker without the secret of its admin stores nothing, and starts once it has it", async () => {
  using storage = sqliteStorage(() => undefined);
  const Desk = consoleObject<{ readonly ADMIN_TOKEN?: string }>({
    adminToken: ({ ADMIN_TOKEN }) => ADMIN_TOKEN!,
  });
  const ask = async (env: { readonly ADMIN_TOKEN?: string }) => {
    const desk = new Desk({ storage, blockConcurrencyWhile: (work) => work() }, env);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const request = new Request("http://127.0.0.1/api/rest/general/_name", { headers });
    const { status, body } = await desk.fetch(request);
    await body?.cancel();
    return status;
  };
  await assertRejects(
    () => ask({}),
    Error,
    "adminToken: expected a token, got undefined: is the secret of the Worker set?",
  );
  assertEquals(storage.rows, 0);
  assertEquals(await ask({ ADMIN_TOKEN: TOKEN }), 200);
  assertEquals(await ask({}), 200, "its users are there");
});

Deno.test("each start of a Worker without a site key says that the published one is in force", async () => {
  const said: unknown[] = [];
  const { warn } = globalThis.console;
  globalThis.console.warn = (line) => void said.push(line);
  try {
    for (const keys of [{}, {}, { siteKey: "of all sixteen studios" }]) {
      using storage = sqliteStorage(() => undefined);
      const Desk = consoleObject({
        configuration: { mixers: [{ faders: 1 }], hosts: ["127.0.0.1"], ...keys },
        adminToken: () => TOKEN,
      });
      const desk = new Desk({ storage, blockConcurrencyWhile: (work) => work() }, {});
      assertEquals((await desk.fetch(new Request("http://127.0.0.1/health"))).status, 200);
    }
  } finally {
    globalThis.console.warn = warn;
  }
  const remark =
    "no siteKey is configured: snapshots are sealed with the faderd published site key";
  assertEquals(said, [remark, remark]);
});
