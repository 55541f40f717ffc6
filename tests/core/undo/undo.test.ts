/** The steps of undo: their members, how they are kept and merged, and what an undo puts back. */
import { assertEquals } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import type { Console } from "../../../core/console.ts";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { UNDO_MERGE_MS, UNDO_STEPS } from "../../../core/limits.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { isIncrement, isLeafDefinition, type Ranges } from "../../../core/tree/leaf.ts";
import { set } from "../../../core/tree/set.ts";
import { type Branch, find, type Patch } from "../../../core/tree/tree.ts";
import { undoList, undoPreview } from "../../../core/undo/getundolist.ts";
import type { UndoStep } from "../../../core/undo/step.ts";
import { findStep, undo } from "../../../core/undo/undo.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import type { Actor } from "../../../core/users/user.ts";
import { demoWith, result, stillClock, testConsole } from "../../service.ts";
import { actor, codeOf, refusal, refusalOf, restoring, resultOf, valueAt } from "../actors.ts";
import { editor, levelOf, simulatedConsole } from "../fades/simulated-console.ts";
import { saved } from "../snapshots/saved.ts";

const FADER = "/audio/mixers/0/faders/0";
const OTHER = "/audio/mixers/0/faders/1";

/** A console with a still clock, and functions that call it as a user. */
async function desk() {
  const clock = stillClock();
  const console = await testConsole({ clock });
  const by = (name: string, call = "set"): Actor => ({ ...actor(console, name), call });
  const does = <Result>(command: Command<Result>, call = "set", name = "admin") =>
    resultOf(console, command, by(name, call));
  return { console, clock, by, does };
}

type Desk = Awaited<ReturnType<typeof desk>>;

const listed = (console: Console) =>
  undoList(console.undoSteps).map(({ what, values }) => [what, values]);
const newest = (console: Console) => console.undoSteps.at(-1)!;
const undoNewest = (console: Console, force = false) => undo(newest(console), force);

Deno.test("a step has its user, call, subject, time, and number of values", async () => {
  const { console, clock, does } = await desk();
  clock.tick(1000);
  const id = await saved(console, { type: 1, fader: 0, name: "Anna" });
  await does(set(FADER, { fader: -20, on: true }));
  await does(loadSnapshot({ id, fader: 0 }), "loadsnapshot");
  assertEquals(undoList(console.undoSteps), [
    {
      step: 2,
      at: "1970-01-01T00:00:01.000Z",
      user: "admin",
      what: "loadsnapshot",
      subject: "Anna",
      path: FADER,
      values: 2,
    },
    { step: 1, at: "1970-01-01T00:00:01.000Z", user: "admin", what: "set", path: FADER, values: 2 },
  ]);
});

Deno.test("an undo of a load restores all values, _lastloadedsnap too", async () => {
  const { console, does } = await desk();
  await does(set(FADER, { fader: -20, on: true, label: "Anna" }));
  const before = console.state.tree;
  const id = "0f0c0002-0000-4000-8000-000000000001";
  await does(loadSnapshot({ id }), "loadsnapshot");
  assertEquals(valueAt(console, `${FADER}/fader`), -160);
  const { left } = await does(undoNewest(console), "undo");
  assertEquals(left, []);
  assertEquals(console.state.tree, before);
});

Deno.test("an undo is a step itself: its own undo sets the values again", async () => {
  const { console, does } = await desk();
  await does(set(`${FADER}/fader`, -20));
  assertEquals(await does(undoNewest(console), "undo"), { restored: 1, left: [] });
  assertEquals(valueAt(console, `${FADER}/fader`), -160);
  assertEquals(newest(console).subject, "set by admin");
  assertEquals(await does(undoNewest(console), "undo"), { restored: 1, left: [] });
  assertEquals(valueAt(console, `${FADER}/fader`), -20);
});

