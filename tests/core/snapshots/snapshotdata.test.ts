import { hkdfSync } from "node:crypto";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import sodium from "libsodium-wrappers";
import { canonicalJson } from "../../../core/json.ts";
import { PUBLISHED_SITE_KEY } from "../../../core/site-key.ts";
import { verifySnapshot } from "../../../core/snapshots/setsnapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { countingScheduler } from "../../schedulers.ts";
import { type Json, result, testConsole } from "../../service.ts";
import { actor, granted, keptText, valueAt } from "../actors.ts";
import { codeOfSetting, dataOf, saved, verified } from "./saved.ts";

await sodium.ready;

const console = await testConsole({ configuration: { mixers: [{ faders: 1 }], processings: 1 } });
await result(console, set("/audio/mixers/0/faders/0", { label: "Ä😀", fader: -19.43 }));
const samples: readonly Json[] = [
  await dataOf(console, await saved(console, { type: 1, fader: 0 })),
  await dataOf(console, await saved(console, { name: "whole", readgroups: 3, writegroups: 7 })),
  await dataOf(console, await saved(console, { type: 3, fp: 0 })),
  await dataOf(console, "default"),
];
const admin = actor(console, "admin");
const passedOn = (data: Json) => JSON.parse(JSON.stringify(data));

async function assertRefused(altered: Json, what: string) {
  const before = console.state;
  assertEquals(await codeOfSetting(console, altered, admin), 10, what);
  assert(console.state === before);
}

/**
 * Every value below a path, and one alteration of each: the value, how it is altered, the result.
 */
function* alterations(node: Json, path: string, whole: Json): Generator<[string, Json]> {
  const members = typeof node === "object" && node !== null ? Object.keys(node) : [];
  const altered = (change: (node: Json) => void): Json => {
    const copy = passedOn(whole);
    let place = copy;
    for (const member of path.split("/").slice(1)) place = place[member];
    change(place);
    return copy;
  };
  if (!Array.isArray(node)) yield [`${path}: a member more`, altered((node) => node.more = 1)];
  for (const member of members) {
    const value = node[member];
    const at = `${path}/${member}`;
    yield [`${at}: lost`, altered((node) => delete node[member])];
    yield [
      `${at}: renamed`,
      altered((node) => {
        delete node[member];
        node[`${member}_`] = value;
      }),
    ];
    const others = typeof value === "number"
      ? [value + 1, -value - 1, String(value), null]
      : typeof value === "boolean"
      ? [!value, Number(value)]
      : typeof value === "string"
      ? [`${value} `, value.slice(1) + "x", value.toUpperCase() + "X", null]
      : [null, [], JSON.stringify(value)];
    for (const other of others) {
      yield [`${at}: ${JSON.stringify(other)}`, altered((node) => node[member] = other)];
    }
    if (typeof value === "object") yield* alterations(value, at, whole);
  }
}

Deno.test("unchanged snapshotdata is accepted, also with its members in another order", async () => {
  for (const data of samples) {
    assertEquals(await codeOfSetting(console, passedOn(data), admin), 0);
    const reversed = Object.fromEntries(Object.entries(data).toReversed());
    assertEquals(await codeOfSetting(console, reversed, admin), 0);
  }
});

Deno.test("snapshotdata has the members of decisions.md, mixer for type 2 alone", () => {
  const members = ["id", "type", "name", "writegroups", "readgroups", "content", "mac"];
  const expected = samples.map(({ type }) => type === 2 ? [...members, "mixer"] : members);
  assertEquals(
    samples.map((data) => Object.keys(data).toSorted()),
    expected.map((names) => names.toSorted()),
  );
  assertEquals(samples[3].id, "default");
});

Deno.test("any altered value, any added, lost or renamed member is error 10", async () => {
  for (const data of [samples[0], samples[3]]) {
    let count = 0;
    for (const [what, altered] of alterations(data, "", data)) {
      count++;
      await assertRefused(altered, what);
    }
    assert(count > 200);
  }
});

/**
 * Alters one byte of the JSON text; asserts the refusal where the result is JSON of another value.
 */
async function assertByteMatters(data: Json, position: number, mask: number) {
  const bytes = new TextEncoder().encode(JSON.stringify(data));
  bytes[position % bytes.length]! ^= mask;
  let altered;
  try {
    altered = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return;
  }
  if (canonicalJson(altered) === canonicalJson(data)) return;
  await assertRefused(altered, `byte ${position % bytes.length} xor ${mask}`);
}

Deno.test("any altered byte is error 10, unless the JSON still has the same value", async () => {
  const [data] = samples;
  const { length } = JSON.stringify(data);
  for (let position = 0; position < length; position++) await assertByteMatters(data, position, 1);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      assertByteMatters,
    ),
    { numRuns: 500 },
  );
});

