/** The client against a real service. */
import { assert, assertEquals, assertRejects, assertThrows, equal } from "@std/assert";
import { connect, type DeskEvent, RequestError } from "../../client/client.ts";
import { webWorld } from "../../client/world.ts";
import { set } from "../../core/tree/set.ts";
import { valueAt } from "../core/actors.ts";
import { scriptedConsole } from "./scripted-console.ts";
import { openedDesk, simulatedDesk } from "./simulated-sockets.ts";
import { demoWith, result, startService, type TestConsole, tokens, until } from "../service.ts";
import { uncaughtDuring } from "../uncaught.ts";

const fader = "/audio/mixers/0/faders/3/fader";

/** A service, with clients that are logged in as the admin, `desk` and `other`. */
async function startBoth(given: TestConsole = {}) {
  const service = await startService(given);
  const url = `${service.url.replace("http", "ws")}/api/ws`;
  const desk = connect(url, { token: tokens.admin });
  await desk.ready();
  const other = connect(url, { token: tokens.admin });
  await other.ready();
  return {
    service,
    url,
    desk,
    other,
    async [Symbol.asyncDispose]() {
      await Promise.all([desk.close(), other.close()]);
      await service[Symbol.asyncDispose]();
    },
  };
}

Deno.test("get, set and rpc resolve with the answer of the console", async () => {
  await using both = await startBoth();
  const { desk } = both;
  assertEquals(await desk.get(fader), -160);
  assertEquals(await desk.set(fader, 99), 10);
  const written = await desk.set("audio/mixers/0/faders/3/", { on: true, fader: -3 });
  assertEquals(written, { on: true, fader: -3 });
  assertEquals(await desk.get("/audio/mixers/0/faders/3/on"), true);
  const labelled = await desk.rpc("setchannellabel", { sourceid: 4, label: "Anna" });
  assertEquals(labelled, { label: "Anna", mixer: 0, sourceid: 4 });
  const { token } = await desk.rpc("adduser", { name: "panel", groups: 1 });
  const names = (await desk.rpc("getuserlist", {})).map(({ name }) => name);
  assertEquals(names, ["admin", "one", "two", "none", "panel"]);
  await using panel = connect(both.url, { token });
  await panel.ready();
  await using nobody = connect(both.url);
  await nobody.ready();
  assertEquals(await nobody.set(fader, -20), -20);
  const refused = await assertRejects(() => nobody.rpc("getuserlist", {}), RequestError);
  assertEquals(refused.code, 4);
  const users = (await desk.rpc("getclientlist", {})).map(({ user }) => user);
  assertEquals(users, ["admin", "admin", "panel", null]);
});

Deno.test("a refusal is a RequestError with the code and the message of the console", async () => {
  await using both = await startBoth();
  const { desk } = both;
  const refusals: readonly [() => Promise<unknown>, RequestError["code"], string][] = [
    [() => desk.get("/nowhere"), 6, "no such path: /nowhere"],
    [() => desk.set("/general/_name", "x"), 7, ""],
    [() => desk.set(fader, "loud" as never), 3, `${fader}: expected a number, got "loud"`],
    [() => desk.rpc("removesnapshot", { id: "x" }), 6, ""],
    [() => desk.rpc("fade" as "fadetovalue", {} as never), 2, 'there is no RPC "fade"'],
    [() => desk.watch("/nowhere"), 6, "no such path: /nowhere"],
    // A message over a limit is refused unread: its answer has no msgID.
    [() => desk.set("/audio", Array(30_000).fill(0) as never), 1, ""],
  ];
  for (const [request, code, sentence] of refusals) {
    const error = await assertRejects(request, RequestError);
    assertEquals([error.name, error.code], ["RequestError", code]);
    if (sentence !== "") assertEquals(error.message, sentence);
  }
  assertEquals(desk.state, "open");
});

Deno.test("a live copy equals the tree of the console after sets, fades, labels and lists", async () => {
  await using both = await startBoth();
  const { service, desk, other } = both;
  const { value: before } = await desk.watch("/audio/mixers/0");
  const mixer = await desk.watch("/audio/mixers/0");
  const routes = await desk.watch("/audio/selectors/selectors/1");
  const list = await desk.watch("/control/extlists/1");
  const label = await desk.watch("/audio/mixers/0/sourcelist/3/_label");
  await other.set("/audio/mixers/0/faders/1", { on: true, params: { eq1: { gain: 3 } } });
  await other.rpc("fadetovalue", { fader: 2, time: 0.2, value: -10 });
  await other.rpc("setchannellabel", { sourceid: 4, label: "Anna" });
  await other.set("/audio/selectors/selectors/1/left", "2");
  await other.rpc("registerextlist", { list: 1 });
  await other.rpc("setextlist", { list: 1, entries: [{ label: "A" }, { label: "B" }] });
  await other.rpc("pressextlist", { list: 1, entry: 1, on: 1 });
  const watches = { "/audio/mixers/0": mixer, "/control/extlists/1": list };
  await mixer.until(({ faders }) => faders[2]!.fader === -10);
  await desk.get("/general/_uptime");
  for (const [path, watch] of Object.entries(watches)) {
    assertEquals(watch.value as unknown, valueAt(service.console, path));
  }
  assertEquals([routes.value.left, label.value], ["2", "Anna"]);
  assertEquals(list.value._entries[1]!._on, true);
  assertEquals(before.faders[1]!.on, false, "what was read does not change");
});