Deno.test("a value that was changed after the step stays, and the answer names it; with force it goes back, too", async () => {
  const { console, does } = await desk();
  await does(set(FADER, { fader: -20, on: true }));
  const step = newest(console);
  await does(set(`${FADER}/fader`, -5), "set", "one");
  const left = { path: `${FADER}/fader`, was: -160, put: -20, now: -5 };
  assertEquals(undoPreview(console.state, step, actor(console, "admin")).preview, [
    { ...left, changed: true, needs: "operate" },
    { path: `${FADER}/on`, was: false, put: true, now: true, changed: false, needs: "operate" },
  ]);
  assertEquals(await does(undo(step, false), "undo"), { restored: 1, left: [left] });
  assertEquals(valueAt(console, `${FADER}/on`), false);
  assertEquals(valueAt(console, `${FADER}/fader`), -5);
  assertEquals(await does(undo(step, true), "undo"), { restored: 1, left: [] });
  assertEquals(valueAt(console, `${FADER}/fader`), -160);
});

Deno.test("an undo of a label changes it on every fader of its channel", async () => {
  const { console, does } = await desk();
  await result(console, set(`${OTHER}/sourceid`, 1));
  const before = console.state.tree;
  await does(setChannelLabel(1, "Anna"), "setchannellabel");
  assertEquals(valueAt(console, `${OTHER}/label`), "Anna");
  await does(undoNewest(console), "undo");
  assertEquals(console.state.tree, before);
});

Deno.test("an undo of sourceid shows the present label of the channel", async () => {
  const { console, does } = await desk();
  await does(set(`${FADER}/sourceid`, 2));
  await result(console, set(OTHER, { sourceid: 1, label: "Anna" }));
  await does(undoNewest(console), "undo");
  assertEquals(valueAt(console, `${FADER}/sourceid`), 1);
  assertEquals(valueAt(console, `${FADER}/label`), "Anna");
});

Deno.test("the sets of a fader that is being moved are one step, also while another fader is moved", async () => {
  const { console, clock, does } = await desk();
  for (let level = -60; level < -40; level++) {
    await does(set(`${FADER}/fader`, level));
    await does(set(`${OTHER}/fader`, level));
    clock.tick(UNDO_MERGE_MS);
  }
  assertEquals(listed(console), [["set", 1], ["set", 1]]);
  await does(undoNewest(console), "undo");
  assertEquals(valueAt(console, `${OTHER}/fader`), -160);
});

Deno.test("two sets of a key or of a label are two steps, whatever the time between them", async () => {
  const { console, does } = await desk();
  await does(set(FADER, { on: true, label: "Anna" }));
  for (const on of [false, true]) await does(set(`${FADER}/on`, on));
  await does(undoNewest(console), "undo");
  assertEquals(valueAt(console, `${FADER}/on`), false);
  for (const label of ["Bert", "Carl"]) await does(set(`${FADER}/label`, label));
  await does(undoNewest(console), "undo");
  assertEquals(valueAt(console, `${FADER}/label`), "Bert");
});

Deno.test("a fader that is moved and moved back makes no step", async () => {
  const { console, does } = await desk();
  await does(set(`${OTHER}/fader`, -30));
  for (const level of [-20, -160]) await does(set(`${FADER}/fader`, level));
  assertEquals(console.undoSteps.map(({ id }) => id), [1]);
  await does(set(`${FADER}/fader`, -10));
  await does(undoNewest(console), "undo");
  assertEquals(valueAt(console, `${FADER}/fader`), -160);
});

const apart: Readonly<Record<string, (desk: Desk) => unknown>> = {
  "more than 2 s lie between them": ({ clock }) => clock.tick(UNDO_MERGE_MS + 1),
  "the clock was set back in between": ({ clock }) => clock.tick(-UNDO_MERGE_MS - 1),
  "somebody else set it in between": ({ does }) => does(set(`${FADER}/fader`, -1), "set", "one"),
  "it was set with another value in between": ({ does }) =>
    does(set(FADER, { fader: -1, on: true })),
};
for (const [why, between] of Object.entries(apart)) {
  Deno.test(`two sets of a fader are two steps where ${why}`, async () => {
    const given = await desk();
    const { console, does } = given;
    await does(set(`${FADER}/fader`, -20));
    await between(given);
    const { length } = console.undoSteps;
    await does(set(`${FADER}/fader`, -10));
    assertEquals(console.undoSteps.length, length + 1);
  });
}

