/** "1" is not 1: every parameter of every RPC with values of wrong types (decisions.md, "RPC"). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { rpcMethods } from "../../transport/control-api/rpc-methods.ts";
import { type TestService, type TestSocket, tokens } from "../service.ts";
import { dataOf, factory, save, test } from "./row.ts";

/** Valid parameters of each method: the required ones, and the optional ones. */
const calls: Readonly<Record<string, readonly [required: object, optional?: object]>> = {
  getsnapshotlist: [{ type: 2 }, { mixer: 0 }],
  loadsnapshot: [{ id: factory.channel, fader: 0 }, { type: 1, mixer: 0, fp: 0, name: "N" }],
  savesnapshot: [{ type: 1, fader: 0, id: "", writegroups: 1 }, {
    mixer: 0,
    fp: 0,
    name: "N",
    readgroups: 0,
  }],
  modifysnapshot: [{ id: "OWN" }, { name: "New", writegroups: 1, readgroups: 0 }],
  removesnapshot: [{ id: "OWN" }],
  getsnapshot: [{ id: "default" }, { mixer: 0 }],
  setsnapshot: [{ snapshotdata: {} }, { mixer: 0 }],
  fadetovalue: [{ fader: 0, time: 0, value: -20 }, { mixer: 0, fadetime: 0 }],
  setchannellabel: [{ sourceid: 1, label: "New" }],
  registerextlist: [{ list: 1 }],
  unregisterextlist: [{ list: 1 }],
  setextlist: [{ list: 1, entries: [{ label: "A" }] }, { select: 0 }],
  login: [{}, { mixer: 0 }],
  logout: [{}, { mixer: 0 }],
  getpicturelist: [{}],
  getuser: [{}],
  getuserlist: [{}],
  adduser: [{ name: "new", groups: 1 }, {
    admin: false,
    engine: false,
    may: "view",
    expires: "2999-01-31",
  }],
  modifyuser: [{ name: "two" }, {
    groups: 1,
    admin: false,
    engine: false,
    may: "view",
    expires: "2999-01-31",
    newtoken: false,
  }],
  removeuser: [{ name: "two" }],
  makehandover: [{ name: "one" }, { minutes: 5 }],
  takehandover: [{ code: "CODE" }],
  getclientlist: [{}],
  getcertificate: [{}],
  getaudit: [{}, {
    since: "2027-01-31T18:00:00Z",
    until: "2027-01-31T18:00:00Z",
    user: "one",
    path: "/audio",
    outcome: "done",
    limit: 1,
  }],
  // Its event would come before the answer over the other transport.
  setaccess: [{ fader: 1 }, { mixer: 0, accessgroup: 1 }],
  getaccess: [{}],
  getundolist: [{}, { step: 1 }],
  undo: [{ step: 1 }, { force: true }],
  setviewdocument: [{ name: "pages", document: { title: "Studio" } }, { revision: 0 }],
  getviewdocument: [{ name: "pages" }],
  getloudnesshistory: [{ loudness: 1 }, { since: "2027-01-31T18:00:00Z", step: 6 }],
  getlevelhistory: [{ level: 1 }, { since: "2027-01-31T18:00:00Z", step: 6 }],
  pressextlist: [{ list: 1, entry: 0, on: 1 }],
};

const wrong: readonly unknown[] = ["1", 1.5, -1, null, [], {}, true, undefined];

