import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { smallPng } from "../../core/pictures/made-png.ts";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { granted } from "../../core/actors.ts";
import { packed, restoredFrom } from "../../core/backup/archives.ts";
import {
  act,
  formFile,
  startService,
  stillClock,
  testConsole,
  type TestService,
  tokens,
  unlimitedWith,
} from "../../service.ts";
import { actions } from "../../../transport/action-api/actions.ts";

/** The checks in their order: a request that fails each, and the answer of that check. */
interface Check {
  readonly name: string;
  readonly configuration?: Partial<WrittenConfiguration>;
  readonly action?: string;
  readonly method?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly error: RegExp;
  readonly allow?: string;
}

const checks: readonly Check[] = [
  { name: "known action", action: "nosuch", status: 404, error: /no action "nosuch"/ },
  {
    name: "checkbox",
    configuration: { restApi: { enabled: false } },
    status: 405,
    error: /not enabled/,
  },
  {
    name: "firmware",
    configuration: { device: { firmware: "9.0.0" } },
    status: 405,
    error: /firmware 9\.1/,
  },
  { name: "license", configuration: { licenses: [] }, status: 405, error: /license 52-8577/ },
  { name: "rate", configuration: { limits: {} }, status: 423, error: /too many requests/ },
  {
    name: "HTTP method",
    method: "PUT",
    status: 405,
    error: /^expected GET or POST, got PUT$/,
    allow: "GET, POST",
  },
  { name: "parameters", parameters: { SnapshotID: "x" }, status: 200, error: /^SnapshotID: / },
  { name: "token", parameters: { Token: "wrong" }, status: 200, error: /^Token: / },
  { name: "rights", parameters: { Token: tokens.none }, status: 200, error: /is in no group/ },
  {
    name: "object",
    parameters: { ObjectID: "99" },
    status: 200,
    error: /^ObjectID: there is no mixer 99/,
  },
];

/** Sends a request that fails these checks and no other. */
async function ask(failing: readonly Check[]) {
  const { limits, ...parts } = Object.assign({}, ...failing.map((check) => check.configuration));
  const limited = limits === undefined ? {} : { limits: { rest: { burst: 1 } } };
  const configuration = unlimitedWith({ ...parts, ...limited });
  await using service = await startService({ clock: stillClock(), configuration });
  if (limits !== undefined) await act(service, "getgloballabel", { ObjectID: 1 });
  const right = { ObjectID: "0", SnapshotID: "9", Token: tokens.admin };
  // A token of no user has no rights, either.
  const parameters = Object.assign(
    {},
    right,
    ...failing.map((check) => check.parameters).reverse(),
  );
  const action = failing.find((check) => check.action)?.action ?? "savemx";
  const method = failing.find((check) => check.method)?.method ?? "GET";
  const { state } = service.console;
  const address = `${service.url}/action/${action}?${new URLSearchParams(parameters)}`;
  const response = await fetch(address, { method });
  const json = await response.json();
  assert(failing.length === 0 || service.console.state === state, "nothing is changed");
  return { status: response.status, allow: response.headers.get("allow"), json };
}

Deno.test("a request that fails no check is carried out", async () => {
  assertEquals((await ask([])).json.Error, undefined);
});

for (const [index, first] of checks.entries()) {
  const later = checks.slice(index + 1);
  const place = later.length === 0 ? "last" : "before all later checks";
  Deno.test(`the check of ${first.name} comes ${place}`, async () => {
    for (const failing of [[first], ...later.map((second) => [first, second])]) {
      const { status, allow, json } = await ask(failing);
      const what = failing.map(({ name }) => name).join(" and ");
      assertEquals([what, status], [what, first.status]);
      assertMatch(json.Error, first.error, what);
      assertEquals(allow, first.allow ?? null, what);
      assertEquals(json.Action, first.action ?? failing[1]?.action ?? "savemx");
    }
  });
}

Deno.test("rights are checked before the object", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const groups = { id: "", name: "Two", writegroups: 2, readgroups: 2 };
  await service.rpc("savesnapshot", { type: 2, ...groups });
  await service.rpc("savesnapshot", { type: 1, fader: 0, ...groups });
  const rows = [
    ["savemx", undefined, /log in/],
    ["savech", undefined, /log in/],
    ["loadmx", tokens.one, /no group that may load/],
    ["loadch", tokens.one, /no group that may load/],
  ] as const;
  for (const [name, Token, error] of rows) {
    const parameters = { ObjectID: 99, SnapshotID: 2, Token };
    assertMatch((await act(service, name, parameters)).json.Error, error, name);
  }
});

