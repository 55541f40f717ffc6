/** The subscriptions of a connection, and those that a change touches. */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { formatPath, parsePath, type Patch, patchBelow } from "../../../core/tree/tree.ts";
import { createSubscriptions, hearsMeters } from "../../../transport/websocket/subscriptions.ts";
import { refusalOf } from "../../service.ts";

/** The subscriptions of a single connection. */
function alone() {
  const all = createSubscriptions<string>(() => Infinity);
  return { ...all.open("192.0.2.1", "alone"), touchedBy: all.touchedBy };
}

function subscribedTo(...paths: readonly string[]) {
  const subscriptions = alone();
  for (const path of paths) assertEquals(subscriptions.add(parsePath(path)), undefined);
  return subscriptions;
}

const patch = { a: { 0: { on: true, fader: -1 }, 1: { on: false } }, b: { list: [1, 2] } };

/** Subscribed paths, and the paths that the patch touches. */
const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], []],
  [["/"], ["/"]],
  [["/a/"], ["/a"]],
  [["/a/0/on"], ["/a/0/on"]],
  [["/a/0/on", "/a/1"], ["/a/0/on", "/a/1"]],
  [["/a/1", "/a", "/a/0/on", "/"], ["/a/1", "/a", "/a/0/on", "/"]],
  [["/a", "/a/1", "/a"], ["/a", "/a/1"]],
  [["/b/list", "/c", "/a/1/on"], ["/b/list", "/a/1/on"]],
  [["/b/list/0", "/b/list/2", "/a/0/on/deeper"], ["/b/list/0"]],
  [["/c", "/a/2", "/a/0/constructor"], []],
];

const texts = (found: readonly { text: string }[]) => found.map(({ text }) => text);

Deno.test("a change touches each subscribed path at or above it, in the order of subscribing", () => {
  for (const [paths, expected] of rows) {
    assertEquals(texts(subscribedTo(...paths).touchedBy(patch)), expected, paths.join(" "));
  }
});

Deno.test("a path that is removed and added again is last; other paths keep their place", () => {
  const subscriptions = subscribedTo("/a", "/", "/b", "/a/0");
  subscriptions.remove(["a"]);
  assertEquals(texts(subscriptions.touchedBy(patch)), ["/", "/b", "/a/0"]);
  subscriptions.remove(["a", "0", "on"]);
  subscriptions.add(["a"]);
  subscriptions.add([]);
  assertEquals(texts(subscriptions.touchedBy(patch)), ["/", "/b", "/a/0", "/a"]);
});

Deno.test("a change touches the right ones of many sibling paths, with fewer or more leaves than paths", () => {
  const many = Array.from({ length: 400 }, (_, at) => `/a/${at}`);
  const subscriptions = subscribedTo(...many.toReversed());
  const few = { a: { 7: { on: true }, 300: 1, 400: 2 } };
  assertEquals(texts(subscriptions.touchedBy(few)), ["/a/300", "/a/7"]);
  const more = { a: Object.fromEntries(Array.from({ length: 900 }, (_, at) => [at, at])) };
  assertEquals(texts(subscriptions.touchedBy(more)), many.toReversed());
  assertEquals(texts(subscribedTo("/a/3", "/a/950").touchedBy(more)), ["/a/3"]);
});

Deno.test("a connection has at most 1000 subscriptions; a removed one makes room", () => {
  const subscriptions = alone();
  for (let at = 0; at < 1000; at++) assertEquals(subscriptions.add(["a", `${at}`]), undefined);
  assertEquals(subscriptions.add(["a", "0"]), undefined, "a path counts once");
  assertEquals(subscriptions.count(), 1000);
  const { code, message } = refusalOf(subscriptions.add(["b"]) ?? {});
  assertEquals([code, message], [11, "path: expected at most 1000 subscriptions"]);
  subscriptions.remove(["b"]);
  assertEquals(subscriptions.add(["b"])?.code, 11, "it was not subscribed to");
  subscriptions.remove(["a", "7"]);
  assertEquals(subscriptions.add(["b"]), undefined);
});

/** Connections of a service with a limit of subscriptions; each can count its own. */
function connectionsOf(most: number) {
  const all = createSubscriptions<string>(() => most);
  return (address: string) => {
    const own = all.open(address, address);
    return {
      ...own,
      /** Subscribes to a number of further paths, and returns the first refusal. */
      more(count: number) {
        const from = own.count();
        const paths = Array.from({ length: count }, (_, at) => ["a", `${from + at}`]);
        return paths.map((path) => own.add(path)).find((refusal) => refusal !== undefined)?.message;
      },
    };
  };
}

