/** `update`: the updates of a subscriber, also of one that does not read. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { joinEngine } from "../../../core/engine.ts";
import { set } from "../../../core/tree/set.ts";
import type { Patch } from "../../../core/tree/tree.ts";
import {
  demoWith,
  type Json,
  result,
  startService,
  stillClock,
  type TestService,
  type TestSocket,
} from "../../service.ts";
import { opcodes, openRaw } from "../raw-socket.ts";

const mixer = "/audio/mixers/0";
const change = (path: string, payload: unknown) => ({ method: "set", path, payload });
const subscribe = (path: string) => ({ method: "subscribe", path });
const update = (faders: object) => ({
  method: "update",
  payload: { audio: { mixers: { 0: { faders } } } },
});

/** Sends a request, and returns all updates that came before its answer. */
async function updatesBefore(socket: TestSocket): Promise<Json[]> {
  socket.send({ method: "get", path: "/general/_api_version", msgID: "mark" });
  const before = [];
  for (let message = await socket.next(); message.msgID !== "mark"; message = await socket.next()) {
    before.push(message);
  }
  return before;
}

async function withClients(
  run: (writer: TestSocket, reader: TestSocket, service: TestService) => Promise<void>,
) {
  await using service = await startService({ clock: stillClock() });
  await run(await service.open(), await service.open(), service);
}

Deno.test("a change makes one update, nested, with the changed leaves only", () =>
  withClients(async (writer, reader) => {
    await reader.ask(subscribe(mixer));
    await writer.ask(change(`${mixer}/faders/0`, { fader: -10, on: true, pfl1: false }));
    assertEquals(await updatesBefore(reader), [update({ 0: { fader: -10, on: true } })]);
    await writer.ask(change(`${mixer}/faders`, { 0: { fader: -10, on: false }, 1: { fader: -5 } }));
    assertEquals(await updatesBefore(reader), [update({ 0: { on: false }, 1: { fader: -5 } })]);
    await writer.ask(change(`${mixer}/faders/0/params/gain/again/inc`, 5));
    const gain = { params: { gain: { again: { value: 5 } } } };
    assertEquals(await updatesBefore(reader), [update({ 0: gain })], "of the member that changes");
    await writer.ask(change(`${mixer}/faders/0`, { fader: -10 }));
    assertEquals(await updatesBefore(reader), [], "nothing changed");
    await writer.ask(change(`${mixer}/faders/0/fader`, "loud"));
    assertEquals(await updatesBefore(reader), [], "refused");
  }));

Deno.test("a change makes one update for each subscribed path, in the order of subscribing", () =>
  withClients(async (writer, reader) => {
    const first = `${mixer}/faders/0`;
    const second = `${mixer}/faders/1/on`;
    for (const path of [first, "/audio", second, first, mixer]) await reader.ask(subscribe(path));
    const both = { 0: { on: true }, 1: { on: true } };
    await writer.ask(change(`${mixer}/faders`, both));
    assertEquals(
      await updatesBefore(reader),
      [{ 0: { on: true } }, both, { 1: { on: true } }, both].map(update),
    );
    await reader.ask({ method: "unsubscribe", path: "/audio" });
    await reader.ask({ method: "unsubscribe", path: mixer });
    await reader.ask(subscribe(`${mixer}/faders/0/fader`));
    await writer.ask(
      change(`${mixer}/faders`, {
        0: { on: false },
        1: { on: false, pfl1: true },
        2: { on: true },
      }),
    );
    assertEquals(
      await updatesBefore(reader),
      [{ 0: { on: false } }, { 1: { on: false } }].map(update),
    );
  }));

Deno.test("an update has a selector whole, except for a subscription to one of its sides", () =>
  withClients(async (writer, reader, service) => {
    const selectors = "/audio/selectors/selectors";
    const { left, right } = (await reader.ask({ method: "get", path: `${selectors}/1` })).payload;
    const told = (sides: object) => ({
      method: "update",
      payload: { audio: { selectors: { selectors: { 1: sides } } } },
    });
    for (const path of [`${selectors}/1`, `${selectors}/1/left`, `${selectors}/1/right`, "/"]) {
      await reader.ask(subscribe(path));
    }
    await writer.ask(change(`${selectors}/1/right`, "9"));
    assertEquals(await updatesBefore(reader), [
      told({ left, right: "9" }),
      told({ right: "9" }),
      told({ left, right: "9" }),
    ]);
    await writer.ask(change(`${selectors}/1`, { left: "8", right: "9" }));
    assertEquals(await updatesBefore(reader), [
      told({ left: "8", right: "9" }),
      told({ left: "8" }),
      told({ left: "8", right: "9" }),
    ]);
    await service.post(change(`${selectors}/1`, { left, right }));
    assertEquals((await updatesBefore(reader)).length, 4);
  }));

Deno.test("each of two clients gets updates of its subscriptions, by any writer, also by itself", () =>
  withClients(async (writer, reader, service) => {
    await reader.ask(subscribe(mixer));
    await writer.ask(subscribe("/control/labels"));
    await writer.ask(subscribe(`${mixer}/faders/0/fader`));
    await service.post(
      change("/", {
        audio: { mixers: { 0: { faders: { 0: { fader: -1, on: true } } } } },
        control: { labels: { 1: { label: "New" } } },
      }),
    );
    assertEquals(await updatesBefore(reader), [update({ 0: { fader: -1, on: true } })]);
    assertEquals(await updatesBefore(writer), [
      { method: "update", payload: { control: { labels: { 1: { label: "New" } } } } },
      update({ 0: { fader: -1 } }),
    ]);
    await reader.close();
    assert((await writer.ask(change(`${mixer}/faders/0/fader`, -2))).method === "update");
  }));

