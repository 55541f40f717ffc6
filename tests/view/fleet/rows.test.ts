import { assertEquals } from "@std/assert";
import type { FleetConsole } from "../../../view/fleet/console.ts";
import {
  consolesIn,
  countsOf,
  type Filter,
  isSame,
  rowsOf,
  seenRows,
  sitesOf,
} from "../../../view/fleet/rows.ts";

const collator = new Intl.Collator("en", { numeric: true });
const everything: Filter = { words: "", site: undefined, show: "all" };

function made(
  id: string,
  site: string,
  state: FleetConsole["_state"] = "live",
  alarms: string[] = [],
): FleetConsole {
  const since = "2026-01-01T00:00:00.000Z";
  return {
    _id: id,
    _name: `Studio ${id}`,
    _site: site,
    _state: state,
    _since: since,
    _heard: true,
    _version: "0.1.0",
    _alarms: alarms,
  };
}

const fleet = [
  made("10", "Köln"),
  made("9", "Köln", "stale", ["full"]),
  made("1", ""),
  made("2", "Berlin", "quarantined"),
  made("3", "Berlin", "gone"),
];

Deno.test("rows are sorted by site and by name with numbers, after the consoles that await approval", () => {
  assertEquals(rowsOf(fleet, everything, collator), [
    { heading: { site: undefined, count: 1 } },
    { id: "2" },
    { heading: { site: "", count: 1 } },
    { id: "1" },
    { heading: { site: "Berlin", count: 1 } },
    { id: "3" },
    { heading: { site: "Köln", count: 2 } },
    { id: "9" },
    { id: "10" },
  ]);
  assertEquals(sitesOf(fleet, collator), ["", "Berlin", "Köln"]);
});

Deno.test("consoles are filtered by words that must all match, by site, and by state", () => {
  const found = (filter: Partial<Filter>) =>
    rowsOf(fleet, { ...everything, ...filter }, collator).flatMap((row) =>
      "id" in row ? row.id : []
    );
  assertEquals(found({ words: " KÖLN full " }), ["9"]);
  assertEquals(found({ site: "" }), ["1"]);
  assertEquals(found({ show: "away" }), ["3", "9"]);
  assertEquals(found({ show: "alarms", site: "Berlin" }), []);
  assertEquals(countsOf(fleet), { all: 5, alarms: 1, live: 2, away: 2, quarantined: 1 });
});

Deno.test("a removed console is not in the fleet", () => {
  const [one, other] = [made("1", ""), made("2", "", "removed")];
  assertEquals(consolesIn({ 1: one, 2: other }), [one]);
});

Deno.test("two lists of rows are the same if their ids, headings and counts are", () => {
  const rows = rowsOf(fleet, everything, collator);
  assertEquals(isSame(rows, rowsOf(fleet.toReversed(), everything, collator)), true);
  assertEquals(isSame(rows, rowsOf(fleet.slice(1), everything, collator)), false);
});

Deno.test("of any number of rows only the rows on the screen and a few around them are in the page", () => {
  assertEquals(seenRows(0, 640, 1000), [0, 14]);
  assertEquals(seenRows(6400, 640, 1000), [96, 114]);
  assertEquals(seenRows(63_360, 640, 1000), [986, 1000]);
  assertEquals(seenRows(63_360, 640, 3), [3, 3]);
});
