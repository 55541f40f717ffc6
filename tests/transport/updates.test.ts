/** `update`: what a subscriber is told, and what becomes of one that does not read. */
import { assert, assertEquals } from "@std/assert";
import { set } from "../../core/tree/set.ts";
import { createOutbox, type Socket, updateText } from "../../transport/outbox.ts";
import {
  type Json,
  result,
  startService,
  stillClock,
  type TestService,
  type TestSocket,
  until,
} from "../service.ts";
import { opcodes, openRaw } from "./raw-socket.ts";

const mixer = "/audio/mixers/0";
const change = (path: string, payload: unknown) => ({ method: "set", path, payload });
const subscribe = (path: string) => ({ method: "subscribe", path });
const update = (faders: object) => ({
  method: "update",
  payload: { audio: { mixers: { 0: { faders } } } },
});

/** Asks something, and gives all updates that came before its answer. */
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

Deno.test("one update per change, nested, with the changed leaves only", () =>
  withClients(async (writer, reader) => {
    await reader.ask(subscribe(mixer));
    await writer.ask(change(`${mixer}/faders/0`, { fader: -10, on: true, pfl1: false }));
    assertEquals(await updatesBefore(reader), [update({ 0: { fader: -10, on: true } })]);
    await writer.ask(change(`${mixer}/faders`, { 0: { fader: -10, on: false }, 1: { fader: -5 } }));
    assertEquals(await updatesBefore(reader), [update({ 0: { on: false }, 1: { fader: -5 } })]);
    await writer.ask(change(`${mixer}/faders/0`, { fader: -10 }));
    assertEquals(await updatesBefore(reader), [], "nothing changed");
    await writer.ask(change(`${mixer}/faders/0/fader`, "loud"));
    assertEquals(await updatesBefore(reader), [], "refused");
  }));

Deno.test("subscribe covers the path and all below, and nothing beside it", () =>
  withClients(async (writer, reader) => {
    await reader.ask(subscribe(`${mixer}/faders/1`));
    await writer.ask(
      change(`${mixer}/faders`, {
        0: { on: true },
        1: { options: { timerreset: true } },
        10: undefined,
        2: { on: true },
      }),
    );
    assertEquals(await updatesBefore(reader), [update({ 1: { options: { timerreset: true } } })]);
    await writer.ask(change("/audio/mixers/1/faders/1/on", true));
    assertEquals(await updatesBefore(reader), []);
    await reader.ask(subscribe(`${mixer}/faders/3/on`));
    await writer.ask(change(`${mixer}/faders/3`, { on: true, fader: 0 }));
    assertEquals(await updatesBefore(reader), [update({ 3: { on: true } })]);
  }));

Deno.test("a path is subscribed to with and without slashes; the root is all", () =>
  withClients(async (writer, reader) => {
    for (const path of ["audio/mixers/0", "/audio/mixers/0/", "audio/mixers/0/", "", "/"]) {
      assert((await reader.ask(subscribe(path))).success);
      await writer.ask(change(`${mixer}/faders/0/on`, true));
      assertEquals(await updatesBefore(reader), [update({ 0: { on: true } })], path);
      assert((await reader.ask({ method: "unsubscribe", path })).success);
      await writer.ask(change(`${mixer}/faders/0/on`, false));
      assertEquals(await updatesBefore(reader), [], path);
    }
  }));

Deno.test("overlapping subscriptions give a change once", () =>
  withClients(async (writer, reader) => {
    for (
      const path of [
        mixer,
        `${mixer}/faders/0`,
        "/audio",
        `${mixer}/faders/0`,
        `${mixer}/faders/1/on`,
      ]
    ) {
      await reader.ask(subscribe(path));
    }
    await writer.ask(change(`${mixer}/faders`, { 0: { on: true }, 1: { on: true } }));
    assertEquals(await updatesBefore(reader), [update({ 0: { on: true }, 1: { on: true } })]);
    await reader.ask({ method: "unsubscribe", path: "/audio" });
    await reader.ask({ method: "unsubscribe", path: mixer });
    await writer.ask(
      change(`${mixer}/faders`, {
        0: { on: false },
        1: { on: false, pfl1: true },
        2: { on: true },
      }),
    );
    assertEquals(await updatesBefore(reader), [update({ 0: { on: false }, 1: { on: false } })]);
  }));

Deno.test("unsubscribe ends it, is well answered where there was none, and ends only that path", () =>
  withClients(async (writer, reader) => {
    assert((await reader.ask({ method: "unsubscribe", path: mixer })).success);
    await reader.ask(subscribe(`${mixer}/faders/0`));
    await reader.ask({ method: "unsubscribe", path: mixer });
    await writer.ask(change(`${mixer}/faders/0/on`, true));
    assertEquals((await updatesBefore(reader)).length, 1);
  }));

Deno.test("an unknown path is not subscribed to", () =>
  withClients(async (_, reader) => {
    for (
      const [path, code] of [["/nowhere", 6], ["/audio/mixers/9", 6], [1, 3], [null, 3], [
        undefined,
        3,
      ]]
    ) {
      const { success, error } = await reader.ask({ method: "subscribe", path });
      assertEquals([success, error.code], [false, code]);
    }
  }));