Deno.test("loading a snapshot is one update, with _lastloadedsnap", () =>
  withClients(async (writer, reader) => {
    await writer.ask(change(`${mixer}/faders`, { 0: { fader: -10 }, 1: { on: true } }));
    await reader.ask(subscribe(mixer));
    await writer.rpc("loadsnapshot", { id: "default" });
    assertEquals(await updatesBefore(reader), [{
      method: "update",
      payload: {
        audio: {
          mixers: {
            0: {
              faders: { 0: { fader: -160 }, 1: { on: false } },
              _lastloadedsnap: "default",
              _lastloadedsnapid: "default",
            },
          },
        },
      },
    }]);
  }));

Deno.test("over a real connection: a subscriber that does not read loses nothing it needs", async () => {
  await using service = await startService({ clock: stillClock() });
  using slow = await openRaw(`${service.url}/api/ws`);
  await slow.send(opcodes.text, JSON.stringify(subscribe("/audio")));
  assert((await slow.next()).success);

  const CHANGES = 1000;
  for (let at = 1; at <= CHANGES; at++) {
    const label = `${at} `.padEnd(120, "€");
    const faders = Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((fader) => [fader, { label }]));
    await result(
      service.console,
      set("/audio/mixers", { 0: { faders }, 1: { faders } }),
    );
    if (at % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  let updates = 0;
  const seen: Record<string, string> = {};
  const last = `${CHANGES} `;
  while (!["0.0", "0.7", "1.0", "1.7"].every((fader) => seen[fader]?.startsWith(last))) {
    const { payload } = await slow.next();
    updates++;
    for (const [mixer, { faders }] of Object.entries<Json>(payload.audio.mixers)) {
      for (const [fader, { label }] of Object.entries<Json>(faders ?? {})) {
        if (label === undefined) continue;
        const key = `${mixer}.${fader}`;
        assert(parseInt(label) > parseInt(seen[key] ?? "0"), "values never go back");
        seen[key] = label;
      }
    }
  }
  assert(updates < CHANGES, `${updates} updates: they were merged`);
});

Deno.test("over a real connection: an answer over 1 MiB arrives whole, and so do later answers", async () => {
  const configuration = demoWith({ mixers: [{ faders: 512 }, { faders: 512 }] });
  await using service = await startService({ configuration, clock: stillClock() });
  const reader = await service.open();
  const large = [{ method: "get", path: mixer, msgID: 1 }, { method: "get", path: "/", msgID: 2 }];
  for (const request of large) reader.send(request);
  reader.send({ ...subscribe(mixer), msgID: 3 });
  for (const { msgID } of [...large, { msgID: 3 }]) {
    const answer = await Promise.race([reader.next(), reader.closed]);
    assertEquals(answer.msgID, msgID, `closed with ${answer}`);
    if (msgID < 3) assert(JSON.stringify(answer).length > 1024 * 1024);
  }
  await service.post(change(`${mixer}/faders/0/fader`, -10));
  assertEquals(await reader.next(), update({ 0: { fader: -10 } }));
});

/** A service with an engine whose reports the test makes. */
async function withEngine(
  run: (
    report: (members: object) => void,
    client: TestSocket,
    service: TestService,
  ) => Promise<void>,
) {
  await using service = await startService({ clock: stillClock() });
  let report: (patch: Patch) => void = () => {};
  joinEngine(service.console, { apply() {}, start: (given) => report = given });
  const ofFader = (members: object) => report(update({ 0: members }).payload as unknown as Patch);
  await run(ofFader, await service.open(), service);
}

const metersAt = (level: number) => ({
  meter: { _input: [level, level] },
  params: { limiter: { _gainreduction: level } },
});

Deno.test("a subscription whose path does not name meters, without meters true, gets no meters", () =>
  withEngine(async (report, client) => {
    await client.ask(subscribe(`${mixer}/faders/0`));
    await client.ask(subscribe(""));
    report({ ...metersAt(-3), _readystate: false });
    const ready = update({ 0: { _readystate: false } });
    assertEquals(await updatesBefore(client), [ready, ready]);
    report(metersAt(-4));
    assertEquals(await updatesBefore(client), []);
    const { payload } = await client.ask({ method: "get", path: `${mixer}/faders/0/meter` });
    assertEquals(payload._input, [-4, -4], "a get has them");
  }));

Deno.test("a subscription whose path names meters, or with meters true, gets meters", () =>
  withEngine(async (report, client, service) => {
    await client.ask(subscribe(`${mixer}/faders/0/meter`));
    const asking = await service.open();
    const answer = await asking.ask({ ...subscribe(`${mixer}/faders`), meters: true });
    assertEquals(answer, { ...subscribe(`${mixer}/faders`), success: true });
    report(metersAt(-3));
    const { meter } = metersAt(-3);
    assertEquals(await updatesBefore(client), [update({ 0: { meter } })]);
    assertEquals(await updatesBefore(asking), [update({ 0: metersAt(-3) })]);
    await asking.ask({ method: "unsubscribe", path: `${mixer}/faders` });
    report(metersAt(-5));
    assertEquals(await updatesBefore(asking), []);
  }));

Deno.test("meters of a subscription is true or false, else error 3", () =>
  withEngine(async (_report, client) => {
    for (const meters of [1, "true", null, {}]) {
      const { error, success } = await client.ask({ ...subscribe(mixer), meters });
      assertEquals([success, error.code], [false, 3]);
      assertMatch(error.message, /^meters: expected true or false, got /);
    }
    assert((await client.ask({ ...subscribe(mixer), meters: false })).success);
  }));
