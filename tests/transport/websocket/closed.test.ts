/**
 * A connection leaves nothing behind at its end, whichever side ends it: waiting requests are
 * dropped, lists and buttons are released (service.md, "States and transitions").
 */
import { schedulerWith } from "../../schedulers.ts";
import { passingTime } from "../../timers.ts";
import { assert, assertEquals } from "@std/assert";
import { getSnapshot } from "../../../core/snapshots/getsnapshot.ts";
import { get } from "../../../core/tree/get.ts";
import { set as setValue } from "../../../core/tree/set.ts";
import type { Branch } from "../../../core/tree/tree.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { ample } from "../../budgets.ts";
import { restoring, valueAt } from "../../core/actors.ts";
import { settled, stagedStore } from "../../core/stores.ts";
import { createSessions } from "../../../transport/websocket/sessions.ts";
import {
  demoWith,
  heldStore,
  type Json,
  openSocket,
  result,
  startService,
  stillClock,
  testConsole,
  tokens,
  until,
} from "../../service.ts";
import { handshake, opcodes, openRaw } from "../raw-socket.ts";

const rpc = (method: string, params: object) =>
  JSON.stringify({ method: "rpc", token: tokens.admin, payload: { method, params } });
const register = (list: number) => rpc("registerextlist", { list });
const fill = (list: number) => rpc("setextlist", { list, entries: [{ label: "Line" }] });
const press = (list: number) => rpc("pressextlist", { list, entry: 0, on: 1 });
const set = JSON.stringify({ method: "set", path: "/audio/mixers/0/faders/0/on", payload: true });

