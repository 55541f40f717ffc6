/** The times at which subscriptions get meters, in simulated time and with simulated sockets. */
import { assert, assertEquals } from "@std/assert";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { EVERYTHING } from "../../../core/engines/claim.ts";
import { takeReport } from "../../../core/engines/report.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import type { CooperativeScheduler } from "../../../core/ports.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { DEVICE, type User } from "../../../core/users/user.ts";
import { createSessions } from "../../../transport/websocket/sessions.ts";
import { ample } from "../../budgets.ts";
import { get } from "../../../core/tree/get.ts";
import { granted } from "../../core/actors.ts";
import { demoWith, type Json, result, stillClock, testConsole, until } from "../../service.ts";
import { passingTime } from "../../timers.ts";

/** Frees all unreferenced objects. */
async function collectGarbage() {
  setFlagsFromString("--expose-gc");
  // The target of a new weak reference is kept until the next turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve));
  runInNewContext("gc")();
}

async function listeners({ auth = "optional", scheduler = withoutPauses, ...options }: {
  readonly auth?: "optional" | "required";
  readonly scheduler?: CooperativeScheduler;
  readonly onWatcherFault?: (fault: unknown) => void;
} = {}) {
  const configuration = demoWith({ auth });
  const clock = stillClock();
  const console = await testConsole({ clock, configuration, ...options });
  const { timer, pass, pending } = passingTime();
  const sessions = createSessions(console, { timer, scheduler, budget: ample });
  pass(1000);

  function open(user?: User) {
    const sent: { at: number; message: Json }[] = [];
    const socket = {
      bufferedAmount: 0,
      send: (text: string) => void sent.push({ at: timer.monotonic(), message: JSON.parse(text) }),
      close() {},
    };
    const session = sessions.open(socket, { address: "192.0.2.1", since: 0, user });
    const answers = () => sent.filter(({ message }) => "success" in message);
    const ask = async (message: object) => {
      const before = answers().length;
      session.receive(JSON.stringify(message));
      await until(() => answers().length > before);
      return answers().at(-1)!.message;
    };
    return {
      socket,
      session,
      answers,
      subscribe: (path: string, wanted = {}) => ask({ method: "subscribe", path, ...wanted }),
      unsubscribe: (path: string) => ask({ method: "unsubscribe", path }),
      updates: () => sent.splice(0).filter(({ message }) => message.method === "update"),
    };
  }

  let level = -100;
  /** Reports one level of an engine, another value each time. */
  const report = () => {
    level += 0.001;
    console.dispatch(
      takeReport({ audio: { levels: { 1: { _left: level } } } }, [EVERYTHING]),
      DEVICE,
    );
  };
  /** Reports `perSecond` times a second, for a number of seconds. */
  const play = (seconds: number, perSecond: number) => {
    for (let reports = 0; reports < seconds * perSecond; reports++) {
      report();
      pass(1000 / perSecond);
    }
  };
  return { clock, console, sessions, timer, pass, pending, open, report, play };
}

Deno.test("a subscription gets meters at most 25 times a second, whatever the number of reports", async () => {
  for (const perSecond of [25, 50, 100, 1000]) {
    const { open, play } = await listeners();
    const { subscribe, updates } = open();
    await subscribe("/audio/levels");
    play(4, perSecond);
    const count = updates().length;
    assert(count >= 96 && count <= 101, `${count} of ${perSecond} a second`);
  }
});

Deno.test("the updates of a subscription are an interval apart, with the last value", async () => {
  for (const interval of [40, 100, 250, 1000]) {
    const { open, play, pass, console } = await listeners();
    const { subscribe, updates } = open();
    await subscribe("/audio/levels", { interval });
    play(5, 50);
    pass(1000);
    const came = updates();
    const apart = came.slice(1).map(({ at }, index) => at - came[index]!.at);
    assert(apart.every((ms) => ms >= interval - 10), apart.join());
    const most = 5000 / interval;
    assert(came.length >= most && came.length <= most + 2, `${came.length} in ${interval} ms`);
    const { _left } = (console.state.tree as Json).audio.levels[1];
    assertEquals(came.at(-1)!.message.payload, { audio: { levels: { 1: { _left } } } });
  }
});

Deno.test("a meter that moves after a pause is sent at once", async () => {
  const { open, report, pass, play, timer } = await listeners();
  const { subscribe, updates } = open();
  await subscribe("/audio/levels");
  report();
  pass(5000);
  updates();
  report();
  assertEquals(updates().map(({ at }) => at), [timer.monotonic()]);
  play(1, 100);
  const count = updates().length;
  assertEquals(count <= 26, true, `nothing is caught up on: ${count}`);
});

Deno.test("if a login is required, a connection whose token has expired gets no meters", async () => {
  const { clock, console, open, report, pass } = await listeners({ auth: "required" });
  await result(console, modifyUser({ name: "one", expires: new Date(1000).toISOString() }));
  pass(1);
  const { subscribe, updates } = open(console.state.users.get("one"));
  assertEquals((await subscribe("/audio/levels")).success, true);
  report();
  assertEquals(updates().length, 1);
  clock.tick(1000);
  report();
  // The connection is closed at the end of the second.
  pass(100);
  assertEquals(updates(), []);
});

