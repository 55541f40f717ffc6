/** The REST actions of service.md, table A, and their tokens. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { act, actionForms, type ActionParameters, formFile, tokens, until } from "../service.ts";
import { canonicalJson } from "../../core/json.ts";
import { macOfSite } from "../../core/snapshots/snapshotdata.ts";
import { smallPng } from "../core/pictures/made-png.ts";
import { actions } from "../../transport/action-api/actions.ts";
import { dataOf, FADER, save, test } from "./row.ts";

const token = { Token: tokens.admin };
const debug = { Firmware: "10.3.0", DurationMs: 0 };
const deprecated = ["loadmx", "loadch", "savemx", "savech"]
  .concat(["uploadmxsnap", "uploadchsnap", "downloadmxsnap", "downloadchsnap"]);

/** A valid call of every action that takes GET and POST, and its answer beside the echo. */
const calls: readonly (readonly [string, ActionParameters, object])[] = [
  ["setgloballabel", { ObjectID: 1, Name: "Studio 😀 & é", ...token }, {}],
  ["setchannellabel", { ObjectID: 101, Name: "Anna", ...token }, {}],
  ["login", { ObjectID: 1, ...token }, { User: "admin" }],
  ["logout", { ObjectID: 1, Token: tokens.none }, {}],
  ["loadmx", { ObjectID: 0, SnapshotID: 1 }, { Deprecated: true }],
  ["loadch", { ObjectID: 1, SnapshotID: 1 }, { Deprecated: true }],
  ["savemx", { ObjectID: 1, SnapshotID: 7, Name: "Evening", ...token }, { Deprecated: true }],
  ["savech", { ObjectID: 102, SnapshotID: 65535, ...token }, { Deprecated: true }],
];

test("A: GET and POST give the same answer: an echo, integers as numbers, no token", async ({ service }) => {
  for (const [name, parameters, more] of calls) {
    const echo = { ...parameters, ..."Token" in parameters ? { Token: "***" } : {} };
    const expected = { ...echo, Action: name, ...more, Debug: debug };
    for (const form of actionForms) {
      const { status, json, headers } = await act(service, name, parameters, form);
      assertEquals([name, form, status, json], [name, form, 200, expected]);
      assertEquals(headers.get("content-type"), "application/json");
    }
  }
});

Deno.test("A: the interface has every action of the table", () => {
  const named = calls.map(([name]) => name)
    .concat("getgloballabel", "updatepic", "backup", "restore")
    .concat(deprecated.filter((name) => /load..snap/.test(name)));
  assertEquals([...actions.keys()].sort(), named.sort());
});