Deno.test("an unknown action is 404 with an Error, with any method", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const name of ["", "nosuch", "SetGlobalLabel", "login/", "toString", "__proto__", "a/b"]) {
    for (const method of ["GET", "POST", "PUT"]) {
      const response = await fetch(`${service.url}/action/${name}?ObjectID=1`, { method });
      const json = await response.json();
      assertEquals([response.status, json.Action], [404, name]);
      assertStringIncludes(json.Error, name);
    }
  }
});

Deno.test("an answer is JSON, an echo with Action and Debug", async () => {
  await using service = await startService({ clock: stillClock(), configuration: unlimitedWith() });
  const more = { Extra: "5", list: ["a", "b"], Token: tokens.one, TOKEN: "x" };
  const given = { ObjectID: "-0", SnapshotID: "007", ...more };
  const { json, headers } = await act(service, "savemx", given);
  assertEquals(json, {
    ObjectID: 0,
    SnapshotID: 7,
    Extra: "5",
    list: ["a", "b"],
    Token: "***",
    TOKEN: "***",
    Action: "savemx",
    Deprecated: true,
    Debug: { Firmware: "10.3.0", DurationMs: 0 },
  });
  assertEquals(headers.get("content-type"), "application/json");
});

Deno.test("integers are echoed as numbers also if a parameter is invalid or the body malformed", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const given = { ObjectID: 1, Name: "x".repeat(129) };
  const { json: named } = await act(service, "setgloballabel", given);
  assertMatch(named.Error, /^Name: /);
  assertEquals([named.ObjectID, named.Name], [1, given.Name]);
  const { json } = await act(service, "loadmx", { ObjectID: 0, SnapshotID: 70_000 });
  assertMatch(json.Error, /^SnapshotID: /);
  assertEquals([json.ObjectID, json.SnapshotID], [0, 70_000]);
  const address = `${service.url}/action/setgloballabel?ObjectID=1&Name=New`;
  const malformed = await (await fetch(address, { method: "POST", body: "{}" })).json();
  assertMatch(malformed.Error, /Content-Type/);
  assertEquals([malformed.ObjectID, malformed.Name], [1, "New"]);
});

Deno.test("every answer of a deprecated call is marked, with any status", async () => {
  const configuration = unlimitedWith({ limits: { rest: { burst: 1 } } });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const tooLarge = { method: "POST", body: "x".repeat(64 * 1024 + 1), headers: type };
  for (const [init, status] of [[{ method: "PUT" }, 405], [{}, 423], [tooLarge, 413]] as const) {
    await using fresh = await startService({ clock: stillClock(), configuration });
    if (status === 423) await act(fresh, "getgloballabel");
    const response = await fetch(`${fresh.url}/action/savemx`, init);
    const { Deprecated } = await response.json();
    const found = [response.status, response.headers.get("deprecation"), Deprecated];
    assertEquals(found, [status, "true", true]);
  }
});

Deno.test("the beginning of a file is checked with the parameters, its content after the token and before the object", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const broken = formFile(smallPng.subarray(0, -1));
  const rows = [
    ["updatepic", formFile("x"), "wrong", /^file .*PNG/],
    ["uploadmxsnap", formFile("x"), "wrong", /^file: .*\.sfp/],
    ["updatepic", broken, "wrong", /^Token: /],
    ["updatepic", broken, tokens.admin, /^file /],
    ["updatepic", broken, undefined, /^file /],
  ] as const;
  for (const [name, file, Token, error] of rows) {
    const given = { ObjectID: 99, SnapshotID: 9, file, Token };
    assertMatch((await act(service, name, given, "multipart")).json.Error, error);
  }
});

Deno.test("an answer has Error only for a problem, also if a parameter is called Error", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const given = { ObjectID: 1, Name: "New", Error: "x", Action: "x", Debug: "x" };
  const { json } = await act(service, "setgloballabel", given);
  assertEquals((await act(service, "getgloballabel", { ObjectID: 1 })).text, "New");
  assertEquals([json.Action, typeof json.Debug], ["setgloballabel", "object"]);
  assertEquals(json.Error, undefined, "a client that looks for Error takes this for a failure");
});

