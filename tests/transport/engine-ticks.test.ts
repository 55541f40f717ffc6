/** The ticks in which a change reaches an engine, in simulated time and with simulated sockets. */
import { assert, assertEquals } from "@std/assert";
import { joinEngine } from "../../core/engine.ts";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { createFadeDriver } from "../../core/fades/fade-driver.ts";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { DEVICE } from "../../core/users/user.ts";
import { createSessions } from "../../transport/websocket/sessions.ts";
import { ample } from "../budgets.ts";
import { heldStore, type Json, result, stillClock, testConsole, until } from "../service.ts";
import { passingTime } from "../timers.ts";

const TICK_MS = 20;
const path = "/audio/mixers/0/faders/0/fader";
/** The updates of fade steps; those of the begin and end of a fade have no tick. */
const stepsIn = (came: readonly { readonly at: number; readonly message: Json }[]) =>
  came.filter(({ message }) => message.tick !== undefined);
const levelIn = ({ payload }: Json): number => payload.audio.mixers[0].faders[0].fader;

/** A console with an engine that has subscribed to mixer 0, and a client that sets. */
async function desk() {
  const store = heldStore();
  const console = await testConsole({ clock: stillClock(), store });
  const { timer, pass } = passingTime();
  const sessions = createSessions(console, { timer, scheduler: withoutPauses, budget: ample });
  const fadeDriver = createFadeDriver(console, timer);
  const open = () => {
    const came: { at: number; message: Json }[] = [];
    const session = sessions.open({
      bufferedAmount: 0,
      send: (text) => void came.push({ at: timer.monotonic(), message: JSON.parse(text) }),
      close() {},
    }, { address: "192.0.2.1", since: 0 });
    return { came, say: (message: object) => session.receive(JSON.stringify(message)) };
  };
  const engine = open();
  const client = open();
  engine.say({ method: "subscribe", path: "/audio/mixers/0" });
  await until(() => engine.came.length === 1);
  engine.came.length = 0;
  return { console, store, timer, pass, fadeDriver, engine, client };
}

Deno.test("a set reaches an engine in the tick in which it is stored", async () => {
  const { engine, client, timer, pass, fadeDriver } = await desk();
  for (let value = -20; value < -10; value++) {
    pass(7);
    const sent = timer.monotonic();
    client.say({ method: "set", path, payload: value });
    await until(() => engine.came.length > 0);
    const [{ at, message }] = engine.came.splice(0) as [{ at: number; message: Json }];
    assertEquals(levelIn(message), value);
    assert(at - sent <= TICK_MS, `${at - sent} ms`);
    assertEquals(message.tick, undefined, "it is not a step of a fade");
  }
  await fadeDriver.stop();
});

Deno.test("each step of a fade has its number, and comes one tick after the step before", async () => {
  const { console, engine, pass, fadeDriver } = await desk();
  pass(1003);
  for (const value of [-20, -80]) {
    await result(console, fadeToValue({ mixer: 0, fader: 0, value, seconds: 0.4 }));
    for (let ms = 0; ms < 600; ms++) pass(1);
    const steps = stepsIn(engine.came.splice(0));
    assertEquals(steps.length, 20);
    for (const [at, step] of steps.entries()) {
      const first = steps[0]!;
      assertEquals(step.message.tick, first.message.tick + at);
      assertEquals(step.at, first.at + at * TICK_MS);
      assertEquals(step.message.tick, Math.floor(step.at / TICK_MS), "20 ms each since the start");
    }
    assertEquals(levelIn(steps.at(-1)!.message), value);
    pass(1234);
  }
  await fadeDriver.stop();
});

Deno.test("the numbers of ticks grow from one fade to the next, and none comes twice", async () => {
  const { console, engine, pass, fadeDriver } = await desk();
  for (let run = 0; run < 50; run++) {
    await result(console, fadeToValue({ mixer: 0, fader: 0, value: -run, seconds: 0.04 }));
    for (let ms = 0; ms < 41 + run % 3; ms++) pass(1);
  }
  const ticks = stepsIn(engine.came).map(({ message }) => message.tick as number);
  assertEquals(ticks.length, 100);
  assert(ticks.every((tick, at) => at === 0 || tick > ticks[at - 1]!), ticks.join());
  await fadeDriver.stop();
});

Deno.test("a built-in engine is told of ticks, too", async () => {
  const { console, pass, fadeDriver } = await desk();
  const ticks: (number | undefined)[] = [];
  joinEngine(console, { apply: (_, tick) => ticks.push(tick), start() {} });
  console.dispatch(fadeToValue({ mixer: 0, fader: 0, value: -20, seconds: 0.1 }), DEVICE);
  pass(100);
  assertEquals(ticks.filter((tick) => tick !== undefined), [1, 2, 3, 4, 5]);
  await fadeDriver.stop();
});
