/** Mixers, faders, snapshots and external lists by their handles, against a real service. */
import { assertEquals, assertRejects } from "@std/assert";
import { type Client, connect, RequestError } from "../../client/client.ts";
import { startService, type TestService, tokens, until } from "../service.ts";

/** A client that is logged in as the user with a token. */
async function loggedIn({ url }: TestService, token: string = tokens.admin): Promise<Client> {
  const desk = connect(`${url.replace("http", "ws")}/api/ws`, { token });
  await desk.ready();
  return desk;
}

Deno.test("a fader is read, set, switched and labelled", async () => {
  await using service = await startService();
  await using desk = await loggedIn(service);
  const fader = desk.mixer(1).fader(3);
  assertEquals(await fader.level(), -160);
  assertEquals(await fader.set(-20.5), -20.5);
  assertEquals(await fader.set(99), 10, "the nearest bound");
  assertEquals(await fader.on(true), true);
  assertEquals(await fader.label("Anna"), "Anna");
  assertEquals(await fader.label(""), "Line 2", "the default");
  const { fader: level, on } = await desk.get("/audio/mixers/1/faders/3");
  assertEquals([level, on], [10, true]);
  assertEquals(await desk.mixer(0).fader(3).level(), -160, "that of another mixer stays");
});

Deno.test("fadeTo resolves when the fade has begun, and a live copy shows when it has ended", async () => {
  await using service = await startService();
  await using desk = await loggedIn(service);
  const fader = desk.mixer(0).fader(3);
  await fader.set(-20);
  using live = await fader.watch();
  await fader.fadeTo(-10, 0.2);
  await live.until(({ fader, fade }) => fader === -10 && fade._time === 0);
  using mixer = await desk.mixer(0).watch();
  assertEquals(mixer.value.faders[3]!.fader, -10);
});

Deno.test("a snapshot is saved, overwritten and loaded by its name", async () => {
  await using service = await startService();
  await using desk = await loggedIn(service, tokens.one);
  const mixer = desk.mixer(0);
  await mixer.fader(3).set(-20);
  await mixer.snapshots.save("Morning");
  await mixer.fader(3).set(-30);
  await mixer.snapshots.load("Morning");
  assertEquals(await mixer.fader(3).level(), -20);
  const saved = async () => (await mixer.snapshots.list()).filter(({ name }) => name === "Morning");
  const [first] = await saved();
  assertEquals(first!.writegroups, 1, "the groups of whoever saves");

  await mixer.fader(3).set(-5);
  await mixer.snapshots.save("Morning", { readgroups: 3 });
  await mixer.snapshots.save("Morning");
  assertEquals(await saved(), [{ ...first!, readgroups: 3 }], "it keeps what is not given");
  await mixer.fader(3).set(0);
  await mixer.snapshots.load("Morning");
  assertEquals(await mixer.fader(3).level(), -5);

  const channel = mixer.fader(3).snapshots;
  await channel.save("Anna");
  await mixer.fader(5).snapshots.load("Anna");
  assertEquals(await mixer.fader(5).level(), -5);
  assertEquals((await channel.list()).map(({ name }) => name).includes("Morning"), false);
});

Deno.test("an unknown name of a snapshot, or one of several snapshots, is a RequestError", async () => {
  await using service = await startService();
  await using desk = await loggedIn(service);
  const { snapshots } = desk.mixer(0);
  for (const _ of [1, 2]) {
    await desk.rpc("savesnapshot", { type: 2, id: "", name: "Twice", writegroups: 1 });
  }
  const factory = (await snapshots.list()).find(({ factory, id }) => factory && id !== "default")!;
  const refusals: readonly [() => Promise<unknown>, RequestError["code"], string][] = [
    [() => snapshots.load("Evening"), 6, 'name: there is no snapshot called "Evening"'],
    [() => snapshots.load("Twice"), 3, 'name: 2 snapshots are called "Twice"; use their id'],
    [() => snapshots.save("Twice"), 3, 'name: 2 snapshots are called "Twice"; use their id'],
    [() => snapshots.save(factory.name), 7, ""],
    [() => desk.mixer(7).snapshots.load("Twice"), 6, ""],
    [() => desk.mixer(7).fader(0).level(), 6, ""],
    [() => desk.list(7).fill([]), 6, ""],
  ];
  for (const [request, code, sentence] of refusals) {
    const error = await assertRejects(request, RequestError);
    assertEquals(error.code, code);
    if (sentence !== "") assertEquals(error.message, sentence);
  }
  await using nobody = connect(`${service.url.replace("http", "ws")}/api/ws`);
  await nobody.ready();
  const refused = await assertRejects(() => nobody.mixer(0).snapshots.save("Mine"), RequestError);
  assertEquals(refused.code, 4);
});

Deno.test("a handle of an external list fills it, and gets the events of its own buttons only", async () => {
  await using service = await startService();
  await using desk = await loggedIn(service);
  await using panel = await loggedIn(service, tokens.one);
  const list = desk.list(1);
  const heard: unknown[] = [];
  const stop = list.onButton((button, isOn) => heard.push([button, isOn]));
  await list.fill([{ label: "Line 1" }, { label: "Line 2", pagination: true }], 1);
  await desk.list(2).fill([{ label: "Jingle" }]);
  using shown = await list.watch();
  assertEquals(shown.value._entries.map(({ label }) => label), ["Line 1", "Line 2"]);
  await panel.list(2).press(0, true);
  await panel.list(1).press(1, true);
  await panel.list(1).press(1, false);
  await until(() => heard.length === 2);
  assertEquals(heard, [[1, true], [1, false]]);
  stop();
  await list.leave();
  await shown.until(({ _exists }) => !_exists);
});
