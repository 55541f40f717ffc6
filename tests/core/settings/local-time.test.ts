import { assertEquals } from "@std/assert";
import { isTimeZone, localTime } from "../../../core/settings/local-time.ts";

/** An instant, a time zone, and the local time there. */
const shown: readonly (readonly [string, string, string])[] = [
  ["2026-01-15T12:00:00Z", "UTC", "2026-01-15 12:00:00"],
  ["2026-01-15T12:00:00Z", "Europe/Berlin", "2026-01-15 13:00:00"],
  ["2026-07-15T12:00:00Z", "Europe/Berlin", "2026-07-15 14:00:00"],
  ["2026-07-15T22:00:00Z", "Europe/Berlin", "2026-07-16 00:00:00"],
  ["2026-12-31T23:59:59Z", "Asia/Tokyo", "2027-01-01 08:59:59"],
  ["2026-01-01T00:00:00Z", "America/St_Johns", "2025-12-31 20:30:00"],
  ["2026-03-29T00:59:59Z", "Europe/Berlin", "2026-03-29 01:59:59"],
  ["2026-03-29T01:00:00Z", "Europe/Berlin", "2026-03-29 03:00:00"],
];

for (const [time, zone, expected] of shown) {
  Deno.test(`at ${time} clocks in ${zone} show ${expected}`, () => {
    assertEquals(localTime(Date.parse(time), zone), expected);
  });
}

Deno.test("without a zone the local time is that of the machine, in summer and winter", () => {
  for (const month of [0, 3, 6, 9]) {
    const date = new Date(2026, month, 5, 7, 9, 3);
    assertEquals(localTime(date.getTime()), `2026-${`0${month + 1}`.slice(-2)}-05 07:09:03`);
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    assertEquals(localTime(date.getTime(), timeZone), localTime(date.getTime()));
  }
});

const zones: Readonly<Record<string, boolean>> = {
  "Europe/Berlin": true,
  "America/Argentina/Buenos_Aires": true,
  "Etc/GMT+1": true,
  "UTC": true,
  "CET": true,
  "": false,
  "+01:00": false,
  "+01": false,
  "-0330": false,
  "GMT+1": false,
  "Mars/Olympus": false,
  "Europe": false,
  "Europe/Berlin ": false,
  "Europe/Berlin\n": false,
  "../Europe/Berlin": false,
  ["A".repeat(100_000)]: false,
};

for (const [text, isOne] of Object.entries(zones)) {
  Deno.test(`${JSON.stringify(text.slice(0, 40))} is ${isOne ? "a" : "no"} time zone`, () => {
    assertEquals(isTimeZone(text), isOne);
  });
}