Deno.test("the last ten steps are kept; a change without a call makes no step", async () => {
  const { console, clock, does } = await desk();
  for (let level = 0; level <= UNDO_STEPS; level++) {
    await does(set(`${FADER}/fader`, -level));
    await result(console, set(`${OTHER}/fader`, -level));
    clock.tick(UNDO_MERGE_MS + 1);
  }
  const steps = console.undoSteps.map(({ id }) => id);
  assertEquals(steps, [...Array(UNDO_STEPS).keys()].map((index) => index + 2));
  assertEquals(refusal(findStep(console.undoSteps, 1)), {
    code: 6,
    message: "step: there is no step 1; the console keeps the last 10",
    parameter: "step",
  });
});

/** Another value for each leaf of a mixer, except channels and labels. */
function otherValues(node: Branch, ranges: Ranges): Patch {
  const values: Record<string, Patch[string]> = {};
  for (const [member, definition] of Object.entries(ranges)) {
    const value = node[member];
    if (member === "sourceid" || member === "label") continue;
    if (!isLeafDefinition(definition)) values[member] = otherValues(value as Branch, definition);
    else if (definition.type === "boolean") values[member] = value !== true;
    else if (definition.type === "number" && !isIncrement(definition)) {
      const { min = 0, max = 1 } = definition;
      values[member] = value === min ? max : min;
    }
  }
  return values;
}

for (const [faders, kept] of [[256, [[2, true]]], [512, [[1, false], [2, false]]]] as const) {
  Deno.test(`after two changes of all values of ${faders} faders ${faders === 256 ? "the last can" : "none can"} be undone`, async () => {
    const clock = stillClock();
    const console = await testConsole({ configuration: demoWith({ mixers: [{ faders }] }), clock });
    const by = { ...actor(console, "admin"), call: "set" };
    const path = ["audio", "mixers", "0"];
    for (let change = 0; change < 2; change++) {
      const { tree, ranges } = console.state;
      const values = otherValues(
        find(tree, path) as Branch,
        find(ranges as Branch, path) as unknown as Ranges,
      );
      await resultOf(console, set("/audio/mixers/0", values), by);
      clock.tick(UNDO_MERGE_MS + 1);
    }
    const isHeld = ({ id, changed }: UndoStep) => [id, changed !== undefined];
    assertEquals(console.undoSteps.map(isHeld), kept.map((one) => [...one]));
    const [step] = console.undoSteps;
    assertEquals(await codeOf(console, undo(step!, false), by), faders === 256 ? 0 : 11);
  });
}

for (const when of ["while it runs", "at its end"]) {
  Deno.test(`an undo of a fade ${when} sets the fader to the level where the fade began`, async () => {
    const { console, time, level } = simulatedConsole();
    await resultOf(console, set(levelOf(), -40), editor);
    const fade = fadeToValue({ mixer: 0, fader: 0, seconds: 1, value: -10 });
    await resultOf(console, fade, { ...editor, call: "fadetovalue" });
    time.runTo(when === "at its end" ? 2000 : 500);
    assertEquals(undoPreview(console.state, newest(console), editor).preview, [
      { path: levelOf(), was: -40, put: -10, now: level(), changed: false, needs: "operate" },
    ]);
    assertEquals(await resultOf(console, undoNewest(console), editor), { restored: 1, left: [] });
    time.runTo(4000);
    assertEquals(level(), -40);
  });
}

