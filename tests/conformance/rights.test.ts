/**
 * The rights to load, change and make snapshots (service.md, "Authentication"; decisions.md,
 * "Users").
 */
import { assert, assertEquals } from "@std/assert";
import { act, tokens, unlimitedWith } from "../service.ts";
import { call, codeFor, codeOf, dataOf, factory, save, test } from "./row.ts";

test("writegroups is 1-255 (0 disallowed), readgroups 0-255", async ({ service, assertCodes }) => {
  const { id } = await save(service, {});
  for (
    const [parameter, codes] of [
      ["readgroups", [3, undefined, undefined, undefined, 3]],
      ["writegroups", [3, 3, undefined, undefined, 3]],
    ] as const
  ) {
    const given = [-1, 0, 1, 255, 256].map((value) => ({ id, [parameter]: value }));
    const calls = given.map((params, at) => ["modifysnapshot", params, codes[at]] as const);
    await assertCodes(calls);
  }
});

const readgroupsRows: readonly (readonly [number, number, (string | undefined)?, number?])[] = [
  [0, 1],
  [0, 1, tokens.none],
  [2, 4, undefined, 4],
  [2, 4, tokens.none, 5],
  [2, 4, tokens.one, 5],
  [2, 4, tokens.two],
  [2, 1, tokens.one],
];

test("loading needs readgroups 0, or a group of readgroups or writegroups", async ({ service, socket }) => {
  for (const [readgroups, writegroups, token, code] of readgroupsRows) {
    const { id } = await save(service, { readgroups, writegroups });
    for (const method of ["loadsnapshot", "getsnapshot"]) {
      const found = await codeFor(socket, token, [method, { id }]);
      assertEquals(found, code, `${method} ${readgroups} ${writegroups} ${token}`);
    }
  }
});

test("overwriting, modifying, removing and setting need a group of writegroups", async ({ service, socket }) => {
  const { id } = await save(service, { readgroups: 1, writegroups: 2 });
  const calls = [
    ["savesnapshot", { type: 2, id, writegroups: 2 }],
    ["modifysnapshot", { id, name: "Mine" }],
    ["setsnapshot", { snapshotdata: await dataOf(service, id) }],
    ["removesnapshot", { id }],
  ] as const;
  const callers = [[undefined, 4], [tokens.none, 5], [tokens.one, 5], [tokens.two]] as const;
  for (const [token, code] of callers) {
    for (const one of calls) {
      assertEquals(await codeFor(socket, token, one), code, `${one[0]} ${token}`);
    }
  }
});

test("creating, and saving or setting a default snapshot, needs a known user with a group", async ({ service, socket }) => {
  const { id } = await save(service, {});
  const snapshotdata = await dataOf(service, "default");
  const fresh = await dataOf(service, id);
  await service.rpc("removesnapshot", { id });
  const calls = [
    ["savesnapshot", { type: 2, id: "", writegroups: 5 }],
    ["savesnapshot", { type: 2, id: "default", writegroups: 4 }],
    ["setsnapshot", { snapshotdata }],
    ["setsnapshot", { snapshotdata: fresh }],
  ] as const;
  for (const [token, code] of [[undefined, 4], [tokens.none, 5], [tokens.one]] as const) {
    for (const one of calls) {
      assertEquals(await codeFor(socket, token, one), code, `${one[0]} ${token}`);
    }
  }
});

test("the default snapshot cannot be removed or modified, and a factory snapshot cannot be changed", async ({ service, assertCodes }) => {
  const { state } = service.console;
  const snapshotdata = await dataOf(service, factory.mixer);
  await assertCodes([
    ["removesnapshot", { id: "default" }, 7],
    ["modifysnapshot", { id: "default", name: "Mine" }, 7],
    ["removesnapshot", { id: factory.channel }, 7],
    ["modifysnapshot", { id: factory.processing, name: "Mine" }, 7],
    ["savesnapshot", { type: 2, id: factory.mixer, writegroups: 1 }, 7],
    ["setsnapshot", { snapshotdata }, 7],
  ]);
  assert(service.console.state === state);
});

const P48 = "/audio/mixers/0/faders/0/params/gain/p48";
const FADER = "/audio/mixers/0/faders/0/fader";

