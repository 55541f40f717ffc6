/** `faderd api`: the service does what the published descriptions say. */
import { assert, assertEquals } from "@std/assert";
import { describeInterfaces } from "../../program/api/api.ts";
import { describeMessages } from "../../program/api/messages.ts";
import { describeOpenApi } from "../../program/api/openapi.ts";
import { health } from "../../transport/health.ts";
import { type Json, startService, testConsole, tokens, unlimitedWith } from "../service.ts";
import { ask, statusOf } from "../transport/requests.ts";
import { dataOf, factory, save } from "../conformance/row.ts";
import { checksOf, closed } from "./validators.ts";

const published: Json = JSON.parse(JSON.stringify(describeInterfaces()));
const openApi: Json = describeOpenApi();

const wrong: readonly Json[] = ["", "1", 1.5, -1, 2 ** 53, null, [], {}, true, 1e300];

/** Valid parameters of a method, and others that may be valid or not. */
const calls: Readonly<Record<string, { params: Json; also: readonly Json[] }>> = {
  getsnapshotlist: { params: { type: 2, mixer: 0 }, also: [{ type: 0 }, { type: 3 }, { type: 4 }] },
  loadsnapshot: {
    params: { id: factory.channel, type: 1, mixer: 0, fader: 0 },
    also: [
      { id: "default", mixer: 0 },
      { id: "default", type: 2 },
      { id: factory.channel, type: 1 },
      { id: factory.processing, type: 3, fp: 0 },
      { id: factory.processing, type: 3 },
    ],
  },
  savesnapshot: {
    params: { type: 1, mixer: 0, fader: 0, id: "", name: "N", writegroups: 1, readgroups: 0 },
    also: [
      { type: 1, id: "", writegroups: 1 },
      { type: 3, id: "", writegroups: 1 },
      { type: 3, id: "", writegroups: 1, fp: 0 },
      { type: 2, id: "", writegroups: 255, readgroups: 255 },
      { type: 2, id: "", writegroups: 256 },
      { type: 2, id: "", writegroups: 0 },
      { type: 2, id: "", writegroups: 1, readgroups: 256 },
      { type: 2, id: "", writegroup: 1 },
      { type: 2, id: "", usergroups: 1 },
      { type: 2, id: "", usergroups: 0 },
      { type: 2, id: "", writegroup: 1, usergroups: 0 },
      { type: 2, id: "", writegroup: 0, usergroups: 1 },
      { type: 2, id: "", writegroups: 1, writegroup: 0, usergroups: "x" },
      { type: 2, id: "", writegroups: 0, writegroup: 1 },
      { type: 2, id: "", writegroups: 1, name: "" },
      { type: 2, id: "", writegroups: 1, name: "x".repeat(64) },
      { type: 2, id: "", writegroups: 1, name: "x".repeat(65) },
      { type: 2, id: "", writegroups: 1, name: "a\tb" },
    ],
  },
  modifysnapshot: {
    params: { id: "OWN", name: "New", writegroups: 1, readgroups: 0 },
    also: [{ id: "OWN", name: "N" }, { id: "OWN", name: "Né" }, { id: "OWN", writegroups: 0 }],
  },
  removesnapshot: { params: { id: "OWN" }, also: [] },
  getsnapshot: { params: { id: "default", mixer: 0 }, also: [] },
  setsnapshot: { params: { snapshotdata: "DATA", mixer: 0 }, also: [] },
  fadetovalue: {
    params: { mixer: 0, fader: 0, time: 0, value: -20 },
    also: [
      { fader: 0, value: 0 },
      { fader: 0, value: 0, fadetime: 0.02 },
      { fader: 0, value: 0, fadetime: 31 },
      { fader: 0, value: 0, fadetime: "1" },
      { fader: 0, value: 0, time: 30, fadetime: 31 },
      { fader: 0, value: 0, time: 31, fadetime: 30 },
      { fader: 0, value: 0, time: 30.1 },
      { fader: 0, value: 10.1, time: 0 },
      { fader: 0, value: -161, time: 0 },
    ],
  },
  setchannellabel: {
    params: { sourceid: 1, label: "New" },
    also: [
      { sourceid: 1, label: "x".repeat(128) },
      { sourceid: 1, label: "x".repeat(129) },
      { sourceid: 1, label: "🎚".repeat(128) },
      { sourceid: 1, label: "a\nb" },
      { sourceid: 1, label: "a\u0085b" },
    ],
  },
  registerextlist: { params: { list: 1 }, also: [] },
  unregisterextlist: { params: { list: 2 }, also: [] },
  setextlist: {
    params: { list: 1, select: 0, entries: [{ label: "A" }] },
    also: [
      ...["ff00aa", "FF00AA", "Ff00aA", "ff00a", "ff00aaa", "gg0000", " ff00aa", 0xff0000, null]
        .map((color) => ({ list: 1, entries: [{ label: "A", color }] })),
      ...["background", "pagination", "disabled"].flatMap((flag) =>
        [true, false, 1, "true", null].map((value) => ({
          list: 1,
          entries: [{ label: "A", [flag]: value }],
        }))
      ),
      ...["", "x".repeat(128), "x".repeat(129), "a\u0000", 1, null].map((label) => ({
        list: 1,
        entries: [{ label }],
      })),
      { list: 1, entries: [{}] },
      { list: 1, entries: ["A"] },
      { list: 1, entries: Array(1000).fill({ label: "A" }) },
      { list: 1, entries: Array(1001).fill({ label: "A" }) },
    ],
  },
  pressextlist: { params: { list: 1, entry: 0, on: 1 }, also: [{ list: 1, entry: 0, on: 0 }] },
  login: { params: { mixer: 1 }, also: [{}] },
  logout: { params: { mixer: 1 }, also: [{}] },
  getpicturelist: { params: {}, also: [] },
  getuser: { params: {}, also: [] },
  getuserlist: { params: {}, also: [] },
  adduser: {
    params: { name: "NEW", groups: 1, admin: false, engine: false },
    also: [
      ...["x".repeat(64), "x".repeat(65), "Zoë", "a b", "-a", "a-._@", "a\n", "a/b"].map((
        name,
      ) => ({
        name,
        groups: 1,
      })),
      { name: "NEW", groups: 0 },
      { name: "NEW", groups: 255 },
      { name: "NEW", groups: 256 },
    ],
  },
  modifyuser: {
    params: { name: "one", groups: 1, admin: false, engine: false, newtoken: false },
    also: [{ name: "one", groups: 256 }, { name: "admin", admin: false }],
  },
  removeuser: { params: { name: "two" }, also: [{ name: "admin" }] },
  makehandover: {
    params: { name: "one", minutes: 5 },
    also: [{ name: "one" }, { name: "one", minutes: 0 }, { name: "one", minutes: 61 }],
  },
  takehandover: { params: { code: "CODE" }, also: [] },
  getclientlist: { params: {}, also: [] },
  getcertificate: { params: {}, also: [] },
  getaudit: {
    params: {
      since: "2027-01-31T18:00:00Z",
      until: "2027-01-31T18:00:00.500+01:00",
      user: "one",
      path: "/audio",
      outcome: "done",
      limit: 1,
    },
    also: [
      { since: "2027-01-31" },
      { since: "2027-01-31T18:00:00" },
      { outcome: "refused" },
      { limit: 0 },
      { limit: 1000 },
      { limit: 1001 },
      { user: "" },
      { path: "x".repeat(5000) },
    ],
  },
  getaccess: { params: {}, also: [] },
  setaccess: {
    params: { mixer: 0, accessgroup: 1, fader: 2 },
    also: [{ fader: null }, { accessgroup: 8, fader: 0 }, { accessgroup: 9, fader: 0 }, {}],
  },
  getundolist: { params: { step: 1 }, also: [{}, { step: 99 }] },
  undo: { params: { step: 1, force: false }, also: [{ step: 2 }, { step: 3, force: true }] },
  getviewdocument: {
    params: { name: "pages" },
    also: ["a-1", "A", "a".repeat(32), "a".repeat(33), "a_b"].map((name) => ({ name })),
  },
  setviewdocument: {
    params: { name: "pages", document: { title: "Studio" } },
    also: [
      { name: "other", document: null },
      { name: "other", document: {}, revision: 0 },
      { name: "Other", document: {} },
      { name: "other", document: {}, revision: -1 },
    ],
  },
  getloudnesshistory: {
    params: { loudness: 1, since: "2027-01-31T18:00:00Z", step: 60 },
    also: [
      { loudness: 1, step: 61 },
      { loudness: 1, step: 0 },
      { loudness: 1, since: "1970-01-01T00:00:00Z" },
      { loudness: 7 },
    ],
  },
  getlevelhistory: {
    params: { level: 1, since: "2027-01-31T18:00:00Z", step: 60 },
    also: [
      { level: 1, step: 61 },
      { level: 1, step: 0 },
      { level: 1, since: "1970-01-01T00:00:00Z" },
      { level: 7 },
    ],
  },
};

