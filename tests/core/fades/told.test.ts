/** What `fade` of a fader in the control tree says of the fade that runs. */
import { assertEquals } from "@std/assert";
import { set } from "../../../core/tree/set.ts";
import { find } from "../../../core/tree/tree.ts";
import { editor, levelOf, simulatedConsole } from "./simulated-console.ts";

/** A simulated console, with what it says of the fade of fader 0. */
function desk() {
  const made = simulatedConsole();
  const told = () => find(made.console.state.tree, "audio mixers 0 faders 0 fade".split(" "));
  return { ...made, told };
}

const still = { _from: -160, _to: -160, _time: 0 };

Deno.test("a fader says from where to where it fades, and in which time, until it is there", async () => {
  const { fade, told, time } = desk();
  assertEquals(told(), still);
  await fade({ value: -10, seconds: 2 });
  assertEquals(told(), { _from: -160, _to: -10, _time: 2 });
  time.runTo(1980);
  assertEquals(told(), { _from: -160, _to: -10, _time: 2 });
  time.runTo(2000);
  assertEquals(told(), { _from: -160, _to: -10, _time: 0 });
});

Deno.test("a fade that takes over from another says where it does", async () => {
  const { fade, level, told, time } = desk();
  await fade({ value: 0, seconds: 2 });
  time.runTo(1000);
  const there = level();
  await fade({ value: -40, seconds: 1 });
  assertEquals(told(), { _from: there, _to: -40, _time: 1 });
});

Deno.test("setting a moving fader clears its fade members", async () => {
  const { console, fade, told, time } = desk();
  await fade({ value: 0, seconds: 2 });
  time.runTo(1000);
  await console.dispatch(set(levelOf(), -3), editor);
  assertEquals(told(), { _from: -160, _to: 0, _time: 0 });
});

Deno.test("a fade of 0 s, and one that was never begun, say nothing", async () => {
  const { fade, told } = desk();
  await fade({ value: 0, seconds: 0 });
  assertEquals(told(), still);
});

Deno.test("the end of the program ends what faders say of their fades", async () => {
  const { fade, fadeDriver, told, time } = desk();
  await fade({ value: 0, seconds: 2 });
  time.runTo(1000);
  await fadeDriver.stop();
  assertEquals(told(), { _from: -160, _to: 0, _time: 0 });
});