Deno.test("two clients: each is told of what it asked for, the writer too, whoever wrote", () =>
  withClients(async (writer, reader, service) => {
    await reader.ask(subscribe(mixer));
    await writer.ask(subscribe("/control"));
    await writer.ask(subscribe(`${mixer}/faders/0/fader`));
    await service.post(
      change("/", {
        audio: { mixers: { 0: { faders: { 0: { fader: -1, on: true } } } } },
        control: { labels: { 1: { label: "New" } } },
      }),
    );
    assertEquals(await updatesBefore(reader), [update({ 0: { fader: -1, on: true } })]);
    assertEquals(await updatesBefore(writer), [{
      method: "update",
      payload: {
        audio: { mixers: { 0: { faders: { 0: { fader: -1 } } } } },
        control: { labels: { 1: { label: "New" } } },
      },
    }]);
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
              _lastloadedsnap: "Default",
            },
          },
        },
      },
    }]);
  }));

Deno.test("what adds to another member is told as a change of that member", () =>
  withClients(async (writer, reader) => {
    await reader.ask(subscribe(mixer));
    await writer.ask(change(`${mixer}/faders/0/params/gain/again/inc`, 5));
    assertEquals(await updatesBefore(reader), [
      update({ 0: { params: { gain: { again: { value: 5 } } } } }),
    ]);
  }));

/** A socket whose network takes only what the test lets it take, and a timer that it fires. */
function slowSocket() {
  const sent: Json[] = [];
  const closed: number[] = [];
  let wake: (() => void) | undefined;
  const socket = {
    bufferedAmount: 0,
    send(text: string) {
      sent.push(JSON.parse(text));
      socket.bufferedAmount += text.length;
    },
    close: (code: number) => void closed.push(code),
  } satisfies Socket;
  const outbox = createOutbox(socket, (run) => {
    wake = run;
    return () => wake = undefined;
  });
  const say = (patch: { [member: string]: number | string }) =>
    outbox.update(patch, updateText(patch));
  const timer = () => {
    const due = wake;
    wake = undefined;
    due?.();
  };
  return { socket, sent, closed, outbox, say, timer, isWaiting: () => wake !== undefined };
}

const KIB = 1024;

Deno.test("a client that reads gets each update as it is", () => {
  const { socket, sent, say, isWaiting } = slowSocket();
  for (let at = 0; at < 3; at++) {
    say({ a: at });
    socket.bufferedAmount = 0;
  }
  assertEquals(sent.map(({ payload }) => payload), [{ a: 0 }, { a: 1 }, { a: 2 }]);
  assertEquals(isWaiting(), false, "no timer runs");
});

Deno.test("pending updates to one leaf are merged for a client that is slow", () => {
  const { socket, sent, closed, say, timer } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  for (let at = 0; at < 1000; at++) say({ a: at, [`leaf${at % 3}`]: at });
  timer();
  assertEquals(sent, [], "it still does not read");
  socket.bufferedAmount = 0;
  timer();
  assertEquals(sent.map(({ payload }) => payload), [{
    a: 999,
    leaf0: 999,
    leaf1: 997,
    leaf2: 998,
  }]);
  say({ a: 1000 });
  assertEquals(sent.length, 2, "it reads again");
  assertEquals(closed, []);
});

Deno.test("an update does not overtake those that wait", () => {
  const { socket, sent, say, timer } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  say({ a: 1 });
  socket.bufferedAmount = 0;
  say({ b: 2 });
  assertEquals(sent, []);
  timer();
  assertEquals(sent.map(({ payload }) => payload), [{ a: 1, b: 2 }]);
});

Deno.test("past 1 MiB unread the connection is closed with 1013, and nothing more is sent", () => {
  const answers = slowSocket();
  answers.outbox.send(JSON.stringify("x".repeat(1024 * KIB - 2)));
  assertEquals(answers.closed, [], "1 MiB is not past it");
  answers.outbox.send("1");
  assertEquals(answers.closed, [1013]);

  const updates = slowSocket();
  updates.socket.bufferedAmount = 600 * KIB;
  updates.say({ a: "x".repeat(500 * KIB) });
  updates.timer();
  assertEquals(updates.closed, [1013]);

  for (const { sent, outbox, say, timer, closed } of [answers, updates]) {
    const before = sent.length;
    outbox.send("2");
    say({ a: "more" });
    timer();
    assertEquals([sent.length, closed], [before, [1013]]);
  }
});

Deno.test("after its close an outbox sends nothing, also not what was pending", () => {
  const { socket, sent, closed, outbox, say, timer, isWaiting } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  say({ a: 1 });
  outbox.close();
  socket.bufferedAmount = 0;
  timer();
  assertEquals([sent, closed, isWaiting()], [[], [], false]);
});

Deno.test("over a real connection: a subscriber that does not read loses nothing it needs", async () => {
  await using service = await startService({ clock: stillClock() });
  using slow = await openRaw(`${service.url}/api/ws`);
  await slow.send(opcodes.text, JSON.stringify(subscribe("/audio")));
  assert((await slow.next()).success);

  const CHANGES = 6000;
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

Deno.test("over a real connection: past 1 MiB unread it is closed with 1013, the others go on", async () => {
  await using service = await startService({ clock: stillClock() });
  const other = await service.open();
  const { state } = service.console;
  using slow = await openRaw(`${service.url}/api/ws`);
  const get = JSON.stringify({ method: "get", path: "/" });
  for (let at = 0; at < 150; at++) await slow.send(opcodes.text, get);
  await until(() => service.console.state === state);
  assert((await other.ask(get)).success, "another is answered meanwhile");
  assertEquals(await slow.closeCode(), 1013);
  assert((await other.ask(get)).success);
  assert(service.console.state === state);
});
