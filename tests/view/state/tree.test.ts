/** The page's copy of the control tree: signals, and the fewest subscriptions for them. */
import { assertEquals } from "@std/assert";
import type { Subscriber } from "../../../client/client.ts";
import { bundled } from "../../../tools/esbuild.ts";
import { temporaryFolder } from "../../program/faderd.ts";

const root = new URL("../../../", import.meta.url);

/** Bundles the module with the signals that it uses: only the page has their package. */
async function load() {
  await using folder = await temporaryFolder();
  const entry = `${folder.path}/entry.ts`;
  const tree = JSON.stringify(new URL("view/state/tree.ts", root).pathname);
  const text = `export { createTree } from ${tree}; export { effect } from "@preact/signals";`;
  Deno.writeTextFileSync(entry, text);
  const output = `${folder.path}/out.js`;
  const { code } = await bundled(entry, { config: "deno.web.json", lock: "view/deno.lock" });
  Deno.writeTextFileSync(output, code);
  return await import(`file://${output}`) as {
    createTree(ports: Ports): Tree;
    effect(act: () => void): () => void;
  };
}

type Told = Subscriber<unknown, unknown>;

interface Ports {
  subscribe(path: string, subscriber: Told, extent?: object): () => void;
  read(path: string): Promise<unknown>;
}

interface Tree {
  at(path: string): { readonly value: unknown };
  follow(path: string, extent?: object): () => void;
  restart(): void;
  renew(): void;
}

const { createTree, effect } = await load();

const FADER = "/audio/mixers/0/faders/3";
const mixer = { faders: { 3: { fader: -10, on: true }, 4: { fader: -20, on: false } } };

/** A tree whose subscriptions the test observes and answers. */
function watchedTree() {
  const open = new Map<string, Told>();
  /** The paths that were read, each with the function that answers the read. */
  const reads = new Map<string, (value: unknown) => void>();
  const tree = createTree({
    subscribe(path, subscriber) {
      open.set(path, subscriber);
      return () => open.delete(path);
    },
    read: (path) => new Promise((resolve) => void reads.set(path, resolve)),
  });
  /** Starts a reader of a path: returns the values that it has seen, and a function to end it. */
  const reader = (path: string) => {
    const seen: unknown[] = [];
    const stop = effect(() => void seen.push(tree.at(path).value));
    return { seen, stop };
  };
  return { tree, open, reads, reader };
}

const settled = () => new Promise<void>((resolve) => queueMicrotask(resolve));

Deno.test("a path is subscribed to while it has a reader", async () => {
  const { open, reader } = watchedTree();
  const one = reader(`${FADER}/fader`);
  const other = reader(`${FADER}/fader/`);
  await settled();
  assertEquals([...open.keys()], [`${FADER}/fader`]);
  open.get(`${FADER}/fader`)!.whole(-10);
  open.get(`${FADER}/fader`)!.change(-11);
  assertEquals([one.seen, other.seen], [[undefined, -10, -11], [undefined, -10, -11]]);
  one.stop();
  await settled();
  assertEquals(open.size, 1);
  other.stop();
  await settled();
  assertEquals(open.size, 0);
});

Deno.test("of nested paths only the outermost is subscribed to, whichever is read first", async () => {
  const { tree, open, reader } = watchedTree();
  const fader = reader(`${FADER}/fader`);
  const stop = tree.follow("/audio/mixers/0");
  const on = reader(`${FADER}/on`);
  await settled();
  assertEquals([...open.keys()], ["/audio/mixers/0"]);
  open.get("/audio/mixers/0")!.whole(mixer);
  assertEquals([fader.seen, on.seen], [[undefined, -10], [undefined, true]]);
  const later = reader("/audio/mixers/0/faders/4/fader");
  assertEquals(later.seen, [-20]);
  stop();
  later.stop();
  await settled();
  assertEquals([...open.keys()].sort(), [`${FADER}/fader`, `${FADER}/on`]);
  fader.stop();
  on.stop();
});

Deno.test("a change reaches only the readers whose value it changes", async () => {
  const { tree, open, reader } = watchedTree();
  tree.follow("/audio/mixers/0");
  const three = reader(`${FADER}/fader`);
  const four = reader("/audio/mixers/0/faders/4/fader");
  const whole = reader(FADER);
  await settled();
  const { whole: tell, change } = open.get("/audio/mixers/0")!;
  tell(mixer);
  change({ faders: { 3: { fader: -9 } } });
  change({ faders: { 3: { fader: -9 } } });
  assertEquals(three.seen, [undefined, -10, -9]);
  assertEquals(four.seen, [undefined, -20]);
  assertEquals(whole.seen.at(-1), { fader: -9, on: true });
});

Deno.test("a reader of a list patched by item gets the whole list", async () => {
  const { open, reader } = watchedTree();
  const labels = reader("/audio/mixers/0/sourcelist");
  await settled();
  const { whole, change } = open.get("/audio/mixers/0/sourcelist")!;
  whole([{ _label: "A" }, { _label: "B" }]);
  change({ 1: { _label: "C" } });
  change([{ _label: "D" }]);
  assertEquals(labels.seen.slice(1), [[{ _label: "A" }, { _label: "B" }], [{ _label: "A" }, {
    _label: "C",
  }], [{ _label: "D" }]]);
});