Deno.test("a live copy gives its listener the present value, then each change, until it is stopped", async () => {
  await using both = await startBoth();
  const { desk } = both;
  const watch = await desk.watch("/audio/pots/1");
  const told: unknown[] = [];
  const stop = watch.listen(({ value, change }) => told.push([value.value, change]));
  await desk.set("/audio/pots/1/value", -30);
  await desk.set("/audio/pots/1/value", -40);
  stop();
  await desk.set("/audio/pots/1/value", -50);
  assertEquals(told, [[-20, undefined], [-30, { value: -30 }], [-40, { value: -40 }]]);
  assertEquals(watch.value.value, -50);
  watch.stop();
  await desk.set("/audio/pots/1/value", -60);
  assertEquals(watch.value.value, -50);
});

Deno.test("a live copy that is stopped rejects whoever waits for a value of it, then and later", async () => {
  await using both = await startBoth();
  const watch = await both.desk.watch("/audio/pots/1");
  const waits = watch.until(() => false);
  watch.stop();
  for (const wait of [waits, watch.until(() => true)]) {
    const error = await assertRejects(() => wait, RequestError, "the watch was stopped");
    assertEquals([error.code, watch.ended], ["closed", error]);
  }
});

Deno.test("a condition that throws rejects its until, and is not asked again", async () => {
  await using both = await startBoth();
  const { desk } = both;
  const watch = await desk.watch("/audio/pots/1");
  let asked = 0;
  const until = (throwsFrom: number) =>
    watch.until(() => {
      if (++asked >= throwsFrom) throw new Error("no such member");
      return false;
    });
  await assertRejects(() => until(1), Error, "no such member");
  await desk.set("/audio/pots/1/value", -30);
  assertEquals(asked, 1);
  const later = until(3);
  await desk.set("/audio/pots/1/value", -40);
  await assertRejects(() => later, Error, "no such member");
  await desk.set("/audio/pots/1/value", -50);
  assertEquals([asked, watch.value.value], [3, -50]);
});

Deno.test("a function of the program that throws keeps no other from being called, and its error is uncaught", async () => {
  const told: string[] = [];
  const uncaught = await uncaughtDuring(async () => {
    const { desk, last } = openedDesk();
    const fails = (what: string) => {
      throw new Error(what);
    };
    desk.subscribe("/audio/pots/1", {
      whole: () => fails("whole"),
      change: () => fails("change"),
      ended: () => fails("ended"),
    });
    desk.subscribe("/audio/pots/1", {
      whole: () => told.push("whole"),
      change: () => told.push("change"),
      ended: () => told.push("ended"),
    });
    desk.onEvent(() => fails("event"));
    desk.onEvent(() => told.push("event"));
    desk.onState(() => fails("state"));
    desk.onState(({ state }) => told.push(state));
    last().answer(() => ({ payload: { value: -20 } }));
    last().say({ method: "update", payload: { audio: { pots: { 1: { value: -30 } } } } });
    last().say({ method: "event", payload: {} });
    await desk.close();
    assertEquals(told, ["whole", "change", "event", "ended", "closed"]);
  });
  assertEquals(uncaught, ["whole", "change", "event", "ended", "state"]);
});

Deno.test("a path below a subscribed path can be subscribed to, also several times", async () => {
  await using both = await startBoth();
  const { desk } = both;
  const heard: Record<string, unknown> = {};
  const subscribe = (name: string, path: string) =>
    desk.subscribe(path, {
      whole: (value) => heard[name] = value,
      change: (change) => heard[name] = change,
      ended: (error) => heard[name] = error,
    });
  const stop = subscribe("one", fader);
  subscribe("same", fader);
  await desk.get(fader);
  subscribe("late", fader);
  subscribe("mixers", "/audio/mixers");
  await desk.get(fader);
  assertEquals(heard.late, -160);
  await desk.set(fader, -1);
  const inside = { 0: { faders: { 3: { fader: -1 } } } };
  assertEquals(heard, { one: -1, same: -1, late: -1, mixers: inside });
  stop();
  await desk.set(fader, -2);
  assertEquals([heard.one, heard.same, heard.late], [-1, -2, -2]);
  assertEquals((await desk.rpc("getclientlist", {}))[0]!.subscriptions, 2);
});

