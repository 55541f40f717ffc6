import { assertEquals, assertThrows } from "@std/assert";
import type { Command } from "../../core/command.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { decodeRecord } from "../../core/record.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { durableChange } from "../../core/tree/treechanged.ts";
import { set } from "../../core/tree/set.ts";
import { demoWith, result, testConsole } from "../service.ts";
import { actor, resultOf, valueAt } from "./actors.ts";
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

const pot = (min: number, max: number) => ({ mixers: [], pots: [{ id: 1, min, max }] });
const level = "/audio/pots/1/value";
const labels = (...all: object[]) => ({ mixers: [{ faders: all }] });
const one = { inputs: [{ id: 1 }], outputs: [{ id: 1 }] };

/** Values that are set under one configuration, and values that another then reads. */
const otherwise: readonly {
  readonly what: string;
  readonly before: WrittenConfiguration;
  readonly sets: readonly (readonly [string, unknown])[];
  readonly after: WrittenConfiguration;
  readonly shows: readonly (readonly [string, unknown])[];
  readonly lacks?: readonly string[];
}[] = [
  {
    what: "only the mixers and faders that it has",
    before: { mixers: [{ faders: 4 }, { faders: 4 }] },
    sets: [
      ["/audio/mixers/0/faders", { 1: { fader: -1 }, 3: { fader: -3, label: "gone" } }],
      ["/audio/mixers/1/options", { directoffair: true }],
      ["/audio/mixers/0/faders/3/label", ""],
    ],
    after: { mixers: [{ faders: 2 }] },
    shows: [
      ["/audio/mixers/0/faders/1/fader", -1],
      ["/audio/mixers/0/faders/0/fader", -160],
    ],
    lacks: ["/audio/mixers/0/faders/2", "/audio/mixers/0/faders/3", "/audio/mixers/1"],
  },
  {
    what: "a new default where a label was reset",
    before: labels({ label: "Old" }, {}),
    sets: [
      [`${fader}/label`, "Anna"],
      [`${fader}/label`, ""],
      ["/audio/mixers/0/faders/1/label", "Bert"],
    ],
    after: labels({ label: "New" }, { label: "Newer" }),
    shows: [
      [`${fader}/label`, "New"],
      ["/audio/mixers/0/sourcelist", [
        { _defaultlabel: "New", _label: "New", _sourceid: 1 },
        { _defaultlabel: "Newer", _label: "Bert", _sourceid: 2 },
      ]],
    ],
  },
  {
    what: "a value within a range whose maximum is lower now",
    before: pot(-100, 20),
    sets: [[level, 15]],
    after: pot(-50, 10),
    shows: [[level, 10]],
  },
  {
    what: "a value within a range whose minimum is higher now",
    before: pot(-100, 20),
    sets: [[level, -90]],
    after: pot(-50, 10),
    shows: [[level, -50]],
  },
  {
    what: "no route from an input that is gone",
    before: demoWith({}),
    sets: [["/audio/routing/routes/1", "2"]],
    after: demoWith({ routing: one }),
    shows: [["/audio/routing/routes/1", ""]],
  },
];

for (const { what, before, sets, after, shows, lacks = [] } of otherwise) {
  Deno.test(`records read under another configuration show ${what}`, async () => {
    const { console, records } = await recorded(before);
    for (const [path, value] of sets) await result(console, set(path, value));
    const later = await replayed(records, after);
    for (const [path, value] of shows) assertEquals(valueAt(later, path), value as string, path);
    for (const path of lacks) assertThrows(() => valueAt(later, path), Error, path);
  });
}

Deno.test("snapshots from another configuration are kept whole", async () => {
  const { console, records } = await recorded({ mixers: [{ faders: 2 }, { faders: 4 }] });
  const what = { type: 2, mixer: 1, id: "", name: "four", writegroups: 1, readgroups: 0 } as const;
  await resultOf(console, saveSnapshot(what), actor(console, "admin"));
  const later = await replayed(records, { mixers: [{ faders: 1 }] });
  assertEquals([...later.state.snapshots.values()], [...console.state.snapshots.values()]);
});

Deno.test("the parts of a record that do not fit this console are left out", async () => {
  const { records } = await recorded();
  const patch = JSON.parse(`{ "__proto__": { "x": 1 }, "constructor": { "name": "x" },
    "of": { "__proto__": { "x": 1 } }, "general": { "_hardwareserial": 5, "_hourmeter": 7 },
    "audio": { "mixers": { "0": { "faders": { "0": { "label": 5, "on": "yes", "fader": 99 } } } } } }`);
  const bytes = new TextEncoder().encode(JSON.stringify([{ type: "valueskept", patch }]));
  const console = await replayed([...records, bytes]);
  assertEquals(valueAt(console, `${fader}/label`), "Host");
  assertEquals(valueAt(console, `${fader}/on`), false);
  assertEquals(valueAt(console, `${fader}/fader`), 10);
  assertEquals(valueAt(console, "/general/_hardwareserial"), "DEMO-0001");
  assertEquals(valueAt(console, "/general/_hourmeter"), 7);
  const { stored } = console.state;
  const below = stored["of"] as object;
  assertEquals([stored, below].map((one) => Object.hasOwn(one, "__proto__")), [false, false]);
});

Deno.test("a record of a later version or an unknown form is an Error that says so", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  assertThrows(() => decodeRecord(bytes('[{"type":"teleported"}]')), Error, '"teleported"');
  assertThrows(() => decodeRecord(bytes("[{")), Error, "not JSON");
  assertThrows(() => decodeRecord(bytes("{}")), Error, "not a list of events");
});
