/** Updates to all connections, and their times, in simulated time and with simulated sockets. */
import { restoring } from "../../core/actors.ts";
import {
  createCooperativeScheduler,
  SLICE_MS,
  withoutPauses,
} from "../../../core/cooperative-scheduler.ts";
import { passingTime } from "../../timers.ts";
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { Console } from "../../../core/console.ts";
import { type Branch, find, merge, parsePath, type Patch } from "../../../core/tree/tree.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { ample } from "../../budgets.ts";
import { createSessions } from "../../../transport/websocket/sessions.ts";
import { type Json, stillClock, testConsole, until } from "../../service.ts";

/** Connections of a console, whose clients read when the test says so. */
async function connections() {
  const clock = stillClock();
  const console = await testConsole({ clock, connections: () => sessions.count });
  const { timer, pass, pending } = passingTime();
  const sessions = createSessions(console, { timer, scheduler: withoutPauses, budget: ample });

  function open() {
    const sent: Json[] = [];
    const socket = {
      bufferedAmount: 0,
      send: (text: string) => void sent.push(JSON.parse(text)),
      close() {},
    };
    const session = sessions.open(socket, { address: "192.0.2.1", since: 0 });
    const ask = async (message: object): Promise<Json> => {
      const before = sent.length;
      session.receive(JSON.stringify(message));
      await until(() => sent.length > before);
      return sent.at(-1);
    };
    return {
      session,
      ask,
      subscribe: (path: string) => ask({ method: "subscribe", path }),
      unsubscribe: (path: string) => ask({ method: "unsubscribe", path }),
      lags(does: boolean) {
        socket.bufferedAmount = does ? 100_000 : 0;
        // Sends the pending updates, as the end of a large answer does, so that no timer is needed.
        if (!does) session.sendBuffer.hold()();
      },
      updates: () => sent.filter(({ method }) => method === "update").map(({ payload }) => payload),
    };
  }
  return { console, clock, sessions, open, second: () => pass(1000), ticks: () => pending() > 0 };
}

function change(console: Console, patch: Patch): void {
  const decision = {
    events: [{ type: "treechanged", durable: false, patch }],
    result: {},
  } as const;
  console.dispatch(() => decision, DEVICE);
}

const fader = (value: number, id = 0): Patch => ({
  audio: { mixers: { 0: { faders: { [id]: { fader: value } } } } },
});

Deno.test("the text of a change at a path is made once, whatever the number of its subscribers", async () => {
  const { console, open } = await connections();
  const clients = Array.from({ length: 50 }, open);
  for (const [at, { subscribe }] of clients.entries()) {
    await subscribe(at % 2 === 0 ? "/audio/mixers/0" : "audio/mixers/0/");
    await subscribe("/audio/mixers/0/faders/0");
    await subscribe("/audio/mixers/1");
  }
  const { stringify } = JSON;
  let texts = 0;
  JSON.stringify = (value: unknown) => {
    texts++;
    return stringify(value);
  };
  change(console, fader(-7));
  JSON.stringify = stringify;
  assertEquals(texts, 2);
  for (const { updates } of clients) assertEquals(updates(), [fader(-7), fader(-7)]);
  for (const { session } of clients) session.closed();
});

Deno.test("a lagging client gets one update for each path, with the last value of each leaf", async () => {
  const { console, open } = await connections();
  const { session, subscribe, unsubscribe, lags, updates } = open();
  for (const path of ["/audio/mixers/0/faders/1", "/audio", "/audio/mixers/0"]) {
    await subscribe(path);
  }
  lags(true);
  for (let at = 0; at <= 100; at++) change(console, fader(-at, at % 3));
  await unsubscribe("/audio/mixers/0/");
  assertEquals(updates(), []);
  lags(false);
  const faders = { 0: { fader: -99 }, 1: { fader: -100 }, 2: { fader: -98 } };
  assertEquals(updates(), [{ audio: { mixers: { 0: { faders } } } }, fader(-100, 1)]);
  session.closed();
});

