import { assertEquals, assertMatch } from "@std/assert";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import type { Console } from "../../../core/console.ts";
import { findChannel } from "../../../core/labels/channels.ts";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { loadNumbered, saveNumbered } from "../../../core/snapshots/numbered.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import type { Patch } from "../../../core/tree/tree.ts";
import { set } from "../../../core/tree/set.ts";
import { result, testConsole } from "../../service.ts";
import { actor, codeOf, refusalOf, restoring, resultOf, valueAt } from "../actors.ts";
import { checkpointOf, recordingStore } from "../stores.ts";

const channels = (...labels: [number, string][]) =>
  labels.map(([channel, label]) => ({ channel, label }));
const configuration: WrittenConfiguration = {
  mixers: [
    { faders: channels([11, "Host"], [12, "Guest"], [13, "Phone"]) },
    { faders: channels([21, "Desk"], [22, "Booth"]) },
  ],
};

async function recorded() {
  const store = recordingStore();
  const console = await testConsole({ configuration, store });
  const told: Patch[] = [];
  console.watch((event) => {
    if (event.type === "treechanged") told.push(event.patch);
  });
  return { console, store, told };
}

const at = (fader: number, mixer = 0) => `/audio/mixers/${mixer}/faders/${fader}`;

/** Sets faders of mixer 0. */
const setFaders = (console: Console, faders: object) =>
  result(console, set("/audio/mixers/0/faders", faders));

/** The channel and the label of each fader of a mixer. */
function shown(console: Console, mixer = 0): unknown[] {
  return Object.values(valueAt(console, `/audio/mixers/${mixer}/faders`))
    .map(({ sourceid, label, _defaultlabel }) => [sourceid, label, _defaultlabel]);
}

const labels = (console: Console, mixer = 0) =>
  Object.values(valueAt(console, `/audio/mixers/${mixer}/sourcelist`)).map(({ _label }) => _label);

Deno.test("the configuration gives the first assignment of channels", async () => {
  const { console } = await recorded();
  assertEquals(shown(console), [[11, "Host", "Host"], [12, "Guest", "Guest"], [
    13,
    "Phone",
    "Phone",
  ]]);
});

Deno.test("a fader's label and _defaultlabel follow its sourceid, and subscribers are told of all of it", async () => {
  const { console, told } = await recorded();
  await result(console, setChannelLabel(13, "Anna"));
  assertEquals(await result(console, set(`${at(0)}/sourceid`, 13)), 13);
  assertEquals(shown(console)[0], [13, "Anna", "Phone"]);
  const change = { sourceid: 13, label: "Anna", _defaultlabel: "Phone" };
  assertEquals(told.at(-1), { audio: { mixers: { 0: { faders: { 0: change } } } } });
  assertEquals(labels(console), ["Host", "Guest", "Anna"]);
});

Deno.test("two faders may carry one channel: its label shows on both, also when it is set on one of them", async () => {
  const { console, told } = await recorded();
  await result(console, set(`${at(1)}/sourceid`, 11));
  const answer = { label: "Anna", mixer: 0, sourceid: 11 };
  assertEquals(await result(console, setChannelLabel(11, "Anna")), answer);
  assertEquals(shown(console).slice(0, 2), [[11, "Anna", "Host"], [11, "Anna", "Host"]]);
  assertEquals(await result(console, set(at(1), { label: "Bert", on: true })), {
    label: "Bert",
    on: true,
  });
  assertEquals(told.at(-1), {
    audio: {
      mixers: {
        0: {
          faders: { 0: { label: "Bert" }, 1: { on: true, label: "Bert" } },
          sourcelist: { 0: { _label: "Bert" } },
        },
      },
    },
  });
  assertEquals(await result(console, set(`${at(1)}/label`, "")), "Host");
  assertEquals(shown(console).slice(0, 2), [[11, "Host", "Host"], [11, "Host", "Host"]]);
  const before = told.length;
  assertEquals(await result(console, set(`${at(0)}/label`, "")), "Host");
  assertEquals(told.length, before, "what is so already happens without an event");
});

Deno.test("channel and label set together: the label is the new channel's", async () => {
  const { console } = await recorded();
  assertEquals(await result(console, set(at(0), { label: "Eve", sourceid: 12 })), {
    label: "Eve",
    sourceid: 12,
  });
  assertEquals(labels(console), ["Host", "Eve", "Phone"]);
  assertEquals(await result(console, set(at(0), { label: "", sourceid: 13 })), {
    label: "Phone",
    sourceid: 13,
  });
  assertEquals(shown(console).slice(0, 2), [[13, "Phone", "Phone"], [12, "Eve", "Guest"]]);
});