Deno.test("an undo of a fade does not move a fader that was set by hand during the fade", async () => {
  const { console, time, level } = simulatedConsole();
  const fade = fadeToValue({ mixer: 0, fader: 0, seconds: 1, value: -10 });
  await resultOf(console, fade, { ...editor, call: "fadetovalue" });
  time.runTo(500);
  await resultOf(console, set(levelOf(), -33), editor);
  const { restored } = await resultOf(console, undoNewest(console), editor);
  assertEquals([restored, level()], [0, -33]);
});

Deno.test("users may undo their own steps; an undo of another's step needs the right to set its values", async () => {
  const { console, does, by } = await desk();
  await result(console, addUser({ name: "op", groups: 1, admin: false, may: "operate" }));
  const id = await saved(console, { type: 1, fader: 0, name: "Anna" });
  await does(set(`${FADER}/fader`, -20));
  assertEquals(await codeOf(console, undoNewest(console), by("op", "undo")), 0);
  await does(set(`${FADER}/params/eq1/on`, true));
  const refused = await refusalOf(console, undoNewest(console), by("op", "undo"));
  assertEquals(refused, {
    code: 5,
    message: `user op may only operate, and ${FADER}/params/eq1/on needs the right to configure`,
  });
  await does(loadSnapshot({ id, fader: 0 }), "loadsnapshot", "op");
  assertEquals(await codeOf(console, undoNewest(console), by("op", "undo")), 0);
  assertEquals(valueAt(console, `${FADER}/params/eq1/on`), true);
});

Deno.test("the step of a removed user is not the own step of a later user of that name", async () => {
  const { console, clock, does, by } = await desk();
  const anna = { name: "anna", groups: 1, admin: false };
  await result(console, addUser({ ...anna, may: "configure" }));
  await does(set(`${FADER}/params/eq1/on`, true), "set", "anna");
  await result(console, removeUser("anna"));
  clock.tick(1);
  await result(console, addUser({ ...anna, may: "operate" }));
  const undone = undoPreview(console.state, newest(console), by("anna", "undo")).preview;
  assertEquals(undone?.map(({ needs }) => needs), ["configure"]);
  assertEquals(await codeOf(console, undoNewest(console), by("anna", "undo")), 5);
});

Deno.test("with force users put back only values that they may set, also in an undo of their own step", async () => {
  const { console, does, by } = await desk();
  await result(console, addUser({ name: "op", groups: 1, admin: false, may: "operate" }));
  await does(set(FADER, { sourceid: 2, on: true }));
  const id = await saved(console, { type: 1, fader: 0, name: "Anna" });
  await does(set(FADER, { sourceid: 1, on: false }));
  await does(loadSnapshot({ id, fader: 0 }), "loadsnapshot", "op");
  const step = newest(console);
  await does(set(`${FADER}/sourceid`, 3));
  const refused = await refusalOf(console, undo(step, true), by("op", "undo"));
  assertEquals(refused, {
    code: 5,
    message: `user op may only operate, and ${FADER}/sourceid needs the right to configure`,
  });
  assertEquals([valueAt(console, `${FADER}/sourceid`), valueAt(console, `${FADER}/on`)], [3, true]);
  const needed = undoPreview(console.state, step, by("op", "undo")).preview;
  assertEquals(needed?.map(({ path, needs }) => [path, needs]), [
    [`${FADER}/on`, "operate"],
    [`${FADER}/sourceid`, "configure"],
    [`${FADER}/label`, "operate"],
  ]);
  // Without force the source stays, and the key goes back.
  assertEquals(await codeOf(console, undo(step, false), by("op", "undo")), 0);
  assertEquals([valueAt(console, `${FADER}/sourceid`), valueAt(console, `${FADER}/on`)], [
    3,
    false,
  ]);
});

Deno.test("there is nothing to undo after the restore of a configuration", async () => {
  const { console, does } = await desk();
  await does(set(`${FADER}/fader`, -20));
  const configuration = { mixers: [{ faders: 1 }] };
  await result(console, restoring(console.state, { configuration, settings: {}, snapshots: {} }));
  assertEquals(console.undoSteps, []);
});