/**
 * Faults that no schema can describe, such as an unknown object: other codes than 3.
 */
const OTHER_FAULTS = [undefined, 4, 6, 7, 10];

Deno.test("the table has every published method", () => {
  assertEquals(published.rpc.map(({ name }: Json) => name).sort(), Object.keys(calls).sort());
});

for (const { name, params: schema, result } of published.rpc) {
  Deno.test(`${name} takes parameters exactly where its published schema does, and its answers fit the schema of the result`, async () => {
    await using service = await startService({ configuration: unlimitedWith() });
    const subscriber = await service.open();
    const socket = await service.open();
    await subscriber.rpc("registerextlist", { list: 1 });
    await subscriber.rpc("setextlist", { list: 1, entries: [{ label: "A" }] });
    await socket.ask({ method: "auth", token: tokens.admin });
    // Two changes of the same value, so that an undo of the first leaves it.
    for (const payload of [-20, { fader: -10, on: true }]) {
      const path = "/audio/mixers/0/faders/0" + (typeof payload === "number" ? "/fader" : "");
      await socket.ask({ msgID: 1, method: "set", path, payload });
    }
    const fault = checksOf({ $defs: { params: schema, result: closed(result) } });
    const { params, also } = calls[name]!;
    const every = [
      params,
      ...also,
      ...Object.keys(params).flatMap((parameter) => {
        const { [parameter]: _, ...without } = params;
        return [without, ...wrong.map((value) => ({ ...without, [parameter]: value }))];
      }),
    ];
    for (const given of every) {
      const { id } = await save(service, { name: "Own" });
      const filledIn: Json = {
        ...given,
        ...(given.id === "OWN" ? { id } : {}),
        ...(given.name === "NEW" ? { name: id } : {}),
        ...(given.snapshotdata === "DATA" ? { snapshotdata: await dataOf(service, id) } : {}),
      };
      if (given.code === "CODE") {
        const made = await service.rpc("makehandover", { name: "one" });
        filledIn.code = made.payload.result.code;
      }
      const { error, payload } = await socket.rpc(name, filledIn);
      const what = JSON.stringify(given).slice(0, 200);
      if (error === undefined) {
        assertEquals(fault("#/$defs/result", payload.result), undefined, what);
      }
      const isTaken = fault("#/$defs/params", filledIn) === undefined;
      assertEquals(isTaken, OTHER_FAULTS.includes(error?.code), `${what}: ${error?.message}`);
      await service.rpc("removesnapshot", { id });
    }
  });
}

