/** The snapshot methods (service.md, "C. RPC methods" and "Limits"). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { demoWith, type Json, startService } from "../service.ts";
import { dataOf, factory, FADER, list, save, test } from "./row.ts";

test("getsnapshotlist: type 2 lists the snapshots of the mixer, first default; the default mixer is 0", async ({ service, both }) => {
  const entry = { factory: true, id: "default", name: "default", readgroups: 0, writegroups: 0 };
  await save(service, { name: "Of zero" });
  await save(service, { name: "Of one", mixer: 1, readgroups: 4 });
  const names = async (params: object) =>
    (await both("getsnapshotlist", params)).payload.result
      .map(({ name }: Json) => name);
  assertEquals((await list(service, 2))[0], entry);
  assertEquals(await names({ type: 2 }), ["default", "All closed", "Of zero"]);
  assertEquals(await names({ type: 2, mixer: 0 }), ["default", "All closed", "Of zero"]);
  assertEquals(await names({ type: 2, mixer: 1 }), ["default", "Of one"]);
  assertEquals((await list(service, 2, 1))[1].readgroups, 4);
});

test("getsnapshotlist: types 1 and 3 list all of the device; factory, then by creation", async ({ service, both }) => {
  await save(service, { type: 1, fader: 0, name: "B" });
  await save(service, { type: 1, mixer: 1, fader: 7, name: "A" });
  await save(service, { type: 3, fp: 1, name: "C" });
  const names = async (type: number) =>
    (await both("getsnapshotlist", { type })).payload.result
      .map(({ name, factory }: Json) => [name, factory]);
  assertEquals(await names(1), [["Speech", true], ["B", false], ["A", false]]);
  assertEquals(await names(3), [["Transparent", true], ["C", false]]);
});

test("loadsnapshot: a channel snapshot needs fader, a processing snapshot fp", async ({ value, both, assertCodes }) => {
  const threshold = (of: string) => value(`${of}/params/compressor/threshold`);

  const params = { id: factory.channel, mixer: 1, fader: 3 };
  const loaded = await both("loadsnapshot", params);
  assertEquals(loaded.payload, { method: "loadsnapshot", params, result: {} });
  assertEquals(await threshold("/audio/mixers/1/faders/3"), -24);
  assertEquals(await threshold("/audio/mixers/0/faders/3"), -20, "mixer 0 was not meant");

  await both("loadsnapshot", { id: factory.channel, fader: 3 });
  assertEquals(await threshold("/audio/mixers/0/faders/3"), -24, "mixer is 0 by default");

  await both("loadsnapshot", { id: factory.processing, fp: 1 });
  assertEquals(await value("/audio/flexprocessings/1/params/limiter/threshold"), -3);

  await assertCodes([
    ["loadsnapshot", { id: factory.channel }, 3, /^fader: .*missing/],
    ["loadsnapshot", { id: factory.processing }, 3, /^fp: .*missing/],
  ]);
});

test("loadsnapshot: a type that contradicts the snapshot is an error", async ({ assertCodes }) => {
  await assertCodes([
    [
      "loadsnapshot",
      { id: "default", type: 1 },
      3,
      /^type: expected 2, that of the snapshot, got 1$/,
    ],
    [
      "loadsnapshot",
      { id: "default", type: 3 },
      3,
      /^type: expected 2, that of the snapshot, got 3$/,
    ],
    ["loadsnapshot", { id: "default", type: 2 }],
  ]);
});

test("loadsnapshot: a mixer snapshot loads on any mixer; _lastloadedsnap is its name", async ({ service, socket, value, both }) => {
  await socket.ask({ method: "set", path: FADER, payload: { fader: -12 } });
  const { id } = await save(service, { name: "Ready" });
  assert((await both("loadsnapshot", { id, mixer: 1 })).success);
  assertEquals(await value("/audio/mixers/1/faders/0/fader"), -12);
  assertEquals(await value("/audio/mixers/1/_lastloadedsnap"), "Ready");
  assertEquals(await value("/audio/mixers/0/_lastloadedsnap"), "");
});

test("savesnapshot: a blank id creates; the echo has id blank and readgroups 0", async ({ service, both }) => {
  const params = { type: 2, id: "", name: "Morning", writegroups: 137 };
  const { payload } = await both("savesnapshot", params);
  assertEquals([payload.result, payload.params], [{}, { ...params, readgroups: 0 }]);
  const made = (await list(service, 2)).filter(({ name }) => name === "Morning");
  assertEquals(made.length, 2);
  for (const entry of made) {
    const { id, ...rest } = entry;
    assertMatch(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assertEquals(rest, { factory: false, name: "Morning", readgroups: 0, writegroups: 137 });
  }
});

test("savesnapshot: an id overwrites that snapshot, which keeps the id", async ({ service }) => {
  const before = await save(service, { name: "Keep" });
  await service.post({ method: "set", path: FADER, payload: { fader: -7 } });
  const again = { type: 2, id: before.id, writegroups: 1, readgroups: 2, mixer: 0 };
  const { payload } = await service.rpc("savesnapshot", again);
  assertEquals(payload.params, again, "readgroups is echoed as given");
  assertEquals((await list(service, 2)).slice(2), [
    { factory: false, id: before.id, name: "Keep", readgroups: 2, writegroups: 1 },
  ]);
  assertEquals((await dataOf(service, before.id)).content.faders["0"].fader, -7);
});

test("savesnapshot: id default saves snapshot 0 of the mixer", async ({ service, socket, value, both }) => {
  await socket.ask({ method: "set", path: FADER, payload: { fader: -33 } });
  const params = { type: 2, id: "default", writegroups: 255 };
  assert((await both("savesnapshot", params)).success);
  await socket.ask({ method: "set", path: FADER, payload: { fader: 0 } });
  await both("loadsnapshot", { id: "default" });
  assertEquals(await value(`${FADER}/fader`), -33);
  const entries = await list(service, 2);
  assertEquals(entries.length, 2, "no further snapshot is listed");
  const ignored = [
    { type: 2, ...entries[0] },
    { type: 2, id: "default" },
    { ...params, name: "n".repeat(65), writegroups: 999, readgroups: "all" },
  ];
  for (const params of ignored) assert((await both("savesnapshot", params)).success);
  assertEquals(await list(service, 2), entries, "a given name and groups are ignored");
  const { error } = await both("savesnapshot", { ...params, type: 1, fader: 0 });
  assertEquals(error.code, 3);
});

test("savesnapshot: the name defaults to the local date and time", async ({ service }) => {
  const { name } = await save(service, { name: undefined });
  assertMatch(name, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assertEquals(new Date(name.replace(" ", "T")).getTime(), 0, "the time of the simulated clock");
});

test("savesnapshot: usergroups and writegroup are read as writegroups where that is absent", async ({ service }) => {
  const rows = [
    [{ writegroups: undefined, usergroups: 3 }, 3],
    [{ writegroups: undefined, writegroup: 5 }, 5],
    [{ writegroups: 7, usergroups: 3, writegroup: 5 }, 7],
  ] as const;
  for (const [given, read] of rows) assertEquals((await save(service, given)).writegroups, read);
});

test("savesnapshot: fader is required for channel, fp for processing snapshots", async ({ assertCodes }) => {
  const common = { id: "", writegroups: 1 };
  await assertCodes([
    ["savesnapshot", { ...common, type: 1 }, 3, /^fader: .*missing/],
    ["savesnapshot", { ...common, type: 3 }, 3, /^fp: .*missing/],
  ]);
});

test("modifysnapshot changes attributes; omitted attributes are unchanged", async ({ service, both }) => {
  const { id } = await save(service, { name: "Before", readgroups: 2, writegroups: 3 });
  const content = async () => (await dataOf(service, id)).content;
  const before = await content();
  const expected = { factory: false, id, name: "Before", readgroups: 2, writegroups: 3 };
  for (const changes of [{ name: "Ab" }, { writegroups: 255 }, { readgroups: 0 }, {}]) {
    const answer = await both("modifysnapshot", { id, ...changes });
    assertEquals(answer.payload.result, {});
    Object.assign(expected, changes);
    assertEquals((await list(service, 2)).at(-1), expected);
  }
  assertEquals(await content(), before);
});

test("removesnapshot removes the snapshot", async ({ service, both }) => {
  const { id } = await save(service, {});
  const params = { id };
  const answer = await service.rpc("removesnapshot", params);
  assertEquals(answer.payload, { method: "removesnapshot", params, result: {} });
  assertEquals((await list(service, 2)).length, 2);
  assertEquals((await both("removesnapshot", params)).error.code, 6);
});

test("getsnapshot answers snapshotdata, also of a default snapshot, by default of mixer 0", async ({ service, both }) => {
  const { id } = await save(service, { name: "Out", mixer: 1, readgroups: 0, writegroups: 12 });
  const { snapshotdata } = (await both("getsnapshot", { id })).payload.result;
  const { content, mac, ...rest } = snapshotdata;
  assertEquals(rest, { id, type: 2, name: "Out", writegroups: 12, readgroups: 0, mixer: 1 });
  assertEquals(Object.keys(content.faders).length, 8);
  assertMatch(mac, /^[0-9a-f]{64}$/);

  const of = async (params: object) =>
    (await both("getsnapshot", { id: "default", ...params })).payload.result
      .snapshotdata;
  assertEquals([(await of({})).id, (await of({})).mixer], ["default", 0]);
  assertEquals((await of({ mixer: 1 })).mixer, 1);
});

test("setsnapshot adds a snapshot, or replaces the one with the same UUID", async ({ service, both }) => {
  const { id } = await save(service, { name: "Travelling" });
  const snapshotdata = await dataOf(service, id);
  await service.rpc("removesnapshot", { id });

  const params = { snapshotdata };
  const answer = await both("setsnapshot", params);
  assertEquals(answer.payload, { method: "setsnapshot", params, result: {} });
  const names = (await list(service, 2)).map(({ name }) => name);
  assertEquals(names, ["default", "All closed", "Travelling"]);
  assertEquals(await dataOf(service, id), snapshotdata);
});

test("setsnapshot takes snapshotdata of another console with the same site key", async ({ service, both }) => {
  await using other = await startService({ configuration: { mixers: [{ faders: 2 }] } });
  const { id } = await save(other, { name: "From afar" });
  const snapshotdata = await dataOf(other, id);
  assert((await both("setsnapshot", { snapshotdata })).success);
  assertEquals((await list(service, 2)).at(-1).name, "From afar");
});

test("setsnapshot sets a default snapshot of the mixer that is named", async ({ service, socket, value, both }) => {
  await socket.ask({ method: "set", path: FADER, payload: { fader: -44 } });
  await service.rpc("savesnapshot", { type: 2, id: "default", writegroups: 1 });
  const snapshotdata = await dataOf(service, "default");
  assert((await both("setsnapshot", { snapshotdata, mixer: 1 })).success);
  await service.rpc("loadsnapshot", { id: "default", mixer: 1 });
  assertEquals(await value("/audio/mixers/1/faders/0/fader"), -44);
});

test("setsnapshot rejects content that was changed, with code 10", async ({ service, assertCodes }) => {
  const { id } = await save(service, { name: "Sealed" });
  const snapshotdata = await dataOf(service, id);
  const { mac, name: _, ...unnamed } = snapshotdata;
  const parts = [
    { name: "Sealed2" },
    { writegroups: 1 },
    { id: factory.mixer },
    { mixer: 1 },
    { type: 3 },
    { added: 1 },
    { content: { ...snapshotdata.content, more: 1 } },
    { mac: undefined },
    { mac: mac.replace(/^./, (digit: string) => digit === "0" ? "1" : "0") },
  ];
  const altered = parts.map((part) => ({ ...snapshotdata, ...part }));
  const { state } = service.console;
  const calls = [...altered, { ...unnamed, mac }, {}]
    .map((data) => ["setsnapshot", { snapshotdata: data }, 10] as const);
  await assertCodes(calls);
  assert(service.console.state === state);

  const configuration = demoWith({ siteKey: "the key of another site" });
  await using foreign = await startService({ configuration });
  assertEquals((await foreign.rpc("setsnapshot", { snapshotdata })).error.code, 10);
});

test("a name has at most 64 characters, and in modifysnapshot at least 2", async ({ service, assertCodes }) => {
  const { id } = await save(service, {});
  const long = "é".repeat(64);
  const wrong = ["A", "", `${long}x`, "a\u0000b"];
  await assertCodes([
    ...wrong.map((name) => ["modifysnapshot", { id, name }, 3] as const),
    ...[long, "Ab"].map((name) => ["modifysnapshot", { id, name }] as const),
    ["savesnapshot", { type: 2, id: "", writegroups: 1, name: `${long}x` }, 3],
  ]);
});
