/** A console of the library with an engine of its own: how its owner ends it. */
import { assert, assertEquals } from "@std/assert";
import {
  createBudget,
  createConsole,
  createCooperativeScheduler,
  createEndingTimer,
  createFadeDriver,
  createService,
  createSessions,
  demoConfiguration,
  DEVICE,
  type Engine,
  initialState,
  joinEngine,
  type Patch,
  readConfiguration,
  set,
} from "../mod.ts";
import { passingTime } from "./timers.ts";

Deno.test("nothing of a console wakes once the timer of its owner has ended", async () => {
  const { timer: machineTimer, pass, pending } = passingTime();
  const timer = createEndingTimer(machineTimer);
  const clock = { now: timer.monotonic, monotonic: timer.monotonic };
  const read = readConfiguration(demoConfiguration);
  assert("configuration" in read);
  const desk = createConsole({
    state: initialState(read.configuration),
    store: { append: () => Promise.resolve() },
    clock,
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  });
  const applied: Patch[] = [];
  const engine: Engine = { start() {}, apply: (patch) => void applied.push(patch) };
  joinEngine(desk, engine);
  const fadeDriver = createFadeDriver(desk, timer);
  const scheduler = createCooperativeScheduler(clock, queueMicrotask);
  const budget = createBudget(() => desk.state.configuration.limits.memory);
  const sessions = createSessions(desk, { timer, scheduler, budget });
  createService({ console: desk, sessions, clock, timer, scheduler, budget });
  pass(3000);
  await desk.dispatch(set("/audio/mixers/0/faders/0/fader", -20), DEVICE);
  assertEquals(applied, [{ audio: { mixers: { 0: { faders: { 0: { fader: -20 } } } } } }]);
  assert(pending() > 0, "the history reads the meters");

  sessions.closeAll(1001, "the program ends");
  await fadeDriver.stop();
  timer.end();
  assertEquals(pending(), 0);
  timer.at(0, () => assert(false, "it wakes after its end"));
  assertEquals(pending(), 0);
});