/** The values above that have the right type: their code instead of 3, 0 for success. */
const right: Readonly<Record<string, number>> = {
  'loadsnapshot.id "1"': 6,
  'loadsnapshot.name "1"': 0,
  'savesnapshot.id "1"': 6,
  'savesnapshot.name "1"': 0,
  'modifysnapshot.id "1"': 6,
  'removesnapshot.id "1"': 6,
  'getsnapshot.id "1"': 6,
  "setsnapshot.snapshotdata {}": 10,
  "fadetovalue.time 1.5": 0,
  "fadetovalue.time undefined": 0, // fadetime is given
  "fadetovalue.fadetime 1.5": 0,
  "fadetovalue.value 1.5": 0,
  "fadetovalue.value -1": 0,
  'setchannellabel.label "1"': 0,
  "setextlist.entries []": 0,
  "setextlist.entries null": 0,
  'adduser.name "1"': 0,
  "setaccess.fader null": 0,
  "adduser.admin true": 0,
  "adduser.engine true": 0,
  'modifyuser.name "1"': 6,
  "modifyuser.admin true": 0,
  "modifyuser.engine true": 0,
  "modifyuser.expires null": 0,
  "modifyuser.newtoken true": 0,
  'removeuser.name "1"': 6,
  'makehandover.name "1"': 6,
  'takehandover.code "1"': 4,
  'getaudit.user "1"': 0,
  'getaudit.path "1"': 0,
  "undo.force true": 0,
  'getviewdocument.name "1"': 0,
  'setviewdocument.name "1"': 0,
  "setviewdocument.document null": 0,
  "setviewdocument.document {}": 0,
};

async function filledIn(service: TestService, params: object): Promise<Record<string, unknown>> {
  const { id } = await save(service, { name: "Own" });
  const data = await dataOf(service, id);
  const { code } = (await service.rpc("makehandover", { name: "none" })).payload.result;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      value === "OWN" ? id : value === "CODE" ? code : name === "snapshotdata" ? data : value,
    ]),
  );
}

Deno.test("the table has every method, and every parameter of it", () => {
  const listed = Object.entries(calls)
    .map((
      [name, [required, optional]],
    ) => [name, Object.keys({ ...required, ...optional }).sort()]);
  const known = [...rpcMethods.values()]
    .map(({ name, params }) => [name, Object.keys(params.entries).sort()]);
  assertEquals(Object.fromEntries(listed), Object.fromEntries(known));
});

/** Logs in, registers and fills a list, and makes a change that can be undone. */
async function prepare(socket: TestSocket): Promise<void> {
  await socket.ask({ method: "auth", token: tokens.admin });
  await socket.rpc("registerextlist", { list: 1 });
  await socket.rpc("setextlist", { list: 1, entries: [{ label: "A" }] });
  await socket.ask({ msgID: 1, method: "set", path: "/audio/mixers/0/faders/0/fader", payload: 0 });
}

for (const [method, [required, optional]] of Object.entries(calls)) {
  test(`${method}: a parameter of a wrong type, or missing, is error 3 and changes nothing`, async ({ service, socket, both }) => {
    await prepare(socket);
    const params = await filledIn(service, { ...required, ...optional });
    const { state } = service.console;
    for (const parameter of Object.keys(params)) {
      for (const value of wrong) {
        const missing = value === undefined;
        if (missing && !(parameter in required)) continue;
        const what = `${method}.${parameter} ${JSON.stringify(value)}`;
        const code = right[what] ?? 3;
        if (code === 0) continue;
        const given = { ...params, [parameter]: value };
        const { success, error } = rpcMethods.get(method)!.precondition
          ? await socket.rpc(method, given)
          : await both(method, given);
        assertEquals([success, error?.code], [false, code], what);
        assertStringIncludes(error.message, parameter, what);
        if (missing) assertMatch(error.message, /it is missing$/, what);
        assert(service.console.state === state, `${what} changed the state`);
      }
    }
    const { error } = await socket.rpc(method, params);
    assertEquals(error, undefined, "with the right parameters it is answered");
  });
}

test("an optional parameter may be left out", async ({ service, socket }) => {
  for (const [method, [required]] of Object.entries(calls)) {
    await prepare(socket);
    const params = await filledIn(service, required);
    const answer = await socket.rpc(method, params);
    assertEquals(answer.error, undefined, method);
    const added = method === "savesnapshot" ? { readgroups: 0 } : {};
    assertEquals(answer.payload.params, { ...params, ...added }, "params is echoed as received");
  }
});

