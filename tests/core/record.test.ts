import { assertEquals, assertThrows } from "@std/assert";
import type { Command } from "../../core/command.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { decodeRecord } from "../../core/record.ts";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { durableChange } from "../../core/tree/treechanged.ts";
import { set } from "../../core/tree/set.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { demoWith, result, testConsole, tokens } from "../service.ts";
import { actor, keptText, resultOf, valueAt } from "./actors.ts";
import { recordingStore } from "./stores.ts";

const fader = "/audio/mixers/0/faders/0";

async function recorded(configuration?: WrittenConfiguration) {
  const store = recordingStore();
  const console = await testConsole(configuration ? { store, configuration } : { store });
  return { store, console, records: store.records };
}

function replayed(records: readonly Uint8Array[], configuration?: WrittenConfiguration) {
  return testConsole(configuration ? { records, configuration } : { records });
}

Deno.test("replay of recorded bytes gives an equal state", async () => {
  const { console, records } = await recorded();
  const admin = actor(console, "admin");
  await result(
    console,
    set("/", {
      audio: { mixers: { 0: { faders: { 0: { fader: -20, label: "Anna" }, 1: { on: true } } } } },
      control: { labels: { 1: { label: "é\u2028😀" } }, logics: { 1: { value: true } } },
    }),
  );
  await result(console, set(`${fader}/params/gain/again/inc`, 12));
  await result(console, setChannelLabel(102, "Desk 2"));
  for (const name of ["first", "second"]) {
    const what = { type: 2, id: "", name, writegroups: 1, readgroups: 3 } as const;
    await resultOf(console, saveSnapshot(what), admin);
  }
  const [first, second] = [...console.state.snapshots.keys()].slice(-2);
  await resultOf(console, modifySnapshot({ id: first!, name: "1st", readgroups: 0 }), admin);
  await resultOf(console, removeSnapshot(second!), admin);
  await resultOf(console, loadSnapshot({ id: first!, mixer: 1 }), admin);
  const kept = { type: 2, id: "default", mixer: 1, writegroups: 1, readgroups: 0 } as const;
  await resultOf(console, saveSnapshot(kept), admin);
  await result(console, removeUser("none"));
  await result(console, addUser({ name: "none", groups: 8, admin: true, token: tokens.none }));
  assertEquals(keptText(await replayed(records)), keptText(console));
});

Deno.test("replay of a label put back to its default, and of one set to it", async () => {
  const { console, records } = await recorded();
  await result(console, set(`${fader}/label`, "Anna"));
  await result(console, set(`${fader}/label`, ""));
  assertEquals(keptText(await replayed(records)), keptText(console));
});

Deno.test("a value that is put back within one command is replayed so", async () => {
  const { console, records } = await recorded();
  const on = (value: boolean) => ({ audio: { mixers: { 0: { faders: { 0: { on: value } } } } } });
  const thereAndBack: Command<Record<string, never>> = (state) => ({
    events: [true, false].flatMap((value) => durableChange(state, on(value), on(value))),
    result: {},
  });
  await result(console, thereAndBack);
  assertEquals(valueAt(console, `${fader}/on`), false);
  assertEquals(valueAt(await replayed(records), `${fader}/on`), false);
});

Deno.test("a record of a console with more mixers and faders is fitted to one with fewer", async () => {
  const { console, records } = await recorded({ mixers: [{ faders: 4 }, { faders: 4 }] });
  await result(
    console,
    set("/audio/mixers", {
      0: { faders: { 1: { fader: -1 }, 3: { fader: -3, label: "gone" } } },
      1: { options: { directoffair: true } },
    }),
  );
  await result(console, setChannelLabel(4, ""));
  const smaller = await replayed(records, { mixers: [{ faders: 2 }] });
  assertEquals(valueAt(smaller, "/audio/mixers/0/faders/1/fader"), -1);
  assertEquals(Object.keys(valueAt(smaller, "/audio/mixers/0/faders")), ["0", "1"]);
  assertEquals(Object.keys(valueAt(smaller, "/audio/mixers")), ["0"]);
});

Deno.test("a default that is changed in the configuration shows where a label was reset", async () => {
  const { console, records } = await recorded({ mixers: [{ faders: [{ label: "Old" }, {}] }] });
  await result(console, set(`${fader}/label`, "Anna"));
  await result(console, set(`${fader}/label`, ""));
  await result(console, set("/audio/mixers/0/faders/1/label", "Bert"));
  const faders = [{ label: "New" }, { label: "Newer" }];
  const later = await replayed(records, { mixers: [{ faders }] });
  assertEquals(valueAt(later, `${fader}/label`), "New");
  assertEquals(valueAt(later, "/audio/mixers/0/sourcelist"), [
    { _defaultlabel: "New", _label: "New", _sourceid: 1 },
    { _defaultlabel: "Newer", _label: "Bert", _sourceid: 2 },
  ]);
});

Deno.test("a value is taken into a range that was narrowed", async () => {
  const pot = (min: number, max: number) => ({ mixers: [], pots: [{ id: 1, min, max }] });
  const { console, records } = await recorded(pot(-100, 20));
  await result(console, set("/audio/pots/1/value", 15));
  assertEquals(valueAt(await replayed(records, pot(-50, 10)), "/audio/pots/1/value"), 10);
  await result(console, set("/audio/pots/1/value", -90));
  assertEquals(valueAt(await replayed(records, pot(-50, 10)), "/audio/pots/1/value"), -50);
});

Deno.test("a route to an input that is gone is left out", async () => {
  const { console, records } = await recorded();
  await result(console, set("/audio/routing/routes/1", "2"));
  const routing = { inputs: [{ id: 1 }], outputs: [{ id: 1 }] };
  const later = await replayed(records, demoWith({ routing }));
  assertEquals(valueAt(later, "/audio/routing/routes/1"), "");
});

Deno.test("snapshots of a console that is configured otherwise are kept whole", async () => {
  const { console, records } = await recorded({ mixers: [{ faders: 2 }, { faders: 4 }] });
  const what = { type: 2, mixer: 1, id: "", name: "four", writegroups: 1, readgroups: 0 } as const;
  await resultOf(console, saveSnapshot(what), actor(console, "admin"));
  const later = await replayed(records, { mixers: [{ faders: 1 }] });
  assertEquals([...later.state.snapshots.values()], [...console.state.snapshots.values()]);
});

Deno.test("what of a record does not fit this console is left out", async () => {
  const { records } = await recorded();
  const patch = JSON.parse(`{ "__proto__": { "x": 1 }, "constructor": { "name": "x" },
    "general": { "_hardwareserial": 5, "_hourmeter": 7 },
    "audio": { "mixers": { "0": { "faders": { "0": { "label": 5, "on": "yes", "fader": 99 } } } } } }`);
  const bytes = new TextEncoder().encode(JSON.stringify([{ type: "valueskept", patch }]));
  const console = await replayed([...records, bytes]);
  assertEquals(valueAt(console, `${fader}/label`), "Host");
  assertEquals(valueAt(console, `${fader}/on`), false);
  assertEquals(valueAt(console, `${fader}/fader`), 10);
  assertEquals(valueAt(console, "/general/_hardwareserial"), "DEMO-0001");
  assertEquals(valueAt(console, "/general/_hourmeter"), 7);
});

Deno.test("a record of a later version, or none of ours, is an Error that says so", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  assertThrows(() => decodeRecord(bytes('[{"type":"teleported"}]')), Error, '"teleported"');
  assertThrows(() => decodeRecord(bytes("[{")), Error, "no JSON");
  assertThrows(() => decodeRecord(bytes("{}")), Error, "no list of events");
});