Deno.test("law: the merged updates of a client equal the tree of the console below each path, however it lags", async () => {
  const path = fc.constantFrom(
    "/",
    "/audio",
    "/audio/selectors",
    "/audio/selectors/selectors/1/left",
    "/audio/mixers/0/faders",
    "/audio/mixers/0/faders/1",
    "/audio/mixers/0/faders/1/fader",
  );
  const patch = fc.oneof(
    fc.tuple(fc.integer({ min: -160, max: 10 }), fc.nat(2)).map(([dB, id]) => fader(dB, id)),
    fc.tuple(fc.constantFrom("left", "right"), fc.nat(9)).map(([side, source]): Patch => ({
      audio: { selectors: { selectors: { 1: { [side]: String(source) } } } },
    })),
  );
  const step = fc.oneof(patch, fc.boolean());
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1 }),
      fc.array(step, { maxLength: 20 }),
      async (paths, steps) => {
        const { console, open } = await connections();
        const { session, subscribe, lags, updates } = open();
        for (const path of paths) await subscribe(path);
        const before = console.state.tree;
        for (const one of steps) {
          if (typeof one === "boolean") lags(one);
          else change(console, one);
        }
        lags(false);
        const seen = updates().reduce((tree: Branch, update: Patch) => merge(tree, update), before);
        for (const path of paths.map(parsePath)) {
          assertEquals(find(seen, path), find(console.state.tree, path));
        }
        session.closed();
      },
    ),
  );
});

Deno.test("a get of the number of connections is up to date, subscribers get it every second", async () => {
  const { sessions, open, second, ticks } = await connections();
  const reader = open();
  await reader.subscribe("/general");
  const count = async () => {
    const { session, ask } = open();
    const { payload } = await ask({ method: "get", path: "/general/_activewebsockets" });
    session.closed();
    return payload;
  };
  second();
  assertEquals(reader.updates(), [{ general: { _activewebsockets: 1 } }]);

  const clients = Array.from({ length: 1000 }, open);
  assertEquals(reader.updates().length, 1);
  second();
  second();
  assertEquals(reader.updates().slice(1), [{ general: { _activewebsockets: 1001 } }]);
  for (const { session } of clients.slice(1)) session.closed();
  assertEquals(await count(), 3);
  clients[0]!.session.close(1013, "too slow");
  assertEquals(
    [sessions.count, await count()],
    [2, 3],
    "one that we closed is one until it is gone",
  );
  clients[0]!.session.closed();
  assertEquals(await count(), 2);
  assert(ticks());
  reader.session.closed();
  assertEquals([sessions.count, ticks()], [0, false]);
});

Deno.test("_maxwebsockets is limits.connections, also of a restored configuration", async () => {
  const { console } = await connections();
  const most = () => (console.state.tree.general as Branch)._maxwebsockets;
  assertEquals(most(), 1000);
  const configuration = { limits: { connections: 37 } };
  const contents = { configuration, settings: {}, snapshots: {} };
  await console.dispatch(restoring(console.state, contents), DEVICE);
  assertEquals(most(), 37);
});

Deno.test("a request waits for about one request of another address, whatever the number of its connections", async () => {
  let now = 0;
  let comeRound = () => {};
  const scheduler = createCooperativeScheduler(
    { monotonic: () => now },
    (goOn) => comeRound = goOn,
  );
  const console = await testConsole();
  const { timer } = passingTime();
  const sessions = createSessions(console, { timer, scheduler, budget: ample });
  const answered: string[] = [];
  const ask = (address: string) => {
    const socket = {
      bufferedAmount: 0,
      send() {
        answered.push(address);
        // An answer takes a whole time slice.
        now += SLICE_MS;
      },
      close() {},
    };
    const session = sessions.open(socket, { address, since: 0 });
    for (let count = 0; count < 3; count++) {
      session.receive('{"method":"get","path":"/audio/mixers/0/faders/0/fader"}');
    }
  };
  for (let connection = 0; connection < 60; connection++) ask("192.0.2.1");
  ask("192.0.2.2");
  await until(() => {
    comeRound();
    return answered.filter((address) => address === "192.0.2.2").length === 3;
  });
  const before = answered.filter((address) => address === "192.0.2.1").length;
  assert(before >= 3 && before <= 6, `${before} of another address came before`);
  // The test ends before all requests are answered.
  sessions.closeAll(1001, "");
});
