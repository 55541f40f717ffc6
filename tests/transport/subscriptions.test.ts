/** What a connection is subscribed to, and the part of a change that it is sent. */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { combine, type Patch } from "../../core/tree/patch.ts";
import { parsePath, patchBelow } from "../../core/tree/path.ts";
import { createSubscriptions } from "../../transport/subscriptions.ts";
import { refusalOf } from "../service.ts";

function subscribedTo(...paths: readonly string[]) {
  const subscriptions = createSubscriptions();
  for (const path of paths) assertEquals(subscriptions.add(parsePath(path)), undefined);
  return subscriptions;
}

const patch = { a: { 0: { on: true, fader: -1 }, 1: { on: false } }, b: { list: [1, 2] } };

const selections: readonly (readonly [readonly string[], Patch | undefined])[] = [
  [[], undefined],
  [["/"], patch],
  [["/a"], { a: patch.a }],
  [["/a/0/on"], { a: { 0: { on: true } } }],
  [["/a/0/on", "/a/1"], { a: { 0: { on: true }, 1: { on: false } } }],
  [["/a/0/on", "/a"], { a: patch.a }],
  [["/b/list", "/a/1/on"], { a: { 1: { on: false } }, b: { list: [1, 2] } }],
  [["/b/list/0"], { b: { list: { 0: 1 } } }],
  [["/b/list/2", "/a/0/on/deeper"], undefined],
  [["/c", "/a/2"], undefined],
];

Deno.test("of a change comes what is at and below a subscribed path, once", () => {
  for (const [paths, expected] of selections) {
    assertEquals(subscribedTo(...paths).select(patch), expected, paths.join(" "));
  }
});

Deno.test("connections that are sent the same have the same key, and only they", () => {
  const key = (...paths: string[]) => subscribedTo(...paths).key;
  assertEquals(key(), "");
  assert(key("/") !== "");
  assertEquals(key("/a", "/b"), key("/b", "/a"));
  assertEquals(key("/a", "/a/0", "/a/0/on"), key("/a"));
  assertEquals(key("/", "/a"), key("/"));
  assert(key("/a") !== key("/a/0"));
  const subscriptions = subscribedTo("/a", "/a/0");
  subscriptions.remove(["a"]);
  assertEquals(subscriptions.key, key("/a/0"));
  subscriptions.remove(["a", "0", "on"]);
  assertEquals(subscriptions.key, key("/a/0"), "it was not subscribed to");
  subscriptions.remove(["a", "0"]);
  assertEquals(subscriptions.key, "");
});

Deno.test("a connection has at most 1000 subscriptions; one removed makes room", () => {
  const subscriptions = createSubscriptions();
  for (let at = 0; at < 1000; at++) assertEquals(subscriptions.add(["a", `${at}`]), undefined);
  assertEquals(subscriptions.add(["a", "0"]), undefined, "a path counts once");
  const { code, message } = refusalOf(subscriptions.add(["b"]) ?? {});
  assertEquals([code, message], [11, "path: expected at most 1000 subscriptions"]);
  const { key } = subscriptions;
  subscriptions.remove(["b"]);
  assertEquals([subscriptions.add(["b"])?.code, subscriptions.key], [11, key]);
  subscriptions.remove(["a", "7"]);
  assertEquals(subscriptions.add(["b"]), undefined);
});

Deno.test("law: what is selected is the parts below all paths, whatever was added and removed", () => {
  const member = fc.constantFrom("a", "b", "0");
  const path = fc.array(member, { maxLength: 4 });
  const { node } = fc.letrec<{ node: Patch }>((tie) => ({
    node: fc.dictionary(member, fc.oneof(fc.integer(), tie("node")), { maxKeys: 3 }),
  }));
  const calls = fc.array(fc.tuple(fc.boolean(), path), { maxLength: 20 });
  fc.assert(fc.property(node, calls, (patch, calls) => {
    const subscriptions = createSubscriptions();
    const paths = new Map<string, readonly string[]>();
    for (const [adds, path] of calls) {
      if (adds) subscriptions.add(path);
      else subscriptions.remove(path);
      if (adds) paths.set(path.join("/"), path);
      else paths.delete(path.join("/"));
    }
    const parts = [...paths.values()].map((path) => patchBelow(patch, path))
      .filter((part) => part !== undefined);
    const expected = parts.length === 0 ? undefined : parts.reduce(combine);
    assertEquals(leaves(subscriptions.select(patch)), leaves(expected));
    assertEquals(subscriptions.key === "", paths.size === 0);
  }));
});

/** The leaves of a patch by their paths: a branch without any says nothing. */
function leaves(patch: Patch | undefined, path = ""): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(patch ?? {}).flatMap(([member, value]) =>
      typeof value === "object"
        ? Object.entries(leaves(value as Patch, `${path}/${member}`))
        : [[`${path}/${member}`, value]]
    ),
  );
}