Deno.test("wrong arguments of a program without types are refused at the call", () => {
  const { desk } = simulatedDesk();
  const whole = () => {};
  const wrong: readonly [unknown, string][] = [
    [whole, "whole is not a function"],
    [undefined, "whole is not a function"],
    [null, "whole is not a function"],
    [{ whole, change: 1 }, "change is not a function"],
    [{ whole, change: whole }, "ended is not a function"],
  ];
  for (const [subscriber, sentence] of wrong) {
    assertThrows(() => desk.subscribe("/audio", subscriber as never), TypeError, sentence);
  }
  const subscriber = { whole, change: whole, ended: whole };
  assertThrows(() => desk.subscribe(4 as never, subscriber), TypeError, "path");
  for (const listen of [desk.onState, desk.onEvent, desk.onUnstored, desk.onRefusedReport]) {
    assertThrows(() => listen("not a function" as never), TypeError, "expected a function");
  }
});

Deno.test("a press of a button of an external list is an event", async () => {
  await using both = await startBoth();
  const { desk } = both;
  const events: DeskEvent[] = [];
  const stop = desk.onEvent((event) => events.push(event));
  await desk.rpc("registerextlist", { list: 1 });
  await desk.rpc("setextlist", { list: 1, entries: [{ label: "Line 1" }] });
  await desk.rpc("pressextlist", { list: 1, entry: 0, on: 1 });
  stop();
  await desk.rpc("pressextlist", { list: 1, entry: 0, on: 0 });
  assertEquals(events, [{ type: "extlistnotified", params: { entry: 0, list: 1, on: 1 } }]);
});

Deno.test("a change that is in force but not stored is reported, and is not a failure", async () => {
  let isStored = true;
  await using scripted = scriptedConsole(({ payload }) => ({
    payload,
    ...(isStored ? {} : { durable: false }),
  }));
  await using desk = connect(scripted.url);
  await desk.ready();
  let told = 0;
  const stop = desk.onUnstored(() => told++);
  const fader = "/audio/mixers/0/faders/0/fader";
  await desk.set(fader, -1);
  assertEquals(told, 0);
  isStored = false;
  assertEquals(await desk.set(fader, -2), -2);
  assertEquals(told, 1);
  stop();
  await desk.set(fader, -3);
  assertEquals(told, 1);
});

Deno.test("no change is lost while an answer of more than 1 MiB is on its way", async () => {
  const faders = Array.from({ length: 1024 }, (_, at) => ({ channel: at + 1, label: `${at}` }));
  const configuration = demoWith({ mixers: [{ id: 0, name: "Large", faders }] });
  await using both = await startBoth({ configuration });
  const { service, desk, other } = both;
  const sets = Array.from(
    { length: 50 },
    (_, at) => other.set(`/audio/mixers/0/faders/${at}/fader`, -at),
  );
  const [audio, snapshot] = await Promise.all([
    desk.watch("/audio"),
    desk.rpc("getsnapshot", { id: "default" }),
    ...sets,
  ]);
  const bytes = [audio.value, snapshot].map((value) => JSON.stringify(value).length);
  assert(Math.min(...bytes) > 1024 * 1024, `${bytes} bytes`);
  await desk.get("/general/_uptime");
  assertEquals(audio.value as unknown, valueAt(service.console, "/audio"));
});

Deno.test("live copies equal the tree of the console after any number of lost connections", async () => {
  await using service = await startService();
  // The waits between attempts are shorter; the interval of 5 s that detects silence is not.
  const after = (ms: number, wake: () => void) => webWorld.after(ms === 5000 ? ms : ms / 200, wake);
  const url = `${service.url.replace("http", "ws")}/api/ws`;
  await using desk = connect(url, { world: { ...webWorld, after } });
  const paths = ["/audio/mixers/0", "/audio/mixers/0/faders/1", fader, "/audio/pots"];
  const watches = await Promise.all(paths.map((path) => desk.watch(path)));
  let losses = 0;
  desk.onState(({ state }) => losses += state === "lost" ? 1 : 0);
  for (let round = 0; round < 30; round++) {
    const faders = Array.from({ length: 8 }, (_, at) => [at, { fader: -round - at }]);
    await result(service.console, set("/audio/mixers/0/faders", Object.fromEntries(faders)));
    if (round % 3 === 0) {
      await until(() => desk.state === "open");
      service.closeSockets();
    }
    await result(service.console, set("/audio/pots/1/value", -round));
    await result(service.console, set(fader, -100 - round % 7));
    if (round % 3 === 0) await until(() => desk.state === "lost");
  }
  const wrong = () =>
    paths.filter((path, index) => !equal(watches[index]!.value, valueAt(service.console, path)));
  await until(() => wrong().length === 0);
  assertEquals(losses, 10);
});

Deno.test("a client whose user was removed meanwhile is refused, and does not reconnect", async () => {
  await using both = await startBoth();
  await using desk = connect(both.url, { token: tokens.one });
  const watch = await desk.watch("/general/_name");
  await both.desk.rpc("removeuser", { name: "one" });
  await until(() => desk.state === "refused");
  assertEquals([watch.value, watch.ended?.code], ["demo", 4]);
  await assertRejects(() => watch.until(() => true), RequestError);
  const error = await assertRejects(() => desk.get(fader), RequestError);
  assertEquals(error.code, 4);
});