Deno.test("while meters are being sent step by step, no second round begins", async () => {
  const works: Iterator<unknown>[] = [];
  const run = (work: Iterator<unknown>) => {
    works.push(work);
    return new Promise<never>(() => {});
  };
  const { open, play, pass } = await listeners({
    scheduler: { ...withoutPauses, run: run as CooperativeScheduler["run"] },
  });
  const { subscribe, updates } = open();
  await subscribe("/audio/levels");
  play(1, 25);
  assertEquals(works.length, 1);
  while (works[0]!.next().done !== true);
  assertEquals(updates().length, 1);
  pass(100);
  assertEquals(works.length, 2);
});

Deno.test("a socket that throws once at a meter is reported, and ends the meters of no client", async () => {
  const faults: unknown[] = [];
  const { open, play, report, pass } = await listeners({
    onWatcherFault: (fault) => faults.push(fault),
  });
  const clients = [open(), open()];
  for (const { subscribe } of clients) await subscribe("/audio/levels");
  const { socket } = clients[0]!;
  const { send } = socket;
  const fault = new Error("a bug of a transport");
  socket.send = () => {
    socket.send = send;
    throw fault;
  };
  report();
  await until(() => faults.length > 0);
  assertEquals(faults, [fault]);
  assertEquals(clients.map(({ updates }) => updates().length), [0, 1]);
  pass(1000);
  play(1, 25);
  for (const { updates } of clients) {
    const count = updates().length;
    assert(count >= 24, `${count} a second`);
  }
});

Deno.test("a report of a known form is refused as soon as its user is not an engine any more", async () => {
  const { console, open } = await listeners();
  await result(console, modifyUser({ name: "one", engine: true }));
  const { session, answers } = open(console.state.users.get("one"));
  const report = (level: number) => {
    const payload = { audio: { levels: { 1: { _left: level } } } };
    session.receive(JSON.stringify({ method: "report", payload }));
  };
  report(-20);
  report(-21);
  assertEquals(answers(), []);
  await result(console, modifyUser({ name: "one", engine: false }));
  report(-22);
  assertEquals(answers().map(({ message }) => message.error.code), [5]);
  const { value } = granted(get(console, "/audio/levels/1/_left"));
  assertEquals(value, -21);
});

Deno.test("the reports of an interval are merged, and one text is made for all subscriptions of a path", async () => {
  const { open, report, pass, console } = await listeners();
  const clients = Array.from({ length: 16 }, open);
  for (const { subscribe } of clients) await subscribe("/", { meters: true });
  report();
  for (const { updates } of clients) updates();
  const { stringify } = JSON;
  let texts = 0;
  JSON.stringify = (value: unknown) => {
    texts++;
    return stringify(value);
  };
  report();
  console.dispatch(
    takeReport({ audio: { levels: { 1: { _right: -3, _correlation: 1 } } } }, [EVERYTHING]),
    DEVICE,
  );
  report();
  pass(100);
  JSON.stringify = stringify;
  assertEquals(texts, 1);
  const { _left } = (console.state.tree as Json).audio.levels[1];
  const payload = { audio: { levels: { 1: { _left, _right: -3, _correlation: 1 } } } };
  for (const { updates } of clients) {
    assertEquals(updates().map(({ message }) => message), [{ method: "update", payload }]);
  }
});

Deno.test("an earlier tree is not kept in memory, except for the meters sent to a subscription", async () => {
  const { open, report, pass, console } = await listeners();
  const { subscribe, updates } = open();
  await subscribe("/audio/levels/1", { interval: 10_000 });
  report();
  assertEquals(updates().length, 1);
  const [tree, levels] = ((tree: Json) => [new WeakRef(tree), new WeakRef(tree.audio.levels)])(
    console.state.tree,
  );
  report();
  pass(100);
  assertEquals(updates(), [], "it is told of this one later");
  await collectGarbage();
  assertEquals([tree!.deref() === undefined, levels!.deref() === undefined], [true, true]);
});

Deno.test("a second subscription to the same path replaces the first", async () => {
  const { open, play } = await listeners();
  const { subscribe, updates } = open();
  await subscribe("/audio", { meters: true });
  await subscribe("/audio", { meters: true, interval: 500 });
  play(5, 25);
  const count = updates().length;
  assertEquals(count >= 10 && count <= 11, true, String(count));
  await subscribe("/audio");
  play(1, 25);
  assertEquals(updates(), []);
});

Deno.test("a meter that was not sent yet is sent after another interval, although it rests since", async () => {
  const { console, open, report, pass } = await listeners();
  const { subscribe, updates } = open();
  await subscribe("/audio/levels", { interval: 1000 });
  report();
  pass(100);
  report();
  assertEquals(updates().length, 1);
  await subscribe("/audio/levels", { interval: 40 });
  pass(5000);
  const { _left } = (console.state.tree as Json).audio.levels[1];
  assertEquals(updates().map(({ message }) => message.payload), [{
    audio: { levels: { 1: { _left } } },
  }]);
});

