/** The REST actions in the tables Errors, Limits and Versioning of service.md. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  act,
  demoWith,
  formFile,
  startService,
  stillClock,
  type TestService,
  tokens,
  unlimitedWith,
} from "../service.ts";
import { actions } from "../../transport/action-api/actions.ts";
import { FADER, test } from "./row.ts";

const token = { Token: tokens.admin };
const deprecated = ["loadmx", "loadch", "savemx", "savech"]
  .concat(["uploadmxsnap", "uploadchsnap", "downloadmxsnap", "downloadchsnap"]);

async function channelFile(service: TestService): Promise<File> {
  return formFile((await act(service, "downloadchsnap", { SnapshotID: 1 })).text, "speech.sfp");
}

const closed: readonly (readonly [string, Parameters<typeof unlimitedWith>[0]])[] = [
  ["license invalid", { licenses: ["52-8583"] }],
  ["checkbox disabled", { restApi: { enabled: false } }],
  ["firmware below 9.1 (Versioning)", { device: { firmware: "9.0.99" } }],
];
for (const [what, parts] of closed) {
  test(
    `Errors: REST API ${what}: 405 for every action, with an Error`,
    async ({ service, value }) => {
      for (const name of actions.keys()) {
        const { status, json, headers } = await act(service, name, { ObjectID: 1, ...token });
        assertEquals([status, json.Action, headers.get("allow")], [405, name, null]);
        assertMatch(json.Error, /^the REST API /);
      }
      assert((await service.rpc("getsnapshotlist", { type: 2 })).success, "RPC is not touched");
      assertEquals(await value(`${FADER}/label`), "Host");
    },
    { configuration: unlimitedWith(parts) },
  );
}

test(
  "Errors: locked by too many requests: 423 with Retry-After and an Error",
  async ({ service }) => {
    const ask = () => act(service, "getgloballabel", { ObjectID: 1 });
    for (let request = 0; request < 10; request++) assertEquals((await ask()).status, 200);
    const { status, json, headers } = await ask();
    assertEquals([status, headers.get("retry-after"), json.Action], [423, "10", "getgloballabel"]);
    assertStringIncludes(json.Error, "10 s");
  },
  { configuration: demoWith({}) },
);

test("Errors: a request problem: status 200 with an Error, nothing changed", async ({ service }) => {
  const { state } = service.console;
  const absent = { setgloballabel: 9, setchannellabel: 9, login: 2, logout: 2 };
  const snapshots = { savemx: 2, savech: 9, loadmx: 2, loadch: 9 };
  for (const [name, ObjectID] of Object.entries({ ...absent, ...snapshots })) {
    // Number 1 is a factory snapshot: a save over it is refused before the object is looked up.
    const SnapshotID = name.startsWith("save") ? 2 : 1;
    const parameters = { ObjectID, SnapshotID, Name: "X", ...token };
    const { status, json } = await act(service, name, parameters);
    assertEquals([status, json.Action, json.ObjectID], [200, name, ObjectID]);
    assertMatch(json.Error, /^ObjectID: there is no /, name);
  }
  assert(service.console.state === state);
});

Deno.test("Limits: 5 requests wait 5 s, 10 wait 10 s, counted from the first; 1 a second is free", async () => {
  const clock = stillClock();
  await using service = await startService({ clock, configuration: demoWith({}) });
  const ask = async () => (await act(service, "getgloballabel", { ObjectID: 1 })).status;
  for (const burst of [5, 10]) {
    for (let request = 0; request < burst; request++) assertEquals(await ask(), 200);
    clock.tick(burst * 1000 - 251);
    assertEquals(await ask(), 423, "a 423 does not prolong the lock");
    clock.tick(251);
  }
  for (let second = 0; second < 20; second++) {
    assertEquals(await ask(), 200);
    clock.tick(1000);
  }
});

Deno.test("Limits: 1 request a second that comes up to 250 ms too early is answered, a burst still waits", async () => {
  const clock = stillClock();
  await using service = await startService({ clock, configuration: demoWith({}) });
  const ask = async () => (await act(service, "getgloballabel", { ObjectID: 1 })).status;
  for (let second = 0; second < 60; second++) {
    assertEquals(await ask(), 200);
    clock.tick(second % 2 === 0 ? 900 : 1100);
  }
  for (let request = 0; request < 10; request++) assertEquals(await ask(), 200);
  clock.tick(9749);
  assertEquals(await ask(), 423);
  clock.tick(1);
  assertEquals(await ask(), 200);
  clock.tick(1000);
  assertEquals(await ask(), 200, "what was left is owed");
});

Deno.test("Limits: with limits.rest.perMinute 10 more than 10 requests a minute are 423", async () => {
  const clock = stillClock();
  const configuration = demoWith({ limits: { rest: { perMinute: 10 } } });
  await using service = await startService({ clock, configuration });
  const ask = () => act(service, "getgloballabel", { ObjectID: 1 });
  for (let request = 0; request < 10; request++) {
    assertEquals((await ask()).status, 200);
    clock.tick(1000);
  }
  const { status, headers } = await ask();
  assertEquals([status, headers.get("retry-after")], [423, "50"]);
});

test("Limits: updatepic takes PNG only; a JPG says so in the Error", async ({ service }) => {
  const file = formFile(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16]), "logo.png");
  const { status, json } = await act(service, "updatepic", { ObjectID: 1, file }, "multipart");
  assertEquals(status, 200);
  assertMatch(json.Error, /^file.*PNG.*JPG/);
});

const versions = { "9.1.0": false, "10.1.99": false, "10.2.0": true, "10.3.0.17": true };
for (const [firmware, marked] of Object.entries(versions)) {
  const what = marked ? ", marked as deprecated" : "";
  test(
    `Versioning: firmware ${firmware}: snapshot calls work${what}`,
    async ({ service }) => {
      const file = await channelFile(service);
      for (const { name, since } of actions.values()) {
        // Backup and restore came later: tests/transport/actions/backup.test.ts.
        if (since !== undefined) continue;
        const form = /^up/.test(name) ? "multipart" : "GET";
        // First a valid request, then one with a problem: both answers are marked as deprecated.
        for (const ObjectID of [1, 999]) {
          const SnapshotID = /^up|^save/.test(name) ? 5 : ObjectID;
          const brought = form === "GET" ? {} : { file };
          const parameters = { ObjectID, SnapshotID, Name: "X", ...brought, ...token };
          const { status, headers, json } = await act(service, name, parameters, form);
          assertEquals(status, 200);
          const expected = marked && deprecated.includes(name) ? "true" : null;
          assertEquals(headers.get("deprecation"), expected, `${name} ${ObjectID}`);
          if (json === undefined) continue;
          assertEquals(json.Deprecated, expected === null ? undefined : true, name);
          assertEquals(json.Debug.Firmware, firmware);
        }
      }
      const load = await act(service, "loadmx", { ObjectID: 0, SnapshotID: 1 });
      const save = await act(service, "savech", { ObjectID: 1, SnapshotID: 6, ...token });
      assertEquals([load.json.Error, save.json.Error], [undefined, undefined]);
    },
    { configuration: unlimitedWith({ device: { firmware } }) },
  );
}