test("A: getgloballabel answers the label as plain text, and an Error as JSON", async ({ service }) => {
  await act(service, "setgloballabel", { ObjectID: 1, Name: "é 😀" });
  for (const form of actionForms) {
    const answer = await act(service, "getgloballabel", { ObjectID: 1 }, form);
    assertEquals([answer.status, answer.text], [200, "é 😀"]);
    assertEquals(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    const { status, json } = await act(service, "getgloballabel", { ObjectID: 99 }, form);
    assertEquals([status, json.Action, json.ObjectID], [200, "getgloballabel", 99]);
    assertMatch(json.Error, /^ObjectID: .*99/);
  }
});

test("A: an empty Name resets the label to the configured default", async ({ service, value }) => {
  const labels = [
    ["setgloballabel", 1, "/control/labels/1/label", "Studio 1"],
    ["setchannellabel", 1, `${FADER}/label`, "Host"],
  ] as const;
  for (const [action, ObjectID, path, configured] of labels) {
    for (const form of actionForms) {
      await act(service, action, { ObjectID, Name: "Other" }, form);
      assertEquals(await value(path), "Other");
      assertEquals((await act(service, action, { ObjectID, Name: "" }, form)).json.Name, "");
      assertEquals(await value(path), configured);
    }
    const { json } = await act(service, action, { ObjectID });
    assertMatch(json.Error, /^Name: .*missing/, "an absent Name does not");
  }
});

test("A: the tree, RPC and subscribers see a label that REST sets, and REST sees theirs", async ({ service, socket, value }) => {
  await socket.ask({ method: "subscribe", path: "/control/labels" });
  await socket.ask({ method: "subscribe", path: `${FADER}/label` });

  await act(service, "setgloballabel", { ObjectID: 2, Name: "e\u0301" });
  assertEquals((await socket.next()).payload, { control: { labels: { 2: { label: "é" } } } });
  assertEquals(await value("/control/labels/2/label"), "é");
  await socket.ask({ method: "set", path: "/control/labels/2", payload: { label: "Tree" } });
  assertEquals((await act(service, "getgloballabel", { ObjectID: 2 })).text, "Tree");
  await until(() => socket.untaken.length === 1);
  await socket.next();

  await act(service, "setchannellabel", { ObjectID: 1, Name: "Anna" });
  const fader = (label: string) => ({ audio: { mixers: { 0: { faders: { 0: { label } } } } } });
  assertEquals((await socket.next()).payload, fader("Anna"));
  assertEquals(await value(`${FADER}/label`), "Anna");
  assertEquals(await value("/audio/mixers/0/sourcelist/0/_label"), "Anna");
  await service.rpc("setchannellabel", { sourceid: 1, label: "Bert" });
  assertEquals((await socket.next()).payload, fader("Bert"));
  await act(service, "setchannellabel", { ObjectID: 1, Name: "" });
  assertEquals((await socket.next()).payload, fader("Host"));
  assertEquals(socket.untaken, []);
});

test("A: login puts the user of the token on the mixer in place of any other; logout takes any valid token", async ({ service, socket, value }) => {
  const path = "/audio/mixers/1/_user";
  await socket.ask({ method: "subscribe", path });
  const told = async () => (await socket.next()).payload.audio.mixers[1]._user;
  const steps = [
    ["login", tokens.one, "one"],
    ["login", tokens.two.toUpperCase(), "two"],
    ["logout", tokens.none, ""],
    ["login", tokens.none, "none"],
  ] as const;
  for (const [action, Token, there] of steps) {
    const { json } = await act(service, action, { ObjectID: 1, Token });
    assertEquals([json.Error, json.User], [undefined, action === "login" ? there : undefined]);
    assertEquals([await told(), await value(path)], [there, there]);
  }
  assertEquals(await value("/audio/mixers/0/_user"), "", "the other mixer is not touched");
  for (const action of ["login", "logout"]) {
    for (const Token of [undefined, "", "wrong", [tokens.one, tokens.one]]) {
      const { status, json } = await act(service, action, { ObjectID: 1, Token });
      assertEquals(status, 200);
      assertMatch(json.Error, /^Token: /);
    }
  }
  assertEquals(await value(path), "none");
});

test("A: updatepic, restore and the uploads take a multipart form by POST, nothing else", async ({ service }) => {
  const file = formFile(smallPng, "logo.jpg");
  const { json } = await act(service, "updatepic", { ObjectID: 1, file, ...token }, "multipart");
  const echo = { ObjectID: 1, file: "logo.jpg", Token: "***" };
  assertEquals(json, { ...echo, Action: "updatepic", Debug: debug });
  for (const name of ["updatepic", "uploadmxsnap", "uploadchsnap"]) {
    const got = await act(service, name, { ObjectID: 1, SnapshotID: 1 });
    assertEquals([got.status, got.headers.get("allow")], [405, "POST"]);
    assertMatch(got.json.Error, /POST.*GET/);
    for (const form of ["query", "urlencoded"] as const) {
      const parameters = { ObjectID: 1, SnapshotID: 1, file: "x" };
      assertMatch((await act(service, name, parameters, form)).json.Error, /^file: .*multipart/);
    }
  }
});

test("A: the other actions take GET and POST, nothing else", async ({ service }) => {
  const getAndPost = [...actions.keys()].filter((name) => !/^(up|restore)/.test(name));
  assertEquals(getAndPost.length, actions.size - 4);
  for (const name of getAndPost) {
    for (const method of ["PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]) {
      const response = await fetch(`${service.url}/action/${name}?ObjectID=1`, { method });
      await response.body?.cancel();
      assertEquals([response.status, response.headers.get("allow")], [405, "GET, POST"], name);
    }
  }
});

test("A: a download answers the file, which an upload accepts", async ({ service }) => {
  const { id } = await save(service, { type: 2, name: "Mine" });
  const number = service.console.state.snapshots.get(id)!.number;
  for (const [type, SnapshotID, kind] of [[1, 1, "chsnap"], [2, number, "mxsnap"]] as const) {
    const download = `download${kind}`;
    const upload = `upload${kind}`;
    for (const form of actionForms) {
      const got = await act(service, download, { SnapshotID, ...token }, form);
      assertEquals(got.headers.get("content-type"), "application/octet-stream");
      assertMatch(got.headers.get("content-disposition")!, /^attachment; filename=".+\.sfp"$/);
      const data = JSON.parse(got.text);
      assertEquals(data.type, type);
      assertEquals(await dataOf(service, data.id), data);
    }
    const file = formFile((await act(service, download, { SnapshotID, ...token })).text, "a.sfp");
    const { json } = await act(service, upload, { SnapshotID: 40, file, ...token }, "multipart");
    const echo = { SnapshotID: 40, file: "a.sfp", Token: "***" };
    assertEquals(json, { ...echo, Action: upload, Deprecated: true, Debug: debug });
  }
});

test("Authentication: the token is optional for labels, pictures and snapshot calls, but a wrong one is an Error", async ({ service }) => {
  const file = formFile(smallPng);
  const png: readonly (readonly [string, ActionParameters, object])[] = [
    ["updatepic", { ObjectID: 1, file }, {}],
    ["getgloballabel", { ObjectID: 1 }, {}],
    ["downloadchsnap", { SnapshotID: 1 }, {}],
  ];
  for (const [name, { Token: _, ...parameters }] of [...calls, ...png]) {
    const form = name === "updatepic" ? "multipart" : "GET";
    const without = await act(service, name, parameters, form);
    const refused = /^log/.test(name) ? /^Token: / : /^save/.test(name) ? /log in/ : undefined;
    if (refused === undefined) assertEquals(without.json?.Error, undefined, name);
    else assertMatch(without.json.Error, refused);
    const empty = await act(service, name, { ...parameters, Token: "" }, form);
    assertEquals([empty.json?.Error, empty.json?.Token], [
      without.json?.Error,
      empty.json && "***",
    ]);
    for (const Token of ["wrong", `${tokens.admin} `, tokens.admin.replaceAll("-", "")]) {
      const { status, json } = await act(service, name, { ...parameters, Token }, form);
      assertEquals([status, json.Token], [200, "***"]);
      assertMatch(json.Error, /^Token: /, `${name} ${Token}`);
    }
  }
});

test("A: an upload of an altered file, of another type or with invalid content is an Error that names file", async ({ service }) => {
  const { text } = await act(service, "downloadchsnap", { SnapshotID: 1 });
  const { state } = service.console;
  const { mac: _, ...rest } = { ...JSON.parse(text), writegroups: 0 };
  const sealed = new TextEncoder().encode(canonicalJson(rest));
  const snapshotdata = { ...rest, mac: await (await macOfSite(undefined))(sealed) };
  const sentence = "expected writegroups to be an integer from 1 to 255, got 0";
  const { error } = await service.rpc("setsnapshot", { snapshotdata });
  assertEquals(error, { code: 3, message: `snapshotdata: ${sentence}` });
  for (
    const [upload, content, reason = ""] of [
      ["uploadchsnap", text.replace("Speech", "Speach")],
      ["uploadchsnap", text.slice(0, -1)],
      ["uploadchsnap", `${"[".repeat(100_000)}`],
      ["uploadmxsnap", text],
      ["uploadchsnap", JSON.stringify(snapshotdata), sentence],
    ] as const
  ) {
    const parameters = { SnapshotID: 5, file: formFile(content, "a.sfp"), ...token };
    const { status, json } = await act(service, upload, parameters, "multipart");
    assertEquals(status, 200);
    assert(json.Error.startsWith(`file: ${reason}`), json.Error);
  }
  assert(service.console.state === state);
});