Deno.test("all members of a result are published", async () => {
  await using service = await startService();
  for (const [name, params] of [["getuserlist", {}], ["getsnapshotlist", { type: 2 }]] as const) {
    const [entry] = (await service.rpc(name, params)).payload.result;
    const { result } = published.rpc.find((method: Json) => method.name === name);
    assertEquals(Object.keys(result.items.properties).sort(), Object.keys(entry).sort(), name);
  }
});

Deno.test("the meaning of each error code is published", () => {
  const codes = published.errors.map(({ code }: Json) => code);
  assertEquals(codes, Object.values(published.errorCodes));
});

/** The placeholder that a path has instead of a number below a branch. */
const numbered = (branch: string) =>
  `{${
    ({ entries: "entry", bus: "bus", loudness: "loudness" })[branch] ?? branch.replace(/s$/, "")
  }}`;

Deno.test("the published paths of the tree are exactly those of the demo console", async () => {
  await using service = await startService();
  const tree = await (await fetch(`${service.url}/api/rest/`)).json();
  const paths = new Set<string>();
  const walk = (node: Json, path: readonly string[]) => {
    for (const [member, value] of Object.entries(node)) {
      const here = [...path, /^\d+$/.test(member) ? numbered(path.at(-1)!) : member];
      if (typeof value === "object" && !Array.isArray(value)) walk(value, here);
      else paths.add(`/${here.join("/")}`);
    }
  };
  const { range: _, ...rest } = tree;
  walk(rest, []);
  assertEquals([...paths].sort(), Object.keys(published.tree).sort());
});

