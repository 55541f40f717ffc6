import { assertEquals } from "@std/assert";
import type { Console } from "../../../core/console.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { setSnapshot } from "../../../core/snapshots/setsnapshot.ts";
import { type Branch, isBranch, type Tree } from "../../../core/tree/tree.ts";
import { set } from "../../../core/tree/set.ts";
import { result, testConsole } from "../../service.ts";
import { actor, resultOf, valueAt } from "../actors.ts";
import { dataOf, saved, verified } from "./saved.ts";

const mixer = "/audio/mixers/0";
const fader = `${mixer}/faders/0`;
const flex = "/audio/flexprocessings/0";

/** The paths of the leaves below a branch; a list is a leaf. */
function leaves(node: Tree, path = ""): string[] {
  return isBranch(node)
    ? Object.entries(node).flatMap(([member, value]) => leaves(value, `${path}/${member}`))
    : [path];
}

const contents: readonly (readonly [1 | 2 | 3, string])[] = [[1, fader], [2, mixer], [3, flex]];

for (const [type, path] of contents) {
  Deno.test(`a snapshot of type ${type} is the writable part of ${path}`, async () => {
    const console = await testConsole();
    const id = await saved(console, { type, mixer: 0, fader: 0, fp: 0 });
    const { content } = await dataOf(console, id);
    const writable = leaves(valueAt(console, path))
      .filter((leaf) => !/\/_|\/sourcelist$|\/again\/inc$/.test(leaf));
    assertEquals(leaves(content).toSorted(), writable.toSorted());
    for (const leaf of writable) {
      let value: Tree = content;
      for (const member of leaf.slice(1).split("/")) {
        value = (value as Record<string, Tree>)[member]!;
      }
      assertEquals(value, valueAt(console, path + leaf), leaf);
    }
  });
}

async function changed(console: Console, what: () => Promise<void>): Promise<unknown[]> {
  const patches: unknown[] = [];
  const stop = console.watch((event) => patches.push(event.type === "treechanged" && event.patch));
  await what();
  stop();
  return patches;
}

Deno.test("a load is one event, of the changed values and _lastloadedsnap", async () => {
  const console = await testConsole();
  const id = await saved(console, { type: 1, fader: 0, name: "Anna" });
  await result(console, set(fader, { fader: -3, params: { eq1: { on: true } }, label: "X" }));
  const patches = await changed(console, async () => {
    await resultOf(console, loadSnapshot({ id, fader: 0 }));
  });
  const back = { fader: -160, params: { eq1: { on: false } }, label: "Host" };
  const faders = { 0: { ...back, _lastloadedsnap: "Anna" } };
  assertEquals(patches, [
    { audio: { mixers: { 0: { faders, sourcelist: { 0: { _label: "Host" } } } } } },
  ]);
  assertEquals(
    await changed(console, async () => {
      await resultOf(console, loadSnapshot({ id, fader: 0 }));
    }),
    [],
  );
});

Deno.test("_lastloadedsnap of the mixer or fader is the name of the snapshot that it loaded", async () => {
  const console = await testConsole();
  const last = () =>
    [mixer, fader, `${mixer}/faders/1`, "/audio/mixers/1"]
      .map((path) => valueAt(console, `${path}/_lastloadedsnap`));
  assertEquals(last(), ["", "", "", ""]);
  const channel = await saved(console, { type: 1, fader: 5, name: "channel" });
  const whole = await saved(console, { name: "whole" });
  await resultOf(console, loadSnapshot({ id: channel, fader: 1 }));
  assertEquals(last(), ["", "", "channel", ""]);
  await resultOf(console, loadSnapshot({ id: whole, mixer: 1 }));
  assertEquals(last(), ["", "", "channel", "whole"]);
  await resultOf(console, loadSnapshot({ id: "default" }));
  assertEquals(last(), ["default", "", "channel", "whole"]);
});

Deno.test("_lastloadedsnapid of a mixer tells two snapshots of the same name apart", async () => {
  const console = await testConsole();
  const last = () =>
    ["_lastloadedsnap", "_lastloadedsnapid"].map((member) =>
      valueAt(console, `${mixer}/${member}`)
    );
  assertEquals(last(), ["", ""]);
  for (const id of [await saved(console, { name: "two" }), await saved(console, { name: "two" })]) {
    await resultOf(console, loadSnapshot({ id }));
    assertEquals(last(), ["two", id]);
  }
  await resultOf(console, loadSnapshot({ id: "default" }));
  assertEquals(last(), ["default", "default"]);
});

Deno.test("the default snapshot is called default, also when a save gives another name", async () => {
  const console = await testConsole();
  await saved(console, { id: "default", name: "Mine", writegroups: 3, readgroups: 1 });
  await result(console, set(`${fader}/on`, true));
  const { name, writegroups, readgroups, content } = await dataOf(console, "default");
  assertEquals([name, writegroups, readgroups], ["default", 0, 0]);
  assertEquals((content as Branch).options, valueAt(console, `${mixer}/options`));
  await resultOf(console, loadSnapshot({ id: "default" }));
  assertEquals(valueAt(console, `${mixer}/_lastloadedsnap`), "default");
});

