/** The branch `fade` of a fader in the control tree: begin, goal and time of the running fade. */
import { assertEquals } from "@std/assert";
import { set } from "../../../core/tree/set.ts";
import { find } from "../../../core/tree/tree.ts";
import { editor, levelOf, simulatedConsole } from "./simulated-console.ts";

/** A simulated console, with `told`: the branch `fade` of fader 0. */
function desk() {
  const made = simulatedConsole();
  const told = () => find(made.console.state.tree, "audio mixers 0 faders 0 fade".split(" "));
  return { ...made, told };
}

const still = { _from: -160, _to: -160, _time: 0 };

Deno.test("fade has _from, _to and _time of the running fade until its end", async () => {
  const { fade, told, time } = desk();
  assertEquals(told(), still);
  await fade({ value: -10, seconds: 2 });
  assertEquals(told(), { _from: -160, _to: -10, _time: 2 });
  time.runTo(1980);
  assertEquals(told(), { _from: -160, _to: -10, _time: 2 });
  time.runTo(2000);
  assertEquals(told(), { _from: -160, _to: -10, _time: 0 });
});

Deno.test("a fade that replaces another has the level of that moment as _from", async () => {
  const { fade, level, told, time } = desk();
  await fade({ value: 0, seconds: 2 });
  time.runTo(1000);
  const there = level();
  await fade({ value: -40, seconds: 1 });
  assertEquals(told(), { _from: there, _to: -40, _time: 1 });
});

Deno.test("a fade that replaces another between two ticks has the level of the next tick, where it starts, as _from", async () => {
  const { changes, fade, level, told, time } = desk();
  await fade({ value: 0, seconds: 2 });
  time.runTo(1007);
  await fade({ value: -40, seconds: 1 });
  const before = told();
  time.runTo(1020);
  assertEquals(changes.at(-1)?.at, 1020);
  assertEquals(before, { _from: level(), _to: -40, _time: 1 });
});

Deno.test("a set of a moving fader sets _time of fade to 0", async () => {
  const { console, fade, told, time } = desk();
  await fade({ value: 0, seconds: 2 });
  time.runTo(1000);
  await console.dispatch(set(levelOf(), -3), editor);
  assertEquals(told(), { _from: -160, _to: 0, _time: 0 });
});

Deno.test("a fade of 0 s does not change the branch fade", async () => {
  const { fade, told } = desk();
  await fade({ value: 0, seconds: 0 });
  assertEquals(told(), still);
});

Deno.test("a stop of the service sets _time of fade to 0", async () => {
  const { fade, fadeDriver, told, time } = desk();
  await fade({ value: 0, seconds: 2 });
  time.runTo(1000);
  await fadeDriver.stop();
  assertEquals(told(), { _from: -160, _to: 0, _time: 0 });
});
