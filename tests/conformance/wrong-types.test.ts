/** "1" is not 1: every parameter of every RPC, given what it is not (decisions.md, "RPC"). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { rpcMethods } from "../../transport/control-api/rpc-methods.ts";
import { type TestService, tokens } from "../service.ts";
import { dataOf, factory, save, test } from "./row.ts";

/** Parameters that each method takes, and those of them that it cannot do without. */
const calls = {
  getsnapshotlist: { params: { type: 2, mixer: 0 }, required: ["type"] },
  loadsnapshot: {
    params: { id: factory.channel, type: 1, mixer: 0, fader: 0, fp: 0 },
    required: ["id", "fader"],
  },
  savesnapshot: {
    params: {
      ...{ type: 1, mixer: 0, fader: 0, fp: 0, id: "" },
      ...{ name: "N", writegroups: 1, readgroups: 0 },
    },
    required: ["type", "fader", "id", "writegroups"],
  },
  modifysnapshot: {
    params: { id: "OWN", name: "New", writegroups: 1, readgroups: 0 },
    required: ["id"],
  },
  removesnapshot: { params: { id: "OWN" }, required: ["id"] },
  getsnapshot: { params: { id: "default", mixer: 0 }, required: ["id"] },
  setsnapshot: { params: { snapshotdata: {}, mixer: 0 }, required: ["snapshotdata"] },
  fadetovalue: {
    params: { mixer: 0, fader: 0, time: 0, fadetime: 0, value: -20 },
    required: ["fader", "time", "value"],
  },
  setchannellabel: { params: { sourceid: 1, label: "New" }, required: ["sourceid", "label"] },
  registerextlist: { params: { list: 1 }, required: ["list"] },
  unregisterextlist: { params: { list: 1 }, required: ["list"] },
  setextlist: {
    params: { list: 1, select: 0, entries: [{ label: "A" }] },
    required: ["list", "entries"],
  },
  login: { params: { mixer: 0 }, required: [] },
  logout: { params: { mixer: 0 }, required: [] },
  getpicturelist: { params: {}, required: [] },
  getuser: { params: {}, required: [] },
  getuserlist: { params: {}, required: [] },
  adduser: {
    params: {
      ...{ name: "new", groups: 1, admin: false, engine: false },
      ...{ may: "view", expires: "2999-01-31" },
    },
    required: ["name", "groups"],
  },
  modifyuser: {
    params: {
      ...{ name: "two", groups: 1, admin: false, engine: false },
      ...{ may: "view", expires: "2999-01-31", newtoken: false },
    },
    required: ["name"],
  },
  removeuser: { params: { name: "two" }, required: ["name"] },
  getclientlist: { params: {}, required: [] },
  getcertificate: { params: {}, required: [] },
  pressextlist: { params: { list: 1, entry: 0, on: 1 }, required: ["list", "entry", "on"] },
} as const satisfies Record<string, { params: object; required: readonly string[] }>;

const wrong: readonly unknown[] = ["1", 1.5, -1, null, [], {}, true, undefined];

/** What is of the right type among them: the code it comes to instead of 3, 0 for well answered. */
const right: Readonly<Record<string, number>> = {
  'loadsnapshot.id "1"': 6,
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
  'adduser.name "1"': 0,
  "adduser.admin true": 0,
  "adduser.engine true": 0,
  'modifyuser.name "1"': 6,
  "modifyuser.admin true": 0,
  "modifyuser.engine true": 0,
  "modifyuser.expires null": 0,
  "modifyuser.newtoken true": 0,
  'removeuser.name "1"': 6,
};

async function filledIn(service: TestService, params: object): Promise<Record<string, unknown>> {
  const { id } = await save(service, { name: "Own" });
  const data = await dataOf(service, id);
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      value === "OWN" ? id : name === "snapshotdata" ? data : value,
    ]),
  );
}

Deno.test("the table has every method, and every parameter of it", () => {
  const listed = Object.entries(calls).map((
    [name, { params }],
  ) => [name, Object.keys(params).sort()]);
  const known = [...rpcMethods.values()]
    .map(({ name, params }) => [name, Object.keys(params.entries).sort()]);
  assertEquals(Object.fromEntries(listed), Object.fromEntries(known));
});

