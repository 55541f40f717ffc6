import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { localTime } from "../../../core/settings/local-time.ts";
import { readSettings, settingsOf, type SettingsTag } from "../../../core/settings/settings.ts";
import type { Console } from "../../../core/console.ts";
import type { Restored } from "../../../core/backup/restored.ts";
import { stillClock, testConsole } from "../../service.ts";
import { actor, granted, refusal, resultOf } from "../actors.ts";
import { recordingStore } from "../stores.ts";

/** 12:00 on 15 July in UTC. */
const NOON = Date.UTC(2026, 6, 15, 12);

async function started(records: Iterable<Uint8Array> = []) {
  const store = recordingStore();
  const clock = stillClock();
  clock.tick(NOON);
  const console = await testConsole({ store, clock, records });
  return { console, store };
}

const settings = (documents: Restored["settings"] & object): Restored => ({
  type: "restored",
  settings: documents,
});

const take = (console: Console, event: Restored) =>
  resultOf(console, () => ({ events: [event], result: {} }));

/** The name that a snapshot gets when none is given. */
async function defaultName(console: Console): Promise<string> {
  const params = { type: 2, id: "", writegroups: 1, readgroups: 0 } as const;
  await resultOf(console, saveSnapshot(params), actor(console, "admin"));
  return [...console.state.snapshots.values()].at(-1)!.name;
}

const HERE = localTime(NOON);

Deno.test("a default snapshot name is the time in the zone of TIMEZONE, also after a restart", async () => {
  const { console, store } = await started();
  assertEquals(await defaultName(console), HERE);
  await take(console, settings({ TIMEZONE: { zone: "Asia/Tokyo" } }));
  assertEquals(await defaultName(console), "2026-07-15 21:00:00");
  const again = await started(store.records);
  assertEquals(await defaultName(again.console), "2026-07-15 21:00:00");
  await take(console, settings({ TIMEZONE: { dst: false } }));
  assertEquals(await defaultName(console), HERE, "a document without a zone");
});

Deno.test("without a restored time zone, the document of TIMEZONE has none", async () => {
  const { console } = await started();
  assertEquals(settingsOf(console.state, "TIMEZONE"), { dst: true, ntp: [] });
});

Deno.test("the document of NETWORK has the present name of the device", async () => {
  const { console } = await started();
  const document = { interfaces: [], dns: [], deviceName: "demo" };
  assertEquals(settingsOf(console.state, "NETWORK"), document);
  await take(console, settings({ NETWORK: { deviceName: "gone", dns: ["10.0.0.1"] } }));
  assertEquals(settingsOf(console.state, "NETWORK"), { deviceName: "demo", dns: ["10.0.0.1"] });
});

const refused: readonly (readonly [SettingsTag, unknown, string])[] = [
  ["TIMEZONE", { zone: "Mars/Olympus" }, "zone: expected an IANA time zone like Europe/Berlin"],
  ["TIMEZONE", { zone: "+01:00" }, "zone: expected an IANA time zone"],
  ["TIMEZONE", { zone: "" }, "zone: expected an IANA time zone"],
  [
    "NETWORK",
    { deviceName: "a/b" },
    `deviceName: expected letters, digits, '.', '_', '-', got "a/b"`,
  ],
  ["NETWORK", { deviceName: "" }, "deviceName: expected letters"],
  ["NETWORK", { deviceName: "-a" }, "deviceName: expected letters"],
  ["NETWORK", { deviceName: "a".repeat(64) }, "deviceName: expected letters"],
];

for (const [tag, document, reason] of refused) {
  Deno.test(`${tag} is refused: ${reason}`, () => {
    const { message } = refusal(readSettings(tag, document, "file"));
    assertStringIncludes(message, `file: ${tag} is not a valid document: ${reason}`);
  });
}

Deno.test("every valid device name is valid in NETWORK", () => {
  for (const deviceName of ["a", "9", "Studio_1.on-air", "a".repeat(63)]) {
    assert("document" in granted(readSettings("NETWORK", { deviceName }, "file")));
  }
});
