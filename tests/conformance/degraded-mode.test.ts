/** Degraded mode, when the medium fails: each form of answer shows it (decisions.md). */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { DEVICE } from "../../core/users/user.ts";
import { tellStorage } from "../../core/storage-alarm.ts";
import {
  act,
  formFile,
  type Json,
  startService,
  stillClock,
  tokens,
  unlimitedWith,
} from "../service.ts";
import { smallPng } from "../core/pictures/made-png.ts";
import { call, factory, FADER, failingStore } from "./row.ts";

/** A service whose medium has begun to fail, with the storage alarm raised. */
async function failingService() {
  const medium = failingStore();
  const configuration = unlimitedWith();
  const service = await startService({ store: medium, clock: stillClock(), configuration });
  const socket = await service.open();
  await socket.ask({ method: "auth", token: tokens.admin });
  medium.fault = new Error("no space left on device");
  await service.console.dispatch(tellStorage("full"), DEVICE);
  return { medium, service, socket, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Requests of the control API that change the live state. */
const live: readonly (readonly [what: string, message: object])[] = [
  ["a level", { method: "set", path: FADER, payload: { fader: -1 } }],
  ["a key", { method: "set", path: `${FADER}/on`, payload: true }],
  ["a label", call("setchannellabel", { sourceid: 1, label: "Anna" })],
  ["a load", call("loadsnapshot", { id: factory.channel, fader: 0 })],
  ["a fade", call("fadetovalue", { fader: 1, time: 1, value: -10 })],
  ["a fade of 0 s", call("fadetovalue", { fader: 1, time: 0, value: -10 })],
];

for (const [what, message] of live) {
  Deno.test(`${what} that cannot be stored is answered with success, and durable false, over WebSocket and POST`, async () => {
    await using failing = await failingService();
    const { service, socket } = failing;
    await using well = await startService({ clock: stillClock(), configuration: unlimitedWith() });
    const asEver: Json = await well.post(message);
    assertEquals(asEver.durable, undefined);
    assertEquals(await service.post({ msgID: 1, ...message }), {
      msgID: 1,
      ...asEver,
      durable: false,
    });
    assertEquals(await socket.ask(message), { ...asEver, durable: false });
  });
}

Deno.test("calls for an external list are carried out, and answered with durable false", async () => {
  await using failing = await failingService();
  for (
    const [method, params] of [
      ["registerextlist", { list: 1 }],
      ["setextlist", { list: 1, entries: [{ label: "A" }] }],
      ["unregisterextlist", { list: 1 }],
    ] as const
  ) {
    const { success, durable } = await failing.socket.rpc(method, params);
    assertEquals([success, durable], [true, false]);
  }
});

Deno.test("GET ?set= answers the value, with the header Durable: false", async () => {
  await using failing = await failingService();
  const { medium, service } = failing;
  const url = `${service.url}/api/rest${FADER}/fader`;
  const response = await fetch(`${url}?set=-1`);
  assertEquals([response.status, response.headers.get("durable")], [200, "false"]);
  assertEquals(await response.json(), -1);
  const reading = await fetch(url);
  assertEquals([await reading.json(), reading.headers.get("durable")], [-1, null]);
  delete medium.fault;
  service.console.checkpoint();
  service.console.checkpointEnded(true);
  const stored = await fetch(`${url}?set=-2`);
  assertEquals([await stored.json(), stored.headers.get("durable")], [-2, null]);
});

Deno.test("an action that changes the live state answers with Durable false, one that has to be stored with Error", async () => {
  await using failing = await failingService();
  const { service } = failing;
  const Token = tokens.admin;
  for (
    const [action, parameters] of [
      ["setchannellabel", { ObjectID: 1, Name: "Anna" }],
      ["setgloballabel", { ObjectID: 1, Name: "News" }],
      ["loadch", { ObjectID: 1, SnapshotID: 1 }],
      ["login", { ObjectID: 0, Token }],
      ["logout", { ObjectID: 0, Token }],
    ] as const
  ) {
    const { json } = await act(service, action, parameters);
    assertEquals([action, json.Durable, json.Error], [action, false, undefined]);
  }
  const picture = { ObjectID: 1, file: formFile(smallPng) };
  for (
    const [action, parameters, form] of [
      ["savech", { ObjectID: 1, SnapshotID: 2, Token }, "GET"],
      ["savemx", { ObjectID: 0, SnapshotID: 0, Token }, "GET"],
      ["updatepic", picture, "multipart"],
    ] as const
  ) {
    const { json } = await act(service, action, parameters, form);
    assertEquals([action, json.Durable], [action, undefined]);
    assertStringIncludes(json.Error, "no space left on device");
  }
  const echoed = await act(service, "getgloballabel", { ObjectID: 99, Durable: "yes" });
  assertEquals(echoed.json.Durable, undefined, "it is a member of the answer");
});

Deno.test("a change that has to be stored is refused with 12, and has no effect", async () => {
  await using failing = await failingService();
  const { service, socket } = failing;
  await service.post({ method: "set", path: `${FADER}/on`, payload: true });
  const { snapshots, users } = service.console.state;
  for (
    const [method, params] of [
      ["savesnapshot", { type: 2, id: "", writegroups: 1 }],
      ["savesnapshot", { type: 2, id: "default", writegroups: 1 }],
      ["adduser", { name: "anna", groups: 1 }],
      ["modifyuser", { name: "one", groups: 3 }],
      ["removeuser", { name: "one" }],
    ] as const
  ) {
    for (const answer of [await socket.rpc(method, params), await service.rpc(method, params)]) {
      assertEquals([answer.success, answer.durable, answer.error?.code], [false, undefined, 12]);
      assertStringIncludes(answer.error.message, "no space left on device");
    }
  }
  assertEquals(service.console.state.snapshots, snapshots);
  assertEquals([...service.console.state.users.keys()], [...users.keys()]);
});

Deno.test("subscribers get updates as always, in the same order, and the update of the storage alarm", async () => {
  const medium = failingStore();
  await using service = await startService({ store: medium, clock: stillClock() });
  const socket = await service.open();
  const watcher = await service.open();
  await watcher.ask({ method: "subscribe", path: FADER });
  await watcher.ask({ method: "subscribe", path: "/general/_storage" });
  medium.fault = new Error("no space left on device");
  await service.console.dispatch(tellStorage("readonly"), DEVICE);
  assertEquals((await watcher.next()).payload, { general: { _storage: "readonly" } });
  const values = [-1, -2, -3];
  for (const payload of values) socket.send({ method: "set", path: `${FADER}/fader`, payload });
  for (const _ of values) assertEquals((await socket.next()).durable, false);
  const heard: number[] = [];
  while (heard.at(-1) !== -3) {
    const update = await watcher.next();
    assertEquals([update.method, update.durable], ["update", undefined]);
    heard.push(update.payload.audio.mixers[0].faders[0].fader);
  }
  assertEquals(heard, values);
  const get = { method: "get", path: "/general/_storage" };
  assertEquals((await watcher.ask(get)).payload, "readonly");
  const set = { method: "set", path: "/general/_storage", payload: "ok" };
  assertEquals((await watcher.ask(set)).error.code, 7);
});

Deno.test("/health is 200 and ready in degraded mode, and storage is the state of the medium", async () => {
  await using service = await startService();
  for (const storage of ["full", "readonly", "damaged", "slow", "ok"] as const) {
    await service.console.dispatch(tellStorage(storage), DEVICE);
    const response = await fetch(`${service.url}/health`);
    assertEquals([response.status, await response.json()], [200, {
      live: true,
      ready: true,
      storage,
      engine: "none",
    }]);
  }
});
