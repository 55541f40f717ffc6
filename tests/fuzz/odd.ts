/**
 * Unusual values, and alterations of valid values, as data: so that a seed repeats them, and
 * fast-check can shrink a failing case.
 *
 * @module
 */
import fc from "fast-check";

/** Texts at the limits of valid text. */
// deno-fmt-ignore
const texts = [
  "", " ", "0", "1", "-1", "1.5", "true", "null", "NaN", "default",
  "__proto__", "constructor", "toString", "hasOwnProperty",
  // Control characters, halves of surrogate pairs, direction marks, invisible characters.
  "\u0000", "a\u0000b", "\u0007", "\ud800", "\udc00a", "\ud83d\ude00",
  "\u202eabc", "\u200f", "\ufeff", "\ufffd",
  // The same letters in different normal forms of Unicode.
  "é", "e\u0301", "\u1100\u1161", "ﬁ",
  // Separators and escapes of paths, queries, JSON and HTML.
  "/", "//", "..", "/audio/../general", "%00", "%", "%zz", "+", "&",
  '"', "'", "\\", "\r\n", "\n\n", "<script>",
  "00000000-0000-4000-8000-000000000000", "0f0c0001-0000-4000-8000-000000000001",
  ...[64, 65, 128, 129, 5000].map((length) => "x".repeat(length)),
  "😀".repeat(128),
];

/** Numbers at the limits of valid numbers. */
// deno-fmt-ignore
const numbers = [
  0, -0, 1, -1, 2, 8, 10, 30, 255, 256, 65535, 65536, -160,
  0.1, 1.5, 10.000001, 1e-7, 1e21,
  2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, 2 ** 53 + 2,
  Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE,
];

/** Unusual text. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  {
    weight: 1,
    arbitrary: fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units)),
  },
);

/** An unusual JSON value. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...numbers) },
  { weight: 3, arbitrary: oddText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], [{}]) },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double({ noNaN: true })) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const kinds = ["drop", "copy", "rename", "replace", "exchange", "wrap", "deepen"] as const;

/** An alteration of a JSON value. */
export interface Mutation {
  readonly kind: typeof kinds[number];
  /** The index of the altered place, and of a second place; modulo the number of places. */
  readonly at: number;
  readonly other: number;
  readonly value: unknown;
  readonly name: string;
  readonly times: number;
}

/** Any alteration of a JSON value. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constant("replace" as const) },
    { weight: 2, arbitrary: fc.constantFrom(...kinds) },
  ),
  at: fc.nat(10_000),
  other: fc.nat(10_000),
  value: oddValue,
  name: fc.oneof(oddText, fc.constantFrom("method", "token", "payload", "id", "type", "mixer")),
  times: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(60, 63, 64, 65, 500, 1001) },
  ),
});

type Holder = Record<string, unknown> | unknown[];

/** All places of a value: each an object or list, and the member or index in it. */
function placesIn(holder: Holder): (readonly [Holder, string])[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    [holder, key] as const,
    ...(typeof value === "object" && value !== null ? placesIn(value as Holder) : []),
  ]);
}

function put(holder: Holder, key: string, value: unknown): void {
  // So that "__proto__" becomes a member, too.
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** The value, altered. */
export function mutated(value: unknown, mutations: readonly Mutation[]): unknown {
  const root = { value: structuredClone(value) };
  for (const one of mutations) mutate(root, one);
  return root.value;
}

function mutate(root: { value: unknown }, one: Mutation): void {
  const all = placesIn(root);
  // The whole value is rarely altered: mostly its parts are, so that more code is reached.
  const places = all.length > 1 && one.at % 8 > 0 ? all.slice(1) : all;
  // Of two places the later one, which is mostly deeper in the request.
  const [holder, key] = places[Math.max(one.at % places.length, one.other % places.length)]!;
  const [otherHolder, otherKey] = places[one.other % places.length]!;
  const here = Reflect.get(holder, key);
  const isRoot = holder === root;
  switch (one.kind) {
    case "drop":
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (!isRoot) delete holder[key];
      break;
    case "copy":
      if (Array.isArray(holder)) {
        holder.push(...Array.from({ length: one.times }, () => structuredClone(here)));
      } else if (!isRoot) put(holder, one.name, structuredClone(here));
      break;
    case "rename":
      if (isRoot || Array.isArray(holder)) break;
      delete holder[key];
      put(holder, one.name, here);
      break;
    case "replace":
      put(holder, key, structuredClone(one.value));
      break;
    case "exchange": {
      const there = structuredClone(Reflect.get(otherHolder, otherKey));
      put(otherHolder, otherKey, structuredClone(here));
      put(holder, key, there);
      break;
    }
    case "wrap":
      put(holder, key, one.times % 2 === 0 ? [here] : { [one.name]: here });
      break;
    case "deepen": {
      let deep = here;
      for (let level = 0; level < Math.min(one.times, 70); level++) deep = [deep];
      put(holder, key, deep);
    }
  }
}

/** An alteration of a text: its place (a share of the length) and its kind. */
export interface TextMutation {
  readonly kind: "cut" | "insert" | "double" | "deep";
  readonly at: number;
  readonly text: string;
  readonly times: number;
}

/** Any alteration of a text. */
export const textMutation: fc.Arbitrary<TextMutation> = fc.record({
  kind: fc.constantFrom("cut", "insert", "double", "deep"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  text: fc.oneof(oddText, fc.constantFrom("[", "]", "{", "}", ",", ":", '"', '"method":"get",')),
  times: fc.constantFrom(1, 2, 64, 65, 1000, 20_000),
});

/** The text, altered. */
export function textMutated(text: string, mutations: readonly TextMutation[]): string {
  return mutations.reduce((before, { kind, at, text, times }) => {
    const cut = Math.floor(at * before.length);
    const start = before.slice(0, cut);
    const end = before.slice(cut);
    if (kind === "cut") return start;
    if (kind === "insert") return start + text + end;
    if (kind === "double") return start + end.slice(0, 100) + end;
    return start + (times % 2 === 0 ? "[" : '{"a":').repeat(times) + end;
  }, text);
}

/** An alteration of bytes: its place (a share of the length) and the new bytes. */
export interface ByteMutation {
  readonly at: number;
  readonly bytes: readonly number[];
  readonly cut: boolean;
}

/** Any alteration of bytes, also one to invalid UTF-8. */
export const byteMutation: fc.Arbitrary<ByteMutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.oneof(
    fc.constantFrom([0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0], [0xef, 0xbb, 0xbf], [13, 10]),
    fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 4 }),
  ),
  cut: fc.boolean(),
});

/** The bytes, altered. */
export function byteMutated(
  bytes: Uint8Array<ArrayBuffer>,
  mutations: readonly ByteMutation[],
): Uint8Array<ArrayBuffer> {
  return mutations.reduce((before, { at, bytes, cut }) => {
    const from = Math.floor(at * before.length);
    if (cut && bytes.length === 0) return before.slice(0, from);
    const altered = before.slice();
    altered.set(bytes.slice(0, Math.max(0, altered.length - from)), from);
    return altered;
  }, bytes);
}

/** A list of at most `most` items. */
export function few<One>(one: fc.Arbitrary<One>, most: number): fc.Arbitrary<One[]> {
  return fc.array(one, { maxLength: most, size: "max" });
}