/** Connections whose writes, long checks and requests wait for the test. */
async function connections() {
  const store = heldStore();
  // The check of a snapshot of a mixer of this size takes turns of the event loop.
  const configuration = demoWith({ mixers: [{ faders: 64 }] });
  const console = await testConsole({ clock: stillClock(), store, configuration });
  const turns: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => turns.push(resolve));
  let busy = false;
  const scheduler = { ...schedulerWith(turn), pause: () => busy ? turn() : undefined };
  const sessions = createSessions(console, {
    timer: passingTime().timer,
    scheduler,
    budget: ample,
  });
  return {
    console,
    store,
    sessions,
    turns,
    /** From now on no request starts before the test lets it. */
    pause() {
      busy = true;
    },
    open() {
      const events: Json[] = [];
      const closedWith: number[] = [];
      let answers = 0;
      const socket = {
        bufferedAmount: 0,
        send(text: string) {
          const message = JSON.parse(text);
          if (message.method === "event") events.push(message.payload.params);
          else answers++;
        },
        close: (code: number) => void closedWith.push(code),
      };
      const session = sessions.open(socket, { address: "192.0.2.1", since: 0 });
      return {
        session,
        socket,
        events,
        closedWith,
        async ask(...messages: string[]) {
          const before = answers;
          for (const message of messages) session.receive(message);
          await until(() => answers === before + messages.length);
        },
      };
    },
    /** Lets all waiting work, and all work that follows from it, go on. */
    async goOn() {
      busy = false;
      let checked = false;
      scheduler.withMutex("", () => Promise.resolve()).then(() => checked = true);
      await until(() => {
        for (const next of turns.splice(0)) next();
        return checked;
      });
      for (let round = 0; round < 5; round++) {
        store.store();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

type Connections = Awaited<ReturnType<typeof connections>>;
type Client = ReturnType<Connections["open"]>;

/** The reasons for which later requests wait. */
const waits: Readonly<Record<string, (all: Connections, client: Client) => Promise<void>>> = {
  "behind a write on its way to the medium": async ({ store }, { session }) => {
    store.hold();
    session.receive(set);
    await until(() => store.waiting === 1);
  },
  "behind a snapshot that is checked": async ({ console, turns }, { session }) => {
    const given = await getSnapshot(console.state, { id: "default" }, DEVICE);
    session.receive(rpc("setsnapshot", given));
    await until(() => turns.length > 0);
  },
  "until a request may start": ({ pause }) => {
    pause();
    return Promise.resolve();
  },
};

/** The ends of a connection, and the close code that the client gets. */
const ends: readonly (readonly [
  string,
  number | undefined,
  (all: Connections, client: Client) => unknown,
])[] = [
  ["the client is gone", undefined, (_, { session }) => session.closed()],
  [
    "a message is too large",
    1009,
    ({ console }, { session }) =>
      session.receive("x".repeat(console.state.configuration.limits.maxMessageBytes + 1)),
  ],
  ["too much waits", 1013, (_, { session }) => {
    const get = JSON.stringify({ method: "get", path: "/", x: "x".repeat(900_000) });
    for (let at = 0; at < 6; at++) session.receive(get);
  }],
  ["the service stops", 1001, ({ sessions }) => sessions.closeAll(1001, "over")],
  ["a backup is restored", 1012, ({ console, store }) => {
    const restored = { type: "restored", users: [...console.state.users.values()] } as const;
    const outcome = console.dispatch(() => ({ events: [restored], result: {} }), DEVICE);
    store.store();
    return outcome;
  }],
];

for (const [how, wait] of Object.entries(waits)) {
  for (const [why, code, end] of ends) {
    Deno.test(`${why}: the lists and buttons of the connection are released at once, requests that wait ${how} are dropped`, async () => {
      const all = await connections();
      const client = all.open();
      await client.ask(register(1), fill(1), press(1));
      const { console, sessions } = all;
      assertEquals(console.state.lists.get(1)?.held.size, 1);
      await wait(all, client);
      for (const message of [register(1), register(2), fill(2), press(2)]) {
        client.session.receive(message);
      }
      assertEquals(console.state.lists.has(2), false, "it waits");

      await end(all, client);
      assertEquals([console.state.lists.size, client.closedWith], [0, code ? [code] : []]);
      assertEquals(sessions.count, code ? 1 : 0, "it counts until it is gone");
      await all.goOn();
      client.session.receive(register(2));
      await all.goOn();
      assertEquals(console.state.lists.size, 0);
      client.session.closed();
      assertEquals(sessions.count, 0);
    });
  }
}

/** What a call takes for its connection, how that ends before, and what the call awaits. */
const takings = ["an engine's claim", "a list"].flatMap((taken) =>
  ["the service closes it", "its client is gone"].flatMap((end) =>
    ["a configuration", "a configuration and a later write"].map((awaited) =>
      [taken, end, awaited] as const
    )
  )
);

for (const [taken, end, awaited] of takings) {
  Deno.test(`${end}: a call that waits for ${awaited} takes ${taken} for no connection that is closed by then`, async () => {
    const store = stagedStore();
    const console = await testConsole({ clock: stillClock(), store });
    const engine = { name: "dsp", groups: 1, admin: false, engine: true, may: "view" } as const;
    const { token } = await result(console, addUser(engine));
    const { timer } = passingTime();
    const scheduler = schedulerWith(() => settled());
    const sessions = createSessions(console, { timer, scheduler, budget: ample });
    const closedWith: number[] = [];
    const socket = {
      bufferedAmount: 0,
      send: () => {},
      close: (code: number) => void closedWith.push(code),
    };
    const session = sessions.open(socket, { address: "192.0.2.1", since: 0 });
    const lists = [{ id: 1, name: "Other" }];
    const read = demoWith({ mixers: [{ faders: 8 }], factorySnapshots: [], lists });
    const contents = { configuration: read, settings: {}, snapshots: {} };

    store.hold();
    const restored = console.dispatch(restoring(console.state, contents), DEVICE);
    const later = awaited === "a configuration"
      ? undefined
      : console.dispatch(setValue("/audio/mixers/0/faders/0/on", true), DEVICE);
    session.receive(
      taken === "a list" ? register(1) : JSON.stringify({ method: "engine", token }),
    );
    await settled();
    if (end === "its client is gone") session.closed();
    await store.land();
    await restored;
    assertEquals(closedWith, end === "its client is gone" ? [] : [1012]);
    session.closed();
    await store.release();
    await later;
    await settled();
    assertEquals([console.state.engines.claims.size, console.state.lists.size], [0, 0]);
    assertEquals(valueAt(console, "/control/extlists/1"), {
      _name: "Other",
      _exists: false,
      _entries: [],
      _page: 0,
      _subscribers: 0,
    });
    assertEquals(sessions.count, 0);
  });
}

Deno.test("when the service closes the holder of a button, others get the release at once", async () => {
  const { open, console } = await connections();
  const listener = open();
  const holder = open();
  await listener.ask(register(1), fill(1));
  await holder.ask(register(1), press(1));
  assertEquals(listener.events, [{ entry: 0, list: 1, on: 1 }]);
  holder.session.close(1013, "too slow");
  assertEquals(listener.events.slice(1), [{ entry: 0, list: 1, on: 0 }]);
  assertEquals([...console.state.lists.get(1)!.subscribers], [listener.session.number]);
  assertEquals(holder.events.length, 1, "it is told nothing more");
  holder.session.closed();
  listener.session.closed();
  assertEquals(console.state.lists.size, 0);
});

Deno.test("a press that closes a subscriber that does not read is still an event for all others", async () => {
  const { open, console } = await connections();
  const dead = open();
  const listener = open();
  const holder = open();
  for (const { ask } of [dead, listener]) await ask(register(1), fill(1));
  dead.socket.bufferedAmount = 2 * 1024 * 1024;
  await holder.ask(press(1));
  assertEquals(dead.closedWith, [1013]);
  const list = () => console.state.lists.get(1);
  assertEquals([list()?.subscribers.size, list()?.held.size], [1, 1]);
  await holder.ask(rpc("pressextlist", { list: 1, entry: 0, on: 0 }));
  assertEquals(listener.events.map(({ on }) => on), [1, 0]);
  for (const { session } of [dead, listener, holder]) session.closed();
  assertEquals(console.state.lists.size, 0);
});

Deno.test("many clients that connect and disconnect in any way leave no list, button or connection", async () => {
  const configuration = demoWith({ limits: { connectionsPerAddress: 1000 } });
  await using service = await startService({ configuration });
  const { console, url } = service;
  const count = () => {
    get(console, "/general");
    return (console.state.tree.general as Branch)._activewebsockets;
  };
  const witness = await service.open();
  await witness.rpc("registerextlist", { list: 1 });
  await witness.rpc("setextlist", { list: 1, entries: [{ label: "Line" }] });
  // Many requests before, so that some of them wait when the connection ends.
  const messages = [
    ...Array.from({ length: 60 }, () => set),
    register(1),
    press(1),
    register(2),
    fill(2),
    press(2),
  ];
  const deaf: Disposable[] = [];
  const sendAll = async () => {
    const socket = await openRaw(`${url}/api/ws`);
    for (const message of messages) await socket.send(opcodes.text, message);
    return socket;
  };

  const visits: readonly (() => Promise<unknown>)[] = [
    async () => {
      const { send, close } = await openSocket(`${url.replace("http", "ws")}/api/ws`);
      messages.forEach(send);
      await close();
    },
    async () => {
      using _ = await sendAll();
    },
    async () => {
      using socket = await sendAll();
      await socket.next();
    },
    async () => {
      const socket = await sendAll();
      await socket.send(opcodes.text, "x".repeat(1024 * 1024 + 1));
      deaf.push(socket);
    },
    async () => {
      const { hostname, port, host } = new URL(url);
      using connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(new TextEncoder().encode(handshake(host, "/api/ws")));
    },
    async () => {
      const client = await service.open();
      await client.rpc("registerextlist", { list: 1 });
      await client.rpc("pressextlist", { list: 1, entry: 0, on: 1 });
      await client.close();
    },
  ];
  for (let wave = 0; wave < 2; wave++) {
    await Promise.all(Array.from({ length: 48 }, (_, at) => visits[at % visits.length]!()));
  }
  assertEquals(deaf.length, 16);
  await until(() => Number(count()) <= 17);
  const list = () => console.state.lists.get(1);
  await until(() => list()?.subscribers.size === 1 && list()?.held.size === 0);
  assertEquals([...console.state.lists.keys()], [1], "though the deaf have not answered our close");
  witness.send({ method: "get", msgID: "last", path: "/general/_uptime" });
  await until(() => witness.untaken.some(({ msgID }) => msgID === "last"));
  const presses = witness.untaken.filter(({ method }) => method === "event")
    .map(({ payload }) => payload.params.on);
  assert(presses.length > 0);
  assertEquals(presses, presses.map((_, at) => at % 2 === 0 ? 1 : 0), "each came up again");
  for (const socket of deaf) socket[Symbol.dispose]();
  await until(() => count() === 1);
  await witness.close();
  await until(() => count() === 0 && console.state.lists.size === 0);
});