for (const [method, { params: written, required }] of Object.entries(calls)) {
  test(`${method}: a parameter of a wrong type, or missing, is error 3 and changes nothing`, async ({ service, socket, both }) => {
    await socket.ask({ method: "auth", token: tokens.admin });
    await socket.rpc("registerextlist", { list: 1 });
    await socket.rpc("setextlist", { list: 1, entries: [{ label: "A" }] });
    const params = await filledIn(service, written);
    const { state } = service.console;
    for (const parameter of Object.keys(params)) {
      for (const value of wrong) {
        const missing = value === undefined;
        if (missing && !(required as readonly string[]).includes(parameter)) continue;
        const what = `${method}.${parameter} ${JSON.stringify(value)}`;
        const code = right[what] ?? 3;
        if (code === 0) continue;
        const { success, error } = await both(method, {
          ...params,
          [parameter]: value,
        });
        assertEquals([success, error?.code], [false, code], what);
        assertStringIncludes(error.message, parameter, what);
        if (missing) assertMatch(error.message, /missing|nothing/, what);
        assert(service.console.state === state, `${what} changed the state`);
      }
    }
    const { error } = await socket.rpc(method, params);
    assertEquals(error, undefined, "with the right parameters it is answered");
  });
}

test("an optional parameter may be left out", async ({ service, socket }) => {
  for (const [method, { params: written, required }] of Object.entries(calls)) {
    await socket.ask({ method: "auth", token: tokens.admin });
    await socket.rpc("registerextlist", { list: 1 });
    await socket.rpc("setextlist", { list: 1, entries: [{ label: "A" }] });
    const all = await filledIn(service, written);
    const params = Object.fromEntries(
      Object.entries(all).filter(([name]) => (required as readonly string[]).includes(name)),
    );
    const answer = await socket.rpc(method, params);
    assertEquals(answer.error, undefined, method);
    const added = method === "savesnapshot" ? { readgroups: 0 } : {};
    assertEquals(answer.payload.params, { ...params, ...added }, "params is echoed as received");
  }
});

test("savesnapshot: writegroup stands in for an absent writegroups, not for a wrong one", async ({ service, both }) => {
  const { state } = service.console;
  const params = { type: 2, id: "", writegroups: null, writegroup: 5 };
  const { success, error } = await both("savesnapshot", params);
  assertEquals([success, error?.code], [false, 3]);
  assert(service.console.state === state);
});

const entries: readonly (readonly [unknown, string])[] = [
  [null, "entries.1"],
  ["A", "entries.1"],
  [[], "entries.1"],
  [{}, "entries.1.label"],
  [{ label: 1 }, "entries.1.label"],
  [{ label: null }, "entries.1.label"],
  [{ label: "a\u0007" }, "entries.1.label"],
  [{ label: "x".repeat(129) }, "entries.1.label"],
  [{ label: "A", background: 1 }, "entries.1.background"],
  [{ label: "A", pagination: "true" }, "entries.1.pagination"],
  [{ label: "A", disabled: null }, "entries.1.disabled"],
  [{ label: "A", color: "red" }, "entries.1.color"],
  [{ label: "A", color: "#ff0000" }, "entries.1.color"],
  [{ label: "A", color: 0xff0000 }, "entries.1.color"],
];

test("an entry of a list is an object with label, and background, color, pagination", async ({ service, socket }) => {
  await socket.rpc("registerextlist", { list: 1 });
  const { state } = service.console;
  for (const [entry, named] of entries) {
    const { error } = await socket.rpc("setextlist", {
      list: 1,
      entries: [{ label: "A" }, entry],
    });
    assertEquals(error?.code, 3, JSON.stringify(entry));
    assertStringIncludes(error.message, named);
  }
  assert(service.console.state === state);
});

test("what is missing or wrong in an entry says the same as what is expected of it", async ({ socket }) => {
  await socket.rpc("registerextlist", { list: 1 });
  const text = "text of at most 128 characters without control characters";
  const color = "six hexadecimal digits, RRGGBB";
  for (
    const [entry, message] of [
      [{}, `entries.0.label: expected ${text}, it is missing`],
      [{ label: 1 }, `entries.0.label: expected ${text}, got 1`],
      [{ label: "A", color: 5 }, `entries.0.color: expected ${color}, got 5`],
      [{ label: "A", color: "red" }, `entries.0.color: expected ${color}, got "red"`],
    ] as const
  ) {
    const { error } = await socket.rpc("setextlist", { list: 1, entries: [entry] });
    assertEquals(error?.message, message);
  }
});

test("a payload, its method and its params that are of a wrong type are refused", async ({ service, socket }) => {
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
    assertEquals(
      [answer.method, answer.success, answer.error?.code],
      ["rpc", false, code],
      JSON.stringify(payload),
    );
    assertEquals(await service.post(message), answer);
  }
  assert(service.console.state === state);
});