test("savesnapshot: writegroup stands in for an absent writegroups, not for a wrong one", async ({ service, assertCodes }) => {
  const { state } = service.console;
  const params = { type: 2, id: "", writegroups: null, writegroup: 5 };
  await assertCodes([["savesnapshot", params, 3]]);
  assert(service.console.state === state);
});

const text = "expected text of at most 128 characters without control characters";
const color = "expected six hexadecimal digits, RRGGBB";
const flag = "expected true or false";

/** A value that is not an entry of a list, and the end of the message about it. */
const entries: readonly (readonly [unknown, string])[] = [
  [null, ": expected an object, got null"],
  ["A", ': expected an object, got "A"'],
  [[], `.label: ${text}, it is missing`],
  [{}, `.label: ${text}, it is missing`],
  [{ label: 1 }, `.label: ${text}, got 1`],
  [{ label: null }, `.label: ${text}, got null`],
  [{ label: "a\u0007" }, `.label: ${text}, got "a\\u0007"`],
  [{ label: "x".repeat(129) }, `.label: ${text}, got "${"x".repeat(40)}"…`],
  [{ label: "A", background: 1 }, `.background: ${flag}, got 1`],
  [{ label: "A", pagination: "true" }, `.pagination: ${flag}, got "true"`],
  [{ label: "A", disabled: null }, `.disabled: ${flag}, got null`],
  [{ label: "A", color: "red" }, `.color: ${color}, got "red"`],
  [{ label: "A", color: "#ff0000" }, `.color: ${color}, got "#ff0000"`],
  [{ label: "A", color: 0xff0000 }, `.color: ${color}, got 16711680`],
];

test("an entry of a list is an object with label, and background, color, pagination", async ({ service, socket }) => {
  await socket.rpc("registerextlist", { list: 1 });
  const { state } = service.console;
  for (const [entry, sentence] of entries) {
    const params = { list: 1, entries: [{ label: "A" }, entry] };
    const { error } = await socket.rpc("setextlist", params);
    assertEquals(error, { code: 3, message: `entries.1${sentence}` });
  }
  assert(service.console.state === state);
});

test("a missing member of the envelope is refused in the words for a missing parameter", async ({ socket }) => {
  const rows = [
    [{}, 1, "method: expected a string, it is missing"],
    [{ method: "get" }, 3, "path: expected a string, it is missing"],
    [{ method: "set", path: "/audio" }, 3, "payload: expected a value, it is missing"],
    [{ method: "rpc" }, 1, "payload: expected an object, it is missing"],
    [{ method: "rpc", payload: {} }, 1, "payload.method: expected a string, it is missing"],
  ] as const;
  for (const [message, code, sentence] of rows) {
    assertEquals((await socket.ask(message)).error, { code, message: sentence });
  }
});

test("a payload, method or params of a wrong type is refused", async ({ service, socket }) => {
  const { state } = service.console;
  const rows: readonly (readonly [unknown, number])[] = [
    [undefined, 1],
    [null, 1],
    ["getsnapshotlist", 1],
    [[], 1],
    [{}, 1],
    [{ method: null, params: {} }, 1],
    [{ method: ["getsnapshotlist"], params: { type: 1 } }, 1],
    [{ method: "getsnapshotlist", params: null }, 3],
    [{ method: "getsnapshotlist", params: [] }, 3],
    [{ method: "getsnapshotlist", params: "type" }, 3],
    [{ method: "getsnapshotlist" }, 3],
    [{ method: "toString", params: {} }, 2],
    [{ method: "GetSnapshotList", params: { type: 1 } }, 2],
  ];
  for (const [payload, code] of rows) {
    const message = { method: "rpc", token: tokens.admin, payload };
    const answer = await socket.ask(message);
    const found = [answer.method, answer.success, answer.error?.code];
    assertEquals(found, ["rpc", false, code], JSON.stringify(payload));
    assertEquals(await service.post(message), answer);
  }
  assert(service.console.state === state);
});