Deno.test("the default snapshot is the configured mixer until it is saved", async () => {
  const console = await testConsole();
  const initial = valueAt(console, `${mixer}/faders`);
  await result(console, set(`${mixer}/faders`, { 0: { fader: -3 }, 7: { label: "X", on: true } }));
  await resultOf(console, loadSnapshot({ id: "default" }));
  assertEquals(valueAt(console, `${mixer}/faders`), initial);
  await result(console, set(`${fader}/fader`, -7));
  await saved(console, { id: "default" });
  await result(console, set(`${fader}/fader`, -9));
  await resultOf(console, loadSnapshot({ id: "default" }));
  assertEquals(valueAt(console, `${fader}/fader`), -7);
  assertEquals(valueAt(console, "/audio/mixers/1/_lastloadedsnap"), "");
});

Deno.test("a channel snapshot loads on any fader; members that the target lacks are skipped", async () => {
  const configuration = {
    mixers: [{ faders: 2, mutegroups: 4 }, { faders: 2, mutegroups: [1] }],
  };
  const console = await testConsole({ configuration });
  await result(console, set(fader, { fader: -3, mutegroups: { 0: true, 1: true, 3: true } }));
  const id = await saved(console, { type: 1, fader: 0 });
  await resultOf(console, loadSnapshot({ id, mixer: 1, fader: 1 }));
  assertEquals(valueAt(console, "/audio/mixers/1/faders/1/fader"), -3);
  assertEquals(valueAt(console, "/audio/mixers/1/faders/1/mutegroups"), { 1: true });
});

Deno.test("a processing snapshot loads on any flex processing", async () => {
  const console = await testConsole();
  await result(console, set(`${flex}/params/limiter`, { on: true, threshold: -9 }));
  const id = await saved(console, { type: 3, fp: 0 });
  await resultOf(console, loadSnapshot({ id, fp: 1 }));
  const limiter = valueAt(console, "/audio/flexprocessings/1/params/limiter");
  assertEquals(limiter, valueAt(console, `${flex}/params/limiter`));
  assertEquals(Object.keys(valueAt(console, "/audio/flexprocessings/1")), ["_name", "params"]);
});

for (const [from, to] of [[8, 3], [3, 8], [8, 1], [1, 8], [4, 4]] as const) {
  Deno.test(`a mixer snapshot of ${from} faders loads on a mixer of ${to}`, async () => {
    const source = await testConsole({ configuration: { mixers: [{ faders: from }] } });
    const target = await testConsole({ configuration: { mixers: [{ faders: to }] } });
    const ids = [...Array(Math.max(from, to)).keys()];
    const levels = (console: Console, count: number, dB: number) =>
      result(
        console,
        set(
          `${mixer}/faders`,
          Object.fromEntries(ids.slice(0, count).map((id) => [id, { fader: dB - id }])),
        ),
      );
    await levels(source, from, -10);
    await levels(target, to, -50);
    const data = JSON.parse(JSON.stringify(await dataOf(source, await saved(source, {}))));
    await resultOf(target, setSnapshot(await verified(target, data)), actor(target, "admin"));
    await resultOf(target, loadSnapshot({ id: data.id }));
    assertEquals(
      ids.slice(0, to).map((id) => valueAt(target, `${mixer}/faders/${id}/fader`)),
      ids.slice(0, to).map((id) => (id < from ? -10 : -50) - id),
    );
    assertEquals(Object.keys(valueAt(target, `${mixer}/faders`)).length, to);
  });
}

Deno.test("values of a factory snapshot are bounded, and values of a wrong type are skipped", async () => {
  const id = "0f0c0001-0000-4000-8000-000000000001";
  const content = JSON.parse(`{ "fader": 99, "on": "yes", "label": null, "pfl1": true,
    "_readystate": false, "params": { "gain": { "again": { "inc": 5, "value": 20 } }, "eq1": 1 },
    "nothing": { "x": 1 }, "__proto__": { "polluted": true }, "constructor": { "x": 1 } }`);
  const configuration = {
    mixers: [{ faders: 1 }],
    factorySnapshots: [{ id, type: 1 as const, name: "odd", content }],
  };
  const console = await testConsole({ configuration });
  await resultOf(console, loadSnapshot({ id, fader: 0 }));
  const fresh = await testConsole({ configuration });
  const { params: _, ...members } = valueAt(console, fader) as Record<string, Tree>;
  const { params: __, ...initial } = valueAt(fresh, fader) as Record<string, Tree>;
  const loaded = { fader: 10, pfl1: true, _lastloadedsnap: "odd" };
  assertEquals(members, { ...initial, ...loaded });
  assertEquals(valueAt(console, `${fader}/params/gain/again/value`), 20);
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("a set after a save does not alter the snapshot", async () => {
  const console = await testConsole();
  const id = await saved(console, {});
  const before = JSON.stringify(console.state.snapshots.get(id));
  await result(console, set(`${mixer}/faders`, { 0: { fader: -1 }, 1: { label: "X" } }));
  await resultOf(console, loadSnapshot({ id, mixer: 1 }));
  assertEquals(JSON.stringify(console.state.snapshots.get(id)), before);
});
