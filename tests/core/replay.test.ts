import { assert, assertEquals } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { type ConsoleEvent, reduce } from "../../core/events.ts";
import { beginReplay } from "../../core/replay.ts";
import { decodeRecord, encodeRecord } from "../../core/record.ts";
import { whole } from "../../storage/records.ts";
import { initialState } from "../../core/state.ts";
import { type Branch, find, nest, parsePath, type Patch } from "../../core/tree/tree.ts";
import { replayed } from "./stores.ts";

const read = readConfiguration(demoConfiguration);
if ("faults" in read) throw new Error("the demo console has faults");
const { configuration } = read;

const snapshot = (id: number) => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
  number: id,
  type: 1 as const,
  name: `Snapshot ${id}`,
  readgroups: 0,
  writegroups: 1,
  factory: false,
  content: "{}",
});
const written = (id: number, content = "{}"): ConsoleEvent => ({
  type: "snapshotwritten",
  snapshot: { ...snapshot(id), content },
});
const recordOf = (...events: ConsoleEvent[]) => whole(encodeRecord(events));

Deno.test("a start replays the events of the log to the state that they make one by one", () => {
  const { id } = snapshot(2);
  const modified = { name: "Other", readgroups: 1, writegroups: 3 };
  const history: readonly ConsoleEvent[] = [
    written(1),
    written(2),
    { type: "snapshotmodified", id, ...modified },
    { type: "snapshotmodified", id: snapshot(9).id, ...modified },
    { type: "snapshotstaged", restore: "r", snapshot: { ...snapshot(3), content: "[3]" } },
    written(4),
    { type: "snapshotremoved", id: snapshot(4).id },
    { type: "restored", snapshots: { tags: ["MXSNAPS"], staged: "none" } },
    written(1, "[1]"),
    { type: "restored", snapshots: { tags: ["CHSNAPS"], staged: "r" } },
    written(5),
    { type: "snapshotremoved", id: snapshot(3).id },
  ];
  for (let count = 0; count <= history.length; count++) {
    const records = history.slice(0, count).map((event) => recordOf(event));
    const expected = records.flatMap(decodeRecord).reduce(reduce, initialState(configuration));
    const found = replayed(configuration, records);
    assertEquals([...found.snapshots], [...expected.snapshots], `${count} events`);
  }
});

Deno.test("the time of a start grows in proportion to the number of snapshots in the log", () => {
  const timeOf = (count: number) => {
    const records = Array.from({ length: count }, (_, at) => recordOf(written(at + 1)));
    const replay = beginReplay(configuration);
    const begun = performance.now();
    for (const record of records) replay.read(record);
    assertEquals(replay.end().snapshots.size - count, initialState(configuration).snapshots.size);
    return performance.now() - begun;
  };
  timeOf(1000);
  const few = timeOf(1000);
  const many = timeOf(8000);
  // Copying all snapshots for each event takes 8 s.
  assert(many < 2000 + 100 * few, `${few} ms, ${many} ms`);
});

Deno.test("a start replays many sets of one value to the state that they make one by one", () => {
  const leaf = (value: unknown, member = "fader") => ({
    audio: { mixers: { 0: { faders: { 3: { [member]: value } } } } },
  });
  const texts = ["", "a", "a:", ':"', 'say ":" and \\', "}]", "}", '"', "\\", "ä\u2028", "{}"];
  const patches: unknown[] = [
    ...texts.map((text) => leaf(text, "label")),
    ...[-1, 0, 1e-7, -12.5, true, false, true].map((value) => leaf(value)),
    leaf([1, 2]),
    leaf([3]),
    { audio: { mixers: { 0: { faders: { 3: { fader: -1, on: true } } } } } },
    leaf(-2),
    { audio: { mixers: { 0: { faders: { 3: { fader: -1, on: false } } } } } },
    leaf(null),
    leaf({}),
    leaf("text again", "label"),
  ];
  const patched = [...patches, ...patches.toReversed(), ...patches];
  const records = patched.map((patch) =>
    new TextEncoder().encode(JSON.stringify([{ type: "valueskept", patch }]))
  );
  const replay = beginReplay(configuration);
  let expected = initialState(configuration);
  for (const record of records) {
    replay.read(record);
    expected = decodeRecord(record).reduce(reduce, expected);
  }
  assertEquals(replay.end().stored, expected.stored);
});

Deno.test("a start reads a null among the records of a value, as JSON has for a number that is none", () => {
  const replay = beginReplay(configuration);
  const path = parsePath("/audio/mixers/0/faders/3");
  for (const members of [{ fader: -20 }, { on: true }, { fader: NaN }]) {
    const patch = nest(path, members);
    replay.read(new TextEncoder().encode(JSON.stringify([{ type: "valueskept", patch }])));
  }
  const { fader, on } = find(replay.end().tree, path) as Branch;
  assertEquals([fader, on], [-160, true]);
});

Deno.test("a log written before a value had two names gives the value under both", () => {
  const automix = (members: Patch) => ({ audio: { mixers: { 0: { automix: { 1: members } } } } });
  const patch = automix({ maxattenuation: 25 });
  const replay = beginReplay(configuration);
  replay.read(new TextEncoder().encode(JSON.stringify([{ type: "valueskept", patch }])));
  const path = parsePath("/audio/mixers/0/automix/1");
  const { maxattenuation, attmax } = find(replay.end().tree, path) as Branch;
  assertEquals([maxattenuation, attmax], [25, 25]);
});