Deno.test("for each name the body wins over the query", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const address = `${service.url}/action/login?ObjectID=99&Extra=a&Token=${tokens.one}`;
  const multipart = new FormData();
  multipart.set("ObjectID", "1");
  for (const body of [new URLSearchParams({ ObjectID: "1" }), multipart]) {
    const { Error, ObjectID, Extra, User } = await (await fetch(address, { method: "POST", body }))
      .json();
    assertEquals([Error, ObjectID, Extra, User], [undefined, 1, "a", "one"]);
  }
});

Deno.test("a malformed request is status 200 with an Error, and changes nothing", async () => {
  await using service = await startService({ clock: stillClock(), configuration: unlimitedWith() });
  const { state } = service.console;
  const query = "?ObjectID=1&Name=New";
  const rows: readonly (readonly [string, RequestInit, RegExp])[] = [
    [`${query}&x=%zz`, {}, /percent-encoding/],
    [`${query}&x=%zz`, { method: "POST", body: new URLSearchParams() }, /percent-encoding/],
    [`${query}${"&a=1".repeat(64)}`, {}, /more than 64/],
    [query, { method: "POST", body: "{}" }, /Content-Type/],
    [query, multipart("multipart/form-data", "x"), /boundary/],
    [query, multipart("multipart/form-data; boundary=X", "--X\r\n"), /cut off/],
    [query, { ...multipart("application/x-www-form-urlencoded", Uint8Array.of(0xff)) }, /UTF-8/],
  ];
  for (const [search, init, error] of rows) {
    const response = await fetch(`${service.url}/action/setgloballabel${search}`, init);
    const json = await response.json();
    assertEquals([response.status, json.Action], [200, "setgloballabel"]);
    assertMatch(json.Error, error);
  }
  assert(service.console.state === state);
});

Deno.test("of a query with wrong percent-encoding the parameters that can be read are echoed", async () => {
  await using service = await startService({ clock: stillClock(), configuration: unlimitedWith() });
  for (const init of [{}, { method: "POST", body: new URLSearchParams({ Extra: "a" }) }]) {
    const query = `?ObjectID=1&Name=%ZZ&Token=${tokens.one}&N%ff=2&Other=%C3%A9`;
    const response = await fetch(`${service.url}/action/setgloballabel${query}`, init);
    const { Action: _, Debug: __, ...echoed } = await response.json();
    assertEquals(echoed, {
      ObjectID: 1,
      Token: "***",
      Other: "é",
      ...("body" in init ? { Extra: "a" } : {}),
      Error: 'the value of "Name" in the query has wrong percent-encoding',
    });
  }
});

function multipart(type: string, body: BodyInit): RequestInit {
  return { method: "POST", body, headers: { "content-type": type } };
}

const KiB = 1024;
/** The largest body of an action; with a file the form around the file is added. */
const limits = (name: string) =>
  name === "restore"
    ? 64 * KiB * KiB
    : name === "updatepic"
    ? 4 * KiB * KiB
    : /^upload/.test(name)
    ? KiB * KiB
    : 64 * KiB;