Deno.test("sourceid 0 means no channel: the fader has no label and takes none, and no fader carries the channel", async () => {
  const { console } = await recorded();
  assertEquals(await result(console, set(at(0), { sourceid: 0, fader: -5 })), {
    sourceid: 0,
    fader: -5,
  });
  assertEquals(shown(console)[0], [0, "", ""]);
  const refused = await refusalOf(console, set(`${at(0)}/label`, "x"));
  assertEquals(refused.code, 3);
  assertMatch(refused.message, /^\/audio\/mixers\/0\/faders\/0\/label: .*no channel/);
  assertEquals(await codeOf(console, setChannelLabel(11, "x")), 6);
  assertEquals(await codeOf(console, setChannelLabel(0, "x")), 6);
  const admin = actor(console, "admin");
  const numbered = { type: 1, number: 1 } as const;
  assertEquals(await codeOf(console, saveNumbered(numbered, { sourceid: 11 }, "a"), admin), 6);
  assertEquals(await codeOf(console, saveNumbered(numbered, { sourceid: 12 }, "a"), admin), 0);
  assertEquals(await codeOf(console, loadNumbered(numbered, { sourceid: 11 })), 6);
});

for (const label of ["x", "Host"]) {
  Deno.test(`sourceid 0 cannot be set together with a label: ${label}, on a fader that shows Host`, async () => {
    const { console, told } = await recorded();
    const refused = await refusalOf(console, set(at(0), { sourceid: 0, label }));
    assertEquals(refused.code, 3);
    assertMatch(refused.message, /^\/audio\/mixers\/0\/faders\/0\/label: .*no channel/);
    assertEquals(shown(console)[0], [11, "Host", "Host"]);
    assertEquals(told, []);
  });
}

for (const sourceid of [10, 21, -1, 11.5, 65_536, 1e300]) {
  Deno.test(`a sourceid that is not in the mixer's sourcelist is error 3 in a set: ${sourceid}`, async () => {
    const { console, told } = await recorded();
    for (
      const [path, value] of [[`${at(1)}/sourceid`, sourceid], ["/audio/mixers/0/faders", {
        0: { on: true },
        1: { sourceid },
      }]] as const
    ) {
      const refused = await refusalOf(console, set(path, value));
      assertEquals(refused.code, 3);
      assertMatch(
        refused.message,
        /^\/audio\/mixers\/0\/faders\/1\/sourceid: expected 0 or a channel/,
      );
    }
    assertEquals(told, []);
  });
}

Deno.test("a call that names a channel means the first fader that carries it", async () => {
  const { console } = await recorded();
  const admin = actor(console, "admin");
  assertEquals(findChannel(console.state, 22), { mixer: 1, fader: 1 });
  await setFaders(console, { 0: { sourceid: 13 }, 2: { sourceid: 11 } });
  assertEquals(findChannel(console.state, 13), { mixer: 0, fader: 0 });
  await result(console, set(`${at(2)}/sourceid`, 13));
  assertEquals(findChannel(console.state, 13), { mixer: 0, fader: 0 });
  await result(console, set(at(0), { fader: -1 }));
  await result(console, set(at(2), { fader: -2 }));
  const numbered = { type: 1, number: 1 } as const;
  await resultOf(console, saveNumbered(numbered, { sourceid: 13 }, "a"), admin);
  await result(console, set(at(0), { fader: -30 }));
  await resultOf(console, loadNumbered(numbered, { sourceid: 13 }));
  assertEquals([0, 2].map((fader) => valueAt(console, `${at(fader)}/fader`)), [-1, -2]);
});

const save = { id: "", name: "kept", writegroups: 255, readgroups: 0 } as const;
const savedId = ({ state }: Console) => [...state.snapshots.keys()].at(-1)!;

Deno.test("loadsnapshot of a mixer brings back the channel of each fader, with its label", async () => {
  const { console } = await recorded();
  await setFaders(console, {
    0: { sourceid: 13, label: "Anna" },
    1: { sourceid: 13 },
    2: { sourceid: 0 },
  });
  await resultOf(console, saveSnapshot({ ...save, type: 2 }), actor(console, "admin"));
  const before = shown(console);
  assertEquals(before, [[13, "Anna", "Phone"], [13, "Anna", "Phone"], [0, "", ""]]);
  await setFaders(console, {
    0: { sourceid: 11 },
    1: { sourceid: 12 },
    2: { sourceid: 13, label: "Bert" },
  });
  await resultOf(console, loadSnapshot({ id: savedId(console) }));
  assertEquals(shown(console), before);
});

