import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { withoutOwnParts } from "../../core/backup/own-parts.ts";
import { isSnapshotTag, snapshotsOf } from "../../core/backup/snapshot-tag.ts";
import { type Tag, tagNames } from "../../core/backup/tags.ts";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { settingsOf, type SettingsTag } from "../../core/settings/settings.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Snapshot } from "../../core/snapshots/snapshot.ts";
import { type ConsoleEvent, reduce } from "../../core/events.ts";
import { initialState, type State } from "../../core/state.ts";
import { set } from "../../core/tree/set.ts";
import { DEVICE, type User } from "../../core/users/user.ts";
import { eventsOf, filesIn, gunzip, packed, read } from "../core/backup/archives.ts";
import { granted, stillPorts } from "../core/actors.ts";
import { demoWith } from "../service.ts";

const RUNS = 60;

const configurations = fc.record({
  device: fc.record({
    name: fc.constantFrom("one", "two"),
    firmware: fc.constantFrom("10.3.0", "9.0.0"),
    serial: fc.constantFrom("1", "2"),
  }, { requiredKeys: [] }),
  licenses: fc.constantFrom<string[]>([], ["52-8577"]),
  mixers: fc.array(fc.record({ faders: fc.integer({ min: 0, max: 4 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  processings: fc.integer({ min: 0, max: 2 }),
  // The logics of the demo console follow channels that these mixers may lack.
  logics: fc.constant<{ id: number }[]>([{ id: 1 }]),
}).map((parts) => demoWith(parts) as WrittenConfiguration);

const content = fc.dictionary(
  fc.constantFrom("fader", "on", "label", "10", "9", "größe"),
  fc.oneof(fc.double({ noNaN: true, min: -160, max: 10 }), fc.boolean(), fc.string()),
).map((fader) => canonicalJson({ faders: { 0: fader } }));

/** A UUID that contains the type, so that snapshots of two tags never have the same. */
const uuid = (type: number) =>
  fc.nat(30).map((n) => `${type}0000000-0000-4000-8000-${String(n).padStart(12, "0")}`);

const snapshots = (type: 1 | 2 | 3) =>
  fc.uniqueArray(
    fc.record({
      id: uuid(type),
      name: fc.string({ maxLength: 20 }),
      readgroups: fc.integer({ min: 0, max: 255 }),
      writegroups: fc.integer({ min: 1, max: 255 }),
      content,
    }),
    { selector: ({ id }) => id, maxLength: 5 },
  ).map((list) =>
    list.map((one, at): Snapshot => {
      const common = { ...one, number: at + 1, type, factory: false };
      return type === 2 ? { ...common, mixer: at % 3 } : common;
    })
  );

const defaults = fc.uniqueArray(fc.record({ mixer: fc.nat(3), content }), {
  selector: ({ mixer }) => mixer,
}).map((list) =>
  list.map((one): Snapshot => ({
    ...one,
    id: "default",
    number: 0,
    type: 2,
    name: "default",
    readgroups: 0,
    writegroups: 0,
    factory: false,
  }))
);

const ADDED = { engine: false, may: "operate", created: "2026-10-02T07:30:00.005Z" } as const;
const users = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("admin", "Zoë", "bob", "eve", "x.y@z"),
    groups: fc.integer({ min: 0, max: 255 }),
    admin: fc.boolean(),
  }),
  { selector: ({ name }) => name },
).map((list) =>
  list.map((user, at): User => ({
    ...ADDED,
    ...user,
    tokenHash: String(at).repeat(64).slice(0, 64),
  }))
);

const pem = (label: string, text: string) =>
  `-----BEGIN ${label}-----\n${btoa(text)}\n-----END ${label}-----\n`;
const tls = fc.option(
  fc.constantFrom("one", "two", "three").map((text) => ({
    certificate: pem("CERTIFICATE", text) + pem("CERTIFICATE", `issuer of ${text}`),
    key: pem("EC PRIVATE KEY", text),
  })),
  { nil: undefined },
);

const settings = fc.record({
  NETWORK: fc.record({ deviceName: fc.constantFrom("a", "b") }),
  TIMEZONE: fc.record({ zone: fc.constantFrom("Europe/Berlin", "UTC"), dst: fc.boolean() }),
  LOG: fc.record({ level: fc.constantFrom("info", "debug") }),
  SNMP: fc.record({ location: fc.string({ maxLength: 9 }) }),
}, { requiredKeys: [] });

const viewDocuments = fc.dictionary(
  fc.constantFrom("pages", "groups", "10", "9"),
  fc.record({ title: fc.string({ maxLength: 9 }) }),
);

/** A state with all kinds of content, live levels too. */
const states = fc.record({
  configuration: configurations,
  channel: snapshots(1),
  mixer: snapshots(2),
  processing: snapshots(3),
  defaults,
  users,
  tls,
  settings,
  viewDocuments,
  levels: fc.array(fc.integer({ min: -160, max: 10 }), { maxLength: 4 }),
}).map((made): State => {
  const read = readConfiguration(made.configuration);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  const events: ConsoleEvent[] = [
    ...[...made.channel, ...made.mixer, ...made.processing, ...made.defaults]
      .map((snapshot) => ({ type: "snapshotwritten", snapshot } as const)),
    ...made.users.map((user) => ({ type: "userwritten", user } as const)),
    { type: "restored", settings: made.settings, tls: made.tls ?? null },
    ...Object.entries(made.viewDocuments).map(([name, document], at) => ({
      type: "viewdocumentwritten",
      name,
      revision: at + 1,
      text: JSON.stringify(document),
    } as const)),
  ];
  let state = events.reduce(reduce, initialState(read.configuration));
  for (const [fader, level] of made.levels.entries()) {
    const decision = set(`/audio/mixers/0/faders/${fader}/fader`, level)(state, DEVICE, stillPorts);
    if ("events" in decision) state = decision.events.reduce(reduce, state);
  }
  return state;
});

/** The JSON of each view document, by its name. */
function textsOf({ viewDocuments: { byName } }: State): object {
  return Object.fromEntries([...byName].map(([name, { text }]) => [name, text]));
}

/** The part of a state that a tag stands for. */
function partOf(state: State, tag: Tag): unknown {
  if (tag === "FWCONFIG") return withoutOwnParts(state.configuration.written);
  if (tag === "TLS") return state.tls;
  if (tag === "USERS") return [...state.users.values()];
  if (tag === "VIEW") return textsOf(state);
  if (isSnapshotTag(tag)) return snapshotsOf(state.snapshots, tag);
  return settingsOf(state, tag as SettingsTag);
}

Deno.test("restore(backup(s, tags)) onto any state equals s in the parts of the tags, and that state in all others", async () => {
  await fc.assert(
    fc.asyncProperty(
      states,
      states,
      fc.subarray([...tagNames], { minLength: 1 }),
      async (s, t, tags) => {
        const archive = await packed(s, tags);
        const contents = granted(await read(archive, tags));
        const restored = eventsOf(t, contents).reduce(reduce, t);
        for (const tag of tagNames) {
          assertEquals(partOf(restored, tag), partOf(tags.includes(tag) ? s : t, tag), tag);
        }
        assertEquals(restored.pictures, t.pictures);
        const { device, licenses } = t.configuration;
        const { name } = (tags.includes("NETWORK") ? s : t).configuration.device;
        assertEquals(restored.configuration.device, { ...device, name });
        assertEquals(restored.configuration.licenses, licenses);
        if (!tags.includes("FWCONFIG")) assertEquals(restored.tree.control, t.tree.control);
        const files = async (bytes: Uint8Array<ArrayBuffer>) => {
          const found = filesIn(await gunzip(bytes));
          found.delete("manifest.json");
          return found;
        };
        assertEquals(await files(await packed(restored, tags)), await files(archive));
        const { replaces: _, ...once } = restored;
        const { replaces: __, ...twice } = eventsOf(restored, contents).reduce(reduce, restored);
        assertEquals(twice, once, "restoring twice is restoring once");
      },
    ),
    { numRuns: RUNS },
  );
});