Deno.test("an address has at most an eighth of all subscriptions; others have theirs, and a closed connection makes room", () => {
  const open = connectionsOf(8000);
  const culprit = open("192.0.2.1");
  const another = open("192.0.2.1");
  assertEquals(culprit.more(990), undefined);
  assertEquals(another.more(32), undefined, "each connection may have a few in any case");
  const refused = "path: expected at most 1000 subscriptions of one address";
  assertEquals([culprit.more(1), another.more(1)], [refused, refused]);
  assertEquals(open("192.0.2.2").more(900), undefined);
  culprit.close();
  assertEquals([culprit.count(), another.more(900)], [0, undefined]);
});

Deno.test("a connection may have 32 subscriptions even if the limit is reached", () => {
  const open = connectionsOf(8000);
  const culprits = Array.from({ length: 9 }, (_, at) => open(`192.0.2.${at}`));
  const refusals = culprits.map(({ more }) => more(1000));
  const refused = "path: expected at most 8000 subscriptions of all clients";
  assertEquals(refusals, [...Array(8).fill(undefined), refused]);
  const honest = open("192.0.2.99");
  assertEquals([honest.more(32), honest.more(1)], [undefined, refused]);
});

Deno.test("each connection gets its own paths, in its own order, until it is closed", () => {
  const all = createSubscriptions<string>(() => Infinity);
  const one = all.open("192.0.2.1", "one");
  const other = all.open("192.0.2.1", "other");
  for (const path of [["a", "1"], ["a"], ["b"]]) one.add(path);
  for (const path of [["a"], ["a", "1"]]) other.add(path);
  one.remove(["b"]);
  const told = (whose: string) =>
    texts(all.touchedBy(patch).filter(({ subscriber }) => subscriber === whose));
  assertEquals([told("one"), told("other")], [["/a/1", "/a"], ["/a", "/a/1"]]);
  one.close();
  assertEquals([told("one"), told("other")], [[], ["/a", "/a/1"]]);
});

const fader = "/audio/mixers/0/faders/1";

Deno.test("a subscription gets meters if its path names them, else only with meters true", () => {
  const byThemselves = [
    "/audio/levels",
    "/audio/levels/1",
    "/audio/levels/1/_left",
    `${fader}/meter`,
    `${fader}/meter/_input`,
    `${fader}/params/gate/_gainreduction`,
  ];
  const whereAsked = ["/", "/audio", fader, `${fader}/params`, `${fader}/params/gate`];
  for (const path of [...byThemselves, ...whereAsked]) {
    const asked = (meters: boolean) => hearsMeters(parsePath(path), { meters, interval: 40 });
    assertEquals([asked(false), asked(true)], [byThemselves.includes(path), true], path);
  }
});

Deno.test("a path without meters gets none, with any options", () => {
  for (const path of ["/general", "/control", `${fader}/fader`]) {
    assertEquals(hearsMeters(parsePath(path), { meters: true, interval: 40 }), false);
  }
});

Deno.test("law: a patch touches exactly the subscribed paths at or below which it has a part, after any changes of subscriptions", () => {
  const member = fc.constantFrom("a", "b", "0");
  const path = fc.array(member, { maxLength: 4 });
  const { node } = fc.letrec<{ node: Patch }>((tie) => ({
    node: fc.dictionary(member, fc.oneof(fc.integer(), tie("node")), { maxKeys: 3 }),
  }));
  const calls = fc.array(fc.tuple(fc.boolean(), path), { maxLength: 20 });
  fc.assert(fc.property(node, calls, (patch, calls) => {
    const subscriptions = alone();
    const paths = new Map<string, readonly string[]>();
    for (const [adds, path] of calls) {
      const text = formatPath(path);
      if (adds) {
        subscriptions.add(path);
        paths.set(text, path);
      } else {
        subscriptions.remove(path);
        paths.delete(text);
      }
    }
    const expected = [...paths].filter(([, path]) => patchBelow(patch, path) !== undefined);
    assertEquals(
      subscriptions.touchedBy(patch).map(({ text, path }) => [text, path]),
      expected,
    );
  }));
});