Deno.test("anything but snapshotdata is refused (10)", async () => {
  const deep = JSON.parse('{"x":'.repeat(60) + "1" + "}".repeat(60));
  const [data] = samples;
  const strange = [
    null,
    undefined,
    1,
    "x",
    [],
    {},
    [data],
    deep,
    { ...data, content: deep },
    { ...data, content: [] },
    { ...data, mac: undefined },
    JSON.parse(`{"__proto__": {"x": 1}, ${JSON.stringify(data).slice(1)}`),
    JSON.parse(`{"constructor": {"x": 1}, ${JSON.stringify(data).slice(1)}`),
    JSON.parse(`{"toString": 1, ${JSON.stringify(data).slice(1)}`),
  ];
  for (const altered of strange) await assertRefused(altered, JSON.stringify(altered));
});

Deno.test("the mac is libsodium's crypto_auth over the canonical JSON of the rest", () => {
  const use = "faderd snapshotdata";
  const key = new Uint8Array(hkdfSync("sha512", PUBLISHED_SITE_KEY, "", use, 32));
  for (const { mac, ...rest } of samples) {
    assertEquals(mac, sodium.to_hex(sodium.crypto_auth(canonicalJson(rest), key)));
    assert(sodium.crypto_auth_verify(sodium.from_hex(mac), canonicalJson(rest), key));
  }
});

Deno.test("consoles with the same site key exchange snapshots, others refuse them with 10", async () => {
  const keys = [undefined, "studio key of A 1", "studio key of B 1"] as const;
  const made = await Promise.all(keys.map(async (siteKey) => {
    const one = await testConsole({
      configuration: { mixers: [{ faders: 2 }], ...(siteKey ? { siteKey } : {}) },
    });
    return { one, data: passedOn(await dataOf(one, await saved(one, {}))) };
  }));
  const twins = await Promise.all(
    keys.map((siteKey) =>
      testConsole({ configuration: { mixers: [{ faders: 2 }], ...(siteKey ? { siteKey } : {}) } })
    ),
  );
  for (const [to, twin] of twins.entries()) {
    const before = keptText(twin);
    for (const [from, { data }] of made.entries()) {
      const code = await codeOfSetting(twin, data, actor(twin, "admin"));
      assertEquals(code, from === to ? 0 : 10, `from ${from} to ${to}`);
      if (code !== 0 && from < to) assertEquals(keptText(twin), before);
    }
    assertEquals(await dataOf(twin, made[to]!.data.id), made[to]!.data);
  }
});

Deno.test("setsnapshot sets a default snapshot of the mixer that is named, by default of mixer 0", async () => {
  const other = await testConsole();
  const admin = actor(other, "admin");
  await result(other, set("/audio/mixers/1/faders/0/fader", -5));
  await saved(other, { id: "default", mixer: 1 });
  const data = passedOn(await dataOf(other, "default", admin, 1));
  assertEquals(await codeOfSetting(other, data, admin), 0);
  assertEquals((await dataOf(other, "default", admin, 0)).content, data.content);
  assertEquals(await codeOfSetting(other, data, admin, 2), 6);
  assertEquals(valueAt(other, "/audio/mixers/0/faders/0/fader"), -160);
});

Deno.test("setsnapshot replaces the snapshot with the same UUID, attributes too, and keeps its number", async () => {
  const other = await testConsole();
  const id = await saved(other, { name: "Anna", readgroups: 3 });
  const { number } = other.state.snapshots.get(id)!;
  const data = passedOn(await dataOf(other, id));
  await result(other, set("/audio/mixers/0/faders/0/fader", -5));
  const was = other.state.snapshots.get(id);
  await saved(other, { id, name: "Bert", mixer: 1 });
  assert(other.state.snapshots.get(id)!.name === "Bert");
  assertEquals(await codeOfSetting(other, data, actor(other, "admin")), 0);
  assertEquals(other.state.snapshots.get(id), was);
  assertEquals(other.state.snapshots.get(id)!.number, number);
});

Deno.test("the snapshotdata of a large mixer is checked in steps, and refused if it was altered", async () => {
  const large = await testConsole({ configuration: { mixers: [{ faders: 32 }] } });
  const data = await dataOf(large, "default");
  const counting = countingScheduler();
  const given = granted(await verifySnapshot(large.state, data, counting.scheduler));
  assertEquals(JSON.parse(given.content), data.content);
  assert(counting.turns > 4, `${counting.turns} turns`);
  const { faders } = data.content as Json;
  const content = { ...data.content, faders: { ...faders, 31: { ...faders[31], fader: -3 } } };
  for (const altered of [{ ...data, content }, { ...data, mac: "00".repeat(32) }, { data }]) {
    assertEquals(await codeOfSetting(large, altered, actor(large, "admin")), 10);
  }
});

Deno.test("the members of snapshotdata may come in any order: the same content is kept", async () => {
  const [, data] = samples;
  const reversed = (value: Json): Json =>
    typeof value === "object"
      ? Object.fromEntries(Object.entries(value).toReversed().map(([k, v]) => [k, reversed(v)]))
      : value;
  const { content } = await verified(console, data);
  assertEquals((await verified(console, reversed(data))).content, content);
});