Deno.test("loadsnapshot of a channel brings its channel to any fader of the mixer", async () => {
  const { console } = await recorded();
  await result(console, setChannelLabel(11, "Anna"));
  await resultOf(console, saveSnapshot({ ...save, type: 1, fader: 0 }), actor(console, "admin"));
  await resultOf(console, loadSnapshot({ id: savedId(console), fader: 2 }));
  assertEquals(shown(console), [[11, "Anna", "Host"], [12, "Guest", "Guest"], [
    11,
    "Anna",
    "Host",
  ]]);
});

Deno.test("a load skips channels that the mixer does not have, with their labels", async () => {
  const { console } = await recorded();
  const admin = actor(console, "admin");
  await result(console, set(at(0), { label: "Anna", fader: -7 }));
  await resultOf(console, saveSnapshot({ ...save, type: 2 }), admin);
  await resultOf(console, loadSnapshot({ id: savedId(console), mixer: 1 }));
  await resultOf(console, saveSnapshot({ ...save, type: 1, fader: 0 }), admin);
  await resultOf(console, loadSnapshot({ id: savedId(console), mixer: 1, fader: 1 }));
  assertEquals(shown(console, 1), [[21, "Desk", "Desk"], [22, "Booth", "Booth"]]);
  assertEquals([0, 1].map((fader) => valueAt(console, `${at(fader, 1)}/fader`)), [-7, -7]);
});

Deno.test("a restart finds channels and labels, also of a channel that no fader carries", async () => {
  const { console, store } = await recorded();
  await result(console, setChannelLabel(11, "Anna"));
  await result(console, set(at(0), { sourceid: 12, label: "Bert" }));
  await result(console, set(`${at(1)}/sourceid`, 0));
  const found = [[12, "Bert", "Guest"], [0, "", ""], [13, "Phone", "Phone"]];
  for (const records of [store.records, checkpointOf(console.state)]) {
    const again = await testConsole({ configuration, records });
    assertEquals(shown(again), found);
    assertEquals(labels(again), ["Anna", "Bert", "Phone"]);
    // In another order, a label still belongs to its channel; the label of a lost channel is gone.
    const other = { mixers: [{ faders: channels([13, "P"], [11, "H"]) }] };
    const moved = await testConsole({ configuration: other, records });
    assertEquals(shown(moved), [[13, "P", "P"], [0, "", ""]]);
    assertEquals(labels(moved), ["P", "Anna"]);
  }
});

Deno.test("after another configuration a fader has the channel and the labels that a restart finds", async () => {
  const found: readonly [[number, string][], unknown[]][] = [
    [[], [11, "Host", "Host"]],
    [[[13, "Studio"]], [13, "Studio", "Studio"]],
  ];
  for (const [third, moved] of found) {
    const { console, store } = await recorded();
    await result(console, set(`${at(0)}/sourceid`, 13));
    const other = { mixers: [{ faders: channels([11, "Host"], [12, "Guest"], ...third) }] };
    const contents = { configuration: other, settings: {}, snapshots: {} };
    await result(console, restoring(console.state, contents));
    assertEquals(shown(console)[0], moved);
    const again = await testConsole({ configuration, records: store.records });
    assertEquals(shown(again), shown(console));
  }
});

Deno.test("a set of sourceid and label labels the new channel, also where the fader shows that label already", async () => {
  const { console } = await recorded();
  await result(console, setChannelLabel(12, "XX"));
  await result(console, set(`${at(0)}/label`, "B"));
  const asked = { sourceid: 12, label: "B" };
  assertEquals(await result(console, set(at(0), asked)), asked);
  assertEquals(shown(console).slice(0, 2), [[12, "B", "Guest"], [12, "B", "Guest"]]);
  assertEquals(labels(console), ["B", "B", "Phone"]);
});

Deno.test("loadsnapshot brings back channels that were swapped, under whichever labels they are now", async () => {
  const { console, told } = await recorded();
  await resultOf(console, saveSnapshot({ ...save, type: 2 }), actor(console, "admin"));
  const before = shown(console);
  await setFaders(console, { 0: { sourceid: 12 }, 1: { sourceid: 11 } });
  await setFaders(console, { 0: { label: "Host" }, 1: { label: "Guest" } });
  assertEquals(labels(console), ["Guest", "Host", "Phone"]);
  const load = loadSnapshot({ id: savedId(console) });
  await resultOf(console, load);
  assertEquals(shown(console), before);
  const { length } = told;
  await resultOf(console, load);
  assertEquals(told.length, length, "loading it again changes nothing");
});