Deno.test("the answers of /health fit their published schema, in any state of the engines", async () => {
  const { schema } = openApi.paths["/health"].get.responses[200].content["application/json"];
  const fault = checksOf({ $defs: { health: schema } });
  const { state } = await testConsole();
  const user = state.users.get("one")!;
  const claims = (isLate: boolean) => new Map([[1, { user, paths: [], isLate }]]);
  const all = [{}, { claims: claims(false) }, { claims: claims(true) }, { lost: [[]] }];
  for (const engines of all) {
    const asked = new Request("http://one.test/health");
    const told = health(asked, { ...state, engines: { ...state.engines, ...engines } });
    assertEquals(fault("#/$defs/health", await told.json()), undefined);
  }
});

/** The published operations: path, HTTP method, and what is published of them. */
const operations: readonly (readonly [string, string, Json])[] = Object.entries<Json>(openApi.paths)
  .flatMap(([path, { parameters: _, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => [path, method, operation] as const)
  );

/** The query and the headers by which a published scheme sends a token. */
function sentBy(scheme: string, token: string): { query: string; headers: Record<string, string> } {
  const { type, name } = openApi.components.securitySchemes[scheme];
  return type === "http"
    ? { query: "", headers: { authorization: `Bearer ${token}` } }
    : { query: `?${name}=${token}`, headers: {} };
}

Deno.test("an action takes its token by each scheme that is published for it", async () => {
  const configuration = unlimitedWith({ anonymous: "none" });
  await using service = await startService({ configuration });
  for (const [path, method, { security }] of operations) {
    if (!path.startsWith("/action/")) continue;
    for (const scheme of security.flatMap(Object.keys)) {
      const { query, headers } = sentBy(scheme, tokens.admin);
      const init = { method: method.toUpperCase(), headers };
      const { text } = await ask(`${service.url}${path}${query}`, init);
      const what = `${method} ${path} by ${scheme}: ${text.slice(0, 200)}`;
      assert(!text.includes("expected the token"), what);
    }
  }
});

Deno.test("the calls that are published for HTTP are those that need no WebSocket", async () => {
  await using service = await startService();
  for (const name of Object.keys(describeMessages().requests)) {
    const [method, called] = name.split(".");
    const { error } = await service.post({ method, path: "/general", payload: { method: called } });
    const isPublished = `request.${name}` in openApi.components.schemas;
    assertEquals(isPublished, error?.code !== 8, name);
  }
});

Deno.test("the status for a page of another site is published for each operation", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  for (const [path, method, { responses }] of operations) {
    const url = service.url + path.replace(/\{\w+\}/g, "1");
    const status = await statusOf(url, { method: method.toUpperCase(), headers });
    assert(status in responses || "4XX" in responses, `${method} ${path}: ${status}`);
  }
});

Deno.test("the root of the control tree is published", async () => {
  await using service = await startService();
  assert(openApi.paths["/api/rest"].get !== undefined);
  assertEquals(await statusOf(`${service.url}/api/rest`), 200);
});

Deno.test("the published actions name their files and tags, and whether they need a token", () => {
  const rows = published.rest.map(({ name, methods, parameters }: Json) => [
    name,
    methods.join(),
    Object.fromEntries(parameters.map(({ name, expected, optional }: Json) => [
      name,
      optional ? `${expected}?` : expected,
    ])),
  ]);
  const found = Object.fromEntries(rows.map(([name, ...rest]: Json) => [name, rest]));
  const sfp = "a snapshot file, named .sfp";
  for (const upload of ["uploadmxsnap", "uploadchsnap"]) {
    const [methods, { file, Token }] = found[upload];
    assertEquals([methods, file, Token], ["POST", sfp, "the token of a user?"]);
  }
  assertEquals(found.restore[1].file, "a backup, named .bin or .tgz");
  assert(
    /^ALL, or some of FWCONFIG, .* AES67CONFIG, VIEW, separated by commas/.test(
      found.restore[1].Tags,
    ),
  );
  for (const name of ["login", "logout", "backup", "restore"]) {
    assertEquals(found[name][1].Token, "the token of a user");
  }
});