/** A request with a token, and its error codes for a viewer and an operator. */
const asked: readonly (readonly [string, object, readonly [number, number]])[] = [
  ["get", { method: "get", path: FADER }, [0, 0]],
  ["subscribe", { method: "subscribe", path: FADER }, [0, 0]],
  ["unsubscribe", { method: "unsubscribe", path: FADER }, [0, 0]],
  ["set of a level", { method: "set", path: FADER, payload: -3 }, [5, 0]],
  ["set of phantom power", { method: "set", path: P48, payload: true }, [5, 5]],
  ["getsnapshotlist", call("getsnapshotlist", { type: 2 }), [0, 0]],
  ["getsnapshot", call("getsnapshot", { id: "default" }), [0, 0]],
  ["loadsnapshot", call("loadsnapshot", { id: "default" }), [5, 0]],
  ["savesnapshot", call("savesnapshot", { type: 2, id: "", writegroups: 1 }), [5, 0]],
  ["fadetovalue", call("fadetovalue", { fader: 1, time: 0, value: 0 }), [5, 0]],
  ["setaccess", call("setaccess", { fader: 1 }), [5, 0]],
  ["setchannellabel", call("setchannellabel", { sourceid: 1, label: "A" }), [5, 0]],
  ["registerextlist", call("registerextlist", { list: 1 }), [5, 0]],
  ["setextlist", call("setextlist", { list: 1, entries: [] }), [5, 0]],
  ["unregisterextlist", call("unregisterextlist", { list: 1 }), [5, 0]],
  ["login", call("login", {}), [5, 0]],
  ["logout", call("logout", {}), [5, 0]],
  ["getuserlist", call("getuserlist", {}), [5, 5]],
];

test("the rights view and press set nothing; an operator sets levels, keys, labels and lists", async ({ service, socket }) => {
  for (const [may, at] of [["view", 0], ["press", 0], ["operate", 1]] as const) {
    const user = { name: may, groups: 255, may };
    const { token } = (await service.rpc("adduser", user)).payload.result;
    for (const [what, message, codes] of asked) {
      const code = await codeOf(socket, { ...message, token }) ?? 0;
      assertEquals(code, codes[at], `${what}, who may ${may}`);
    }
    const { status } = await fetch(`${service.url}/api/rest${FADER}?set=-9&token=${token}`);
    assertEquals(status, at === 0 ? 403 : 200);
  }
});

const actions: readonly (readonly [string, object, boolean])[] = [
  ["getgloballabel", { ObjectID: 1 }, true],
  ["downloadmxsnap", { SnapshotID: 0 }, true],
  ["setgloballabel", { ObjectID: 1, Name: "A" }, false],
  ["setchannellabel", { ObjectID: 1, Name: "A" }, false],
  ["login", { ObjectID: 0 }, false],
  ["logout", { ObjectID: 0 }, false],
  ["loadmx", { ObjectID: 0, SnapshotID: 0 }, false],
  ["savemx", { ObjectID: 0, SnapshotID: 7 }, false],
];

test("a viewer may read and download by REST actions, and do nothing else", async ({ service }) => {
  const user = { name: "viewer", groups: 255, may: "view" };
  const { token } = (await service.rpc("adduser", user)).payload.result;
  for (const [name, parameters, allowed] of actions) {
    const { json } = await act(service, name, { ...parameters, Token: token });
    const expected = "user viewer may only view, and this needs the right to operate";
    assertEquals(json?.Error, allowed ? undefined : expected, name);
    const own = await act(service, name, { ...parameters, Token: tokens.one });
    assertEquals(own.json?.Error, undefined, `${name} by an operator`);
  }
}, { configuration: unlimitedWith() });

test("by default callers without a token may set any value of the tree", async ({ service, socket }) => {
  for (const path of [FADER, P48]) {
    const value = path === FADER ? -3 : true;
    assertEquals((await socket.ask({ method: "set", path, payload: value })).success, true, path);
  }
  assertEquals((await act(service, "setgloballabel", { ObjectID: 1, Name: "A" })).status, 200);
});

test("an admin changes and removes snapshots of any group, except factory and default snapshots", async ({ service, socket }) => {
  const added = await service.rpc("adduser", { name: "boss", groups: 0, admin: true });
  const boss = added.payload.result.token;
  const calls = [["modifysnapshot", { name: "Ours" }], ["removesnapshot", {}]] as const;
  for (const [method, params] of calls) {
    const { id } = await save(service, { writegroups: 1 });
    for (const [of, code] of [["default", 7], [factory.mixer, 7], [id]] as const) {
      const found = await codeFor(socket, boss, [method as string, {
        ...params as object,
        id: of,
      }]);
      assertEquals(found, code, `${method} ${of}`);
    }
  }
});