Deno.test("a value that the console refuses or no longer has is undefined", async () => {
  const { open, reader } = watchedTree();
  const gone = reader("/control/extlists/9");
  await settled();
  const { whole, ended } = open.get("/control/extlists/9")!;
  whole({ _exists: true });
  ended(new Error("no such path") as never);
  assertEquals(gone.seen, [undefined, { _exists: true }, undefined]);
});

Deno.test("after a restart all read paths are subscribed to again, and known values stay until the answers", async () => {
  const { tree, open, reader } = watchedTree();
  const fader = reader(`${FADER}/fader`);
  await settled();
  open.get(`${FADER}/fader`)!.whole(-10);
  open.clear();
  tree.restart();
  assertEquals([[...open.keys()], fader.seen], [[`${FADER}/fader`], [undefined, -10]]);
  open.get(`${FADER}/fader`)!.whole(-12);
  assertEquals(fader.seen, [undefined, -10, -12]);
});

const FADERS = "/audio/mixers/0/faders";
const STRIPS = { depth: 2, only: ["label"] };
const strips = { 3: { label: "Host" }, 4: { label: "Guest" } };

Deno.test("watched values missing from a partly read branch are read once", async () => {
  const { tree, open, reads, reader } = watchedTree();
  tree.follow(FADERS, STRIPS);
  const label = reader(`${FADER}/label`);
  const eq = reader(`${FADER}/params/eq1`);
  const gain = reader(`${FADER}/params/eq1/gain`);
  await settled();
  assertEquals([[...open.keys()], reads.size], [[FADERS], 0]);
  open.get(FADERS)!.whole(strips);
  assertEquals([...reads.keys()], [`${FADER}/params/eq1`]);
  open.get(FADERS)!.change({ 3: { params: { eq1: { on: true } } } });
  reads.get(`${FADER}/params/eq1`)!({ on: true, gain: 3 });
  await settled();
  await settled();
  assertEquals([label.seen.at(-1), gain.seen.at(-1)], ["Host", 3]);
  assertEquals(eq.seen.at(-1), { on: true, gain: 3 });
  open.get(FADERS)!.change({ 3: { params: { eq1: { gain: 4 } } } });
  assertEquals([gain.seen.at(-1), eq.seen.at(-1)], [4, { on: true, gain: 4 }]);
  reads.clear();
  reader(`${FADER}/params/eq1/on`);
  reader(FADERS);
  reader(`${FADERS}/4/on`);
  await settled();
  assertEquals([...reads.keys()], [`${FADERS}/4/on`]);
});

Deno.test("after a loss of the connection the partly read branch and all other watched values are read again", async () => {
  const { tree, open, reads, reader } = watchedTree();
  tree.follow(FADERS, STRIPS);
  const faders = reader(FADERS);
  const fade = reader(`${FADER}/fade`);
  const on = reader(`${FADER}/on`);
  await settled();
  open.get(FADERS)!.whole(strips);
  reads.get(`${FADER}/fade`)!({ _time: 2 });
  reads.get(`${FADER}/on`)!(true);
  await settled();
  await settled();
  reads.clear();
  open.get(FADERS)!.whole({ 3: { label: "Host" } });
  assertEquals([...reads.keys()], [`${FADER}/fade`, `${FADER}/on`]);
  assertEquals([fade.seen, on.seen], [[undefined, { _time: 2 }], [undefined, true]]);
  assertEquals(faders.seen.at(-1), { 3: { label: "Host" } });
  reads.get(`${FADER}/on`)!(false);
  await settled();
  await settled();
  assertEquals(on.seen.at(-1), false);
});

Deno.test("a path that has ended is subscribed to again on a new connection, and then goes on", async () => {
  const { tree, open, reads, reader } = watchedTree();
  tree.follow(FADERS, STRIPS);
  const fader = reader(`${FADER}/fader`);
  reader("/audio/pots/1/value");
  await settled();
  open.get(FADERS)!.whole(strips);
  open.get(FADERS)!.ended(new Error("no such path") as never);
  reads.clear();
  open.clear();
  tree.renew();
  assertEquals([...open.keys()], [FADERS]);
  open.get(FADERS)!.whole(strips);
  assertEquals([...reads.keys()], [`${FADER}/fader`]);
  open.get(FADERS)!.change({ 3: { fader: -30 } });
  assertEquals(fader.seen.at(-1), -30);
  open.clear();
  tree.renew();
  assertEquals(open.size, 0);
});

Deno.test("a reader of several values sees all of a change at once", async () => {
  const { open, tree } = watchedTree();
  const end = tree.follow(FADER) as unknown as () => void;
  const seen: unknown[] = [];
  const stop = effect(() => {
    seen.push([tree.at(`${FADER}/fader`).value, tree.at(`${FADER}/on`).value]);
  });
  await settled();
  open.get(FADER)!.whole({ fader: -10, on: true });
  open.get(FADER)!.change({ fader: -20, on: false });
  assertEquals(seen, [[undefined, undefined], [-10, true], [-20, false]]);
  stop();
  end();
});

Deno.test("a reader of an item of a list follows when the list is replaced", async () => {
  const { open, reader } = watchedTree();
  const list = reader("/audio/mixers/0/sourcelist");
  const label = reader("/audio/mixers/0/sourcelist/1/_label");
  await settled();
  const { whole, change } = open.get("/audio/mixers/0/sourcelist")!;
  whole([{ _label: "A" }, { _label: "B" }]);
  change([{ _label: "C" }, { _label: "D" }]);
  change([{ _label: "C" }]);
  assertEquals(label.seen, [undefined, "B", "D", undefined]);
  list.stop();
  label.stop();
});
