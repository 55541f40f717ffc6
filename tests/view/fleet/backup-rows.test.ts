import { assertEquals } from "@std/assert";
import { ageOf, backupRowsOf, foundRows, type Listed } from "../../../view/fleet/backup-rows.ts";
import type { FleetConsole } from "../../../view/fleet/console.ts";

const collator = new Intl.Collator("en", { numeric: true });
const backup = { time: "2026-01-01T02:30:00.000Z", content: "0".repeat(64), bytes: 1000 };

const listed = (console: string, site: string, part: Partial<Listed> = {}): Listed => ({
  console,
  name: `Studio ${console}`,
  site,
  backups: [backup],
  ...part,
});

const known = (id: string, state: FleetConsole["_state"] = "live") =>
  [id, { _id: id, _state: state } as FleetConsole] as const;

const consoles = Object.fromEntries([
  known("10"),
  known("9"),
  known("2"),
  known("3", "removed"),
  known("4", "quarantined"),
  known("5", "gone"),
]);

const rows = backupRowsOf(
  [
    listed("10", "Köln"),
    listed("9", "Köln", { failed: "may only operate" }),
    listed("2", "Berlin", { backups: [] }),
    listed("3", "Berlin"),
    listed("4", "Berlin"),
    listed("5", "Berlin", { alarm: "The newest backup is old", failed: "away" }),
  ],
  consoles,
  "never",
  collator,
);

Deno.test("consoles are listed by site and name, each with its newest backup, also consoles that left the fleet", () => {
  assertEquals(rows.map(({ id }) => id), ["2", "3", "5", "9", "10"]);
  assertEquals(rows.map(({ console }) => console?._state), [
    ...["live", undefined, "gone", "live", "live"],
  ]);
  assertEquals(rows.map(({ newest }) => newest?.bytes), [undefined, 1000, 1000, 1000, 1000]);
});

Deno.test("an alarm is that of the hub, or says that there is no backup; a console that left the fleet has no alarm", () => {
  const alarms = rows.map(({ alarm }) => alarm);
  assertEquals(alarms, ["never", undefined, "The newest backup is old", undefined, undefined]);
  assertEquals(rows.map(({ failed }) => failed)[3], "may only operate");
});

Deno.test("consoles are filtered by site, and by words that must all match", () => {
  const ids = (words: string, site?: string) => foundRows(rows, words, site).map(({ id }) => id);
  assertEquals(ids(""), ["2", "3", "5", "9", "10"]);
  assertEquals(ids(" studio KÖLN 9 "), ["9"]);
  assertEquals(ids("", "Berlin"), ["2", "3", "5"]);
  assertEquals(ids("old"), ["5"]);
});

Deno.test("an age is in its largest unit from minutes to days, and never negative", () => {
  assertEquals([59_000, 3_599_000, 26 * 3_600_000, -5000].map(ageOf), [
    [0, "minute"],
    [59, "minute"],
    [1, "day"],
    [0, "minute"],
  ]);
});