Deno.test("after another interval no value is sent that is older than the one sent last", async () => {
  const { console, open, report, pass } = await listeners();
  const slow = open();
  const { subscribe, updates } = open();
  await slow.subscribe("/audio/levels", { interval: 1000 });
  await subscribe("/audio/levels", { interval: 40 });
  report();
  pass(100);
  report();
  const { _left } = (console.state.tree as Json).audio.levels[1];
  assertEquals(updates().at(-1)!.message.payload.audio.levels[1]._left, _left);
  await subscribe("/audio/levels", { interval: 1000 });
  pass(5000);
  for (const { message } of updates()) {
    assertEquals(message.payload.audio.levels[1]._left, _left);
  }
});

Deno.test("after another interval a meter that moves back to its earlier value is sent", async () => {
  const { console, open, pass } = await listeners();
  const report = (_left: number) =>
    console.dispatch(takeReport({ audio: { levels: { 1: { _left } } } }, [EVERYTHING]), DEVICE);
  const slow = open();
  const { subscribe, updates } = open();
  await slow.subscribe("/audio/levels", { interval: 1000 });
  await subscribe("/audio/levels", { interval: 40 });
  for (const level of [-60, -10]) {
    report(level);
    pass(100);
  }
  await subscribe("/audio/levels", { interval: 1000 });
  report(-60);
  pass(5000);
  assertEquals(updates().at(-1)!.message.payload.audio.levels[1]._left, -60);
});

for (
  const [what, before] of [
    ["gets another interval", 10_000],
    ["subscribes again", 1000],
    ["subscribes", undefined],
  ] as const
) {
  Deno.test(`a client that ${what} while others are told is sent nothing older, and misses nothing`, async () => {
    const works: Iterator<unknown>[] = [];
    const run = (work: Iterator<unknown>) => {
      works.push(work);
      return new Promise<never>(() => {});
    };
    const scheduler = { ...withoutPauses, run: run as CooperativeScheduler["run"] };
    for (let steps = 0, isOver = false; !isOver; steps++) {
      works.length = 0;
      const { console, open, pass } = await listeners({ scheduler });
      const report = (_left: number) =>
        console.dispatch(takeReport({ audio: { levels: { 1: { _left } } } }, [EVERYTHING]), DEVICE);
      const finish = () => {
        while (works.at(-1)!.next().done !== true);
      };
      const others = open();
      const { subscribe, updates } = open();
      const levels = () =>
        updates().map(({ message }) => message.payload.audio.levels[1]._left as number);
      await others.subscribe("/audio/levels", { interval: 1000 });
      if (before !== undefined) await subscribe("/audio/levels", { interval: before });
      report(-60);
      for (let step = 0; step < steps; step++) isOver = works[0]!.next().done === true;
      report(-10);
      levels();
      await subscribe("/audio/levels", { interval: 1000 });
      finish();
      assertEquals(levels().filter((level) => level !== -10), [], `after ${steps} steps`);
      report(-60);
      // The turn that began before its interval was over tells it nothing.
      for (let turns = 0; turns < 2; turns++) {
        pass(1000);
        finish();
      }
      assertEquals(levels().at(-1), -60, `after ${steps} steps`);
    }
  });
}

Deno.test("a subscription that is repeated with the same interval is sent nothing before its time", async () => {
  const { open, report, pass } = await listeners();
  const other = open();
  const { subscribe, updates } = open();
  for (const one of [other.subscribe, subscribe]) await one("/audio/levels", { interval: 1000 });
  report();
  pass(100);
  updates();
  report();
  await subscribe("/audio/levels", { interval: 1000 });
  assertEquals(updates(), []);
});

Deno.test("a client that unsubscribed or disconnected gets no meters, and then no timer waits", async () => {
  const { open, play, report, sessions, pending } = await listeners();
  const one = open();
  const other = open();
  for (const { subscribe } of [one, other]) await subscribe("/audio/levels");
  assertEquals(sessions.hearMeters(), true);
  play(1, 25);
  one.updates();
  await one.unsubscribe("/audio/levels");
  report();
  report();
  other.session.closed();
  assertEquals([sessions.hearMeters(), one.updates()], [false, []]);
  one.session.closed();
  assertEquals(pending(), 0);
});

Deno.test("interval is an integer of 40 to 10000 ms", async () => {
  const { open } = await listeners();
  const { subscribe } = open();
  for (const interval of [39, 10_001, 40.5, "100", null, -1]) {
    const { success, error } = await subscribe("/audio/levels", { interval });
    const got = JSON.stringify(interval);
    const message = `interval: expected an integer from 40 to 10000, got ${got}`;
    assertEquals([success, error], [false, { code: 3, message }]);
  }
  for (const interval of [40, 10_000]) {
    assertEquals((await subscribe("/general", { interval })).success, true);
  }
});