/** The status of the answer to a form with this Content-Length, whose body is not sent. */
async function statusOfLength({ url }: TestService, name: string, length: number): Promise<number> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const head = [
    `POST /action/${name} HTTP/1.1`,
    "host: localhost",
    "content-type: multipart/form-data; boundary=X",
    `content-length: ${length}`,
  ];
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n`));
  const buffer = new Uint8Array(64);
  await connection.read(buffer);
  return Number(new TextDecoder().decode(buffer).split(" ")[1]);
}

Deno.test("a body over its limit is 413: backup 64 MiB, picture 4 MiB, snapshot file 1 MiB, others 64 KiB", async () => {
  await using service = await startService({ clock: stillClock(), configuration: unlimitedWith() });
  const { state } = service.console;
  for (const name of actions.keys()) {
    const most = limits(name) + (limits(name) === 64 * KiB ? 0 : 64 * KiB);
    assertEquals([name, await statusOfLength(service, name, most + 1)], [name, 413]);
    for (const [length, status] of [[64, 413], [63, 200]] as const) {
      const given = { Name: "x".repeat(length * KiB) };
      const answer = await act(service, name, given, "urlencoded");
      assertEquals([name, answer.status, answer.json.Action], [name, status, name]);
      if (status === 413) assertMatch(answer.json.Error, /too large/);
    }
  }
  const file = formFile(new Uint8Array(limits("updatepic") - 64));
  assertEquals((await act(service, "updatepic", { ObjectID: 1, file }, "multipart")).status, 200);
  assert(service.console.state === state);
});

Deno.test("a snapshot file has at most 1 MiB, also if the whole form is within its limit", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const { text } = await act(service, "downloadchsnap", { SnapshotID: 1 });
  for (const [over, accepted] of [[0, true], [1, false]] as const) {
    const file = formFile(text.padEnd(KiB * KiB + over), "speech.sfp");
    const given = { SnapshotID: 5, file, Token: tokens.admin };
    const { status, json } = await act(service, "uploadchsnap", given, "multipart");
    assertEquals([status === 200 && json.Error === undefined, over], [accepted, over]);
  }
});

Deno.test("an upload takes only a file named .sfp, in either case, as a download names it", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const kind of ["chsnap", "mxsnap"]) {
    const { text, headers } = await act(service, `download${kind}`, { SnapshotID: 1 });
    const given = /filename="(.+)"$/.exec(headers.get("content-disposition")!)![1]!;
    const taken = [given, "speech.sfp", "SPEECH.SFP", "speech.v2.sfp"];
    for (const name of [...taken, "speech.json", "speech.sfp.exe", "speech", "sfp", ""]) {
      const { state } = service.console;
      const parameters = { SnapshotID: 7, file: formFile(text, name), Token: tokens.admin };
      const { status, json } = await act(service, `upload${kind}`, parameters, "multipart");
      const error = `file: expected a snapshot file, named .sfp, got the file "${name}"`;
      assertEquals([status, json.Error], [200, taken.includes(name) ? undefined : error]);
      assert(taken.includes(name) || service.console.state === state);
    }
  }
});

/** The bytes after which a body counts as never cut off; the buffers of sockets hold far less. */
const PATIENCE = 64 * KiB * KiB;

Deno.test("an endless body is answered with 413, and no more of it is taken", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const { hostname, port } = new URL(service.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const utf8 = new TextEncoder();
  const head = [
    "POST /action/uploadmxsnap HTTP/1.1",
    "host: localhost",
    "content-type: multipart/form-data; boundary=X",
    "transfer-encoding: chunked",
  ];
  await connection.write(utf8.encode(`${head.join("\r\n")}\r\n\r\n`));
  const chunk = utf8.encode(`4000\r\n${"x".repeat(0x4000)}\r\n`);
  let sent = 0;
  const sending = (async () => {
    while (sent < PATIENCE) sent += await connection.write(chunk.subarray(sent % chunk.length));
  })().catch(() => "the service has closed the connection");
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer);
  assertMatch(new TextDecoder().decode(buffer.subarray(0, count ?? 0)), /^HTTP\/1\.1 413 /);
  assertEquals(await sending, "the service has closed the connection");
  assertEquals((await act(service, "getgloballabel", { ObjectID: 1 })).text, "Studio 1");
});

Deno.test("the restApi of a restored configuration is in force at once, also for a request whose body is still on its way", async () => {
  const limits = { rest: { burst: 0 }, connectionsPerAddress: 1 };
  await using service = await startService({ configuration: unlimitedWith({ limits }) });
  const { hostname, port } = new URL(service.url);
  const utf8 = new TextEncoder();
  const body = "ObjectID=1&Name=Late";
  const head = [
    "POST /action/setgloballabel HTTP/1.1",
    "host: localhost",
    "connection: close",
    "content-type: application/x-www-form-urlencoded",
    `content-length: ${body.length}`,
  ];
  const label = async () => await act(service, "getgloballabel", { ObjectID: 1 });
  assertEquals((await label()).text, "Studio 1");
  /** Sends the head of the request until it has the only place, which `label` may hold for now. */
  async function begin() {
    while (true) {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      const [first, whole] = connection.readable.tee();
      let isRefused = false;
      first.getReader().read().then(() => isRefused = true);
      const answer = new Response(whole).text();
      await connection.write(utf8.encode(`${head.join("\r\n")}\r\n\r\n`));
      while (!isRefused) if ((await label()).status === 503) return { connection, answer };
      // The server keeps the connection of a refused request until its body has come.
      await connection.write(utf8.encode(body));
      await answer;
    }
  }
  const { connection, answer: answered } = await begin();
  const restApi = { auth: "required" } as const;
  const { state } = await testConsole({ configuration: unlimitedWith({ limits, restApi }) });
  granted(await restoredFrom(service.console, await packed(state, ["FWCONFIG"]), "FWCONFIG"));
  await connection.write(utf8.encode(body));
  assertStringIncludes(await answered, "Token: expected the token of a user, it is missing");
  assertStringIncludes((await label()).text, "Token: expected the token of a user, it is missing");
});
