import { assertEquals } from "@std/assert";
import { appliesInDegradedMode, type ConsoleEvent, events, isDurable } from "../../core/events.ts";
import { checkpointRecords } from "../../core/record.ts";
import { atOnce } from "../../core/cooperative-scheduler.ts";
import type { RecordBytes } from "../../core/ports.ts";
import { decodeRecord, encodeRecord, eventsIn } from "../../core/record.ts";
import { beginReplay } from "../../core/replay.ts";
import { prepareConfiguration } from "../../core/tree/build.ts";
import { whole } from "../../storage/records.ts";
import type { User } from "../../core/users/user.ts";
import { testConsole } from "../service.ts";

const snapshot = {
  id: "0f0c0001-0000-4000-8000-00000000000a",
  number: 1,
  type: 1,
  name: "Anna",
  readgroups: 0,
  writegroups: 1,
  factory: false,
  content: '{"on":true}',
} as const;
const user: User = {
  name: "anna",
  groups: 1,
  admin: false,
  engine: false,
  may: "operate",
  created: "2026-10-02T07:30:00.005Z",
  tokenHash: "00",
};
const list = { entries: [], page: 0, subscribers: new Set([1]), held: new Map() };
const patch = { audio: { mixers: { 0: { faders: { 0: { on: true } } } } } };
const { state: { configuration } } = await testConsole();
const prepared = atOnce(prepareConfiguration(configuration));

/** One event of each type, and whether it is durable: answered only once it is on the medium. */
const samples: {
  readonly [Type in ConsoleEvent["type"]]: readonly [ConsoleEvent & { type: Type }, boolean];
} = {
  restored: [
    { type: "restored", configuration: { prepared, replaces: ["00"] }, tls: null, users: [user] },
    true,
  ],
  configurationwritten: [{ type: "configurationwritten" }, true],
  snapshotstaged: [{ type: "snapshotstaged", restore: "1", snapshot }, true],
  restoregivenup: [{ type: "restoregivenup", restore: "1" }, false],
  userwritten: [{ type: "userwritten", user }, true],
  tokenused: [{ type: "tokenused", name: "anna", at: "2026-01-31T12:00:00.000Z" }, true],
  handovermade: [
    {
      type: "handovermade",
      name: "anna",
      handover: { codeHash: "01", tokenHash: "00", expires: "2026-10-02T07:45:00.005Z" },
    },
    false,
  ],
  handovertaken: [{ type: "handovertaken", name: "anna" }, false],
  userremoved: [{ type: "userremoved", name: "anna" }, true],
  snapshotwritten: [{ type: "snapshotwritten", snapshot }, true],
  snapshotmodified: [
    { type: "snapshotmodified", id: snapshot.id, name: "Bert", readgroups: 1, writegroups: 1 },
    true,
  ],
  snapshotremoved: [{ type: "snapshotremoved", id: snapshot.id }, true],
  picturewritten: [
    { type: "picturewritten", id: 1, version: "1", bytes: Uint8Array.of(0, 1, 2) },
    true,
  ],
  viewdocumentwritten: [
    { type: "viewdocumentwritten", name: "pages", revision: 1, text: '{"a":[1]}' },
    true,
  ],
  treechanged: [{ type: "treechanged", patch, kept: patch }, true],
  valueskept: [{ type: "valueskept", patch }, true],
  unknowndropped: [{ type: "unknowndropped" }, false],
  fadestarted: [{ type: "fadestarted", mixer: 0, fader: 0, value: 0, seconds: 1 }, false],
  fadeended: [{ type: "fadeended", faders: [{ mixer: 0, fader: 0 }] }, false],
  listchanged: [{ type: "listchanged", list: 1, contents: list }, false],
  commanddone: [{ type: "commanddone", done: { "0f": 2000 }, forgotten: 1000 }, true],
  accesschanged: [{ type: "accesschanged", mixer: 0, accessgroup: 1, fader: 2 }, false],
  engineschanged: [
    { type: "engineschanged", engines: { own: "plays", claims: new Map(), lost: [] } },
    false,
  ],
  listnotified: [
    { type: "listnotified", list: 1, entry: 0, on: 1, subscribers: list.subscribers },
    false,
  ],
};

/** Durable events that come into force also where they cannot be stored, as volatile ones do. */
const live: readonly string[] = ["tokenused", "treechanged", "valueskept"];

Deno.test("an event of the live state is in force where it cannot be stored, any other is refused", () => {
  for (const [event, durable] of Object.values(samples)) {
    assertEquals(appliesInDegradedMode(event), !durable || live.includes(event.type), event.type);
  }
});

Deno.test("every event is listed under its own type", () => {
  const types = Object.values(samples).map(([{ type }]) => type);
  assertEquals([...events.keys()].toSorted(), types.toSorted());
});

for (const [event, durable] of Object.values(samples)) {
  const { type } = event;
  Deno.test(`${type} is ${durable ? "durable, and in its record" : "volatile, and in no record"}`, () => {
    assertEquals(isDurable(event), durable);
    const record = whole(encodeRecord([event]));
    assertEquals(eventsIn(record).length, durable ? 1 : 0);
    const expected = type === "treechanged" ? [{ type: "valueskept", patch }] : [event];
    assertEquals(decodeRecord(record), durable ? expected as ConsoleEvent[] : []);
  });
}

/** The state that a start replays from records. */
function found(records: Iterable<RecordBytes>) {
  const replay = beginReplay(configuration);
  for (const record of records) replay.read(whole(record));
  return replay.end();
}

for (const [event, durable] of Object.values(samples)) {
  if (!durable) continue;
  Deno.test(`a checkpoint keeps the effect of ${event.type} on the state`, () => {
    const records = [encodeRecord([event])];
    const state = found(records);
    assertEquals(found(checkpointRecords(state)), state);
  });
}

Deno.test("a change of the tree without kept values is volatile", () => {
  assertEquals(isDurable({ type: "treechanged", patch }), false);
});

Deno.test("the events of one record come back in their order, each with its own bytes", () => {
  const picture = (id: number, ...bytes: number[]): ConsoleEvent => {
    return { type: "picturewritten", id, version: "v", bytes: Uint8Array.from(bytes) };
  };
  const all = [picture(1, 0, 1), samples.userwritten[0], picture(2), picture(3, 91, 0, 123)];
  assertEquals(decodeRecord(whole(encodeRecord(all))), all);
});
