/** Which messages of engines are remembered, so that others like them are taken unread. */
import { assertEquals } from "@std/assert";
import { createReports } from "../../../core/engines/reports.ts";
import type { Claim } from "../../../core/engines/engines.ts";
import { demoWith, testConsole } from "../../service.ts";

const FADERS = 4000;

async function remembering() {
  const configuration = demoWith({ mixers: [{ faders: FADERS }] });
  const console = await testConsole({ configuration });
  return { console, reports: createReports(console, () => {}) };
}

const newClaim = (): Claim => ({ user: "dsp", paths: [[]], isLate: false });

/** A message that reports the input of faders, from one to another. */
function message(from: number, to: number, level = -20, space = 0): string {
  const numbered = Array.from({ length: to - from }, (_, index) => [
    from + index,
    { meter: { _input: [level, level] } },
  ]);
  const payload = { audio: { mixers: { 0: { faders: Object.fromEntries(numbered) } } } };
  return JSON.stringify({ method: "report", payload }, null, space);
}

Deno.test("16 messages of an engine are remembered, and of more the last", async () => {
  const { reports } = await remembering();
  const claim = newClaim();
  const take = (fader: number) => {
    const text = message(fader, fader + 1);
    reports.take(claim, JSON.parse(text).payload, text);
  };
  const known = (fader: number) => reports.renew(claim, message(fader, fader + 1, -7.25));
  for (let fader = 0; fader < 16; fader++) take(fader);
  for (let fader = 0; fader < 16; fader++) assertEquals(known(fader), true, String(fader));
  take(16);
  assertEquals([known(0), known(1), known(16)], [false, true, true]);
});

/** Messages that are not remembered, and why. */
const forgotten: readonly (readonly [string, string])[] = [
  ["it has 128 Ki characters without its numbers", message(0, FADERS)],
  ["it is mostly spaces", message(0, 8, -20, 10)],
];

for (const [why, text] of forgotten) {
  Deno.test(`a message is not remembered where ${why}`, async () => {
    const { reports } = await remembering();
    const claim = newClaim();
    reports.take(claim, JSON.parse(text).payload, text);
    assertEquals(reports.renew(claim, text), false);
  });
}

Deno.test("a message is read at once where its numbers are longer than numbers are", async () => {
  const { reports } = await remembering();
  const claim = newClaim();
  const text = message(0, 1);
  reports.take(claim, JSON.parse(text).payload, text);
  const withDigits = (count: number) => text.replaceAll("-20", `-20.${"1".repeat(count)}`);
  assertEquals(reports.renew(claim, withDigits(17)), true);
  assertEquals(reports.renew(claim, withDigits(1000)), false);
});

Deno.test("of all engines together 512 Ki characters are remembered", async () => {
  const { reports } = await remembering();
  const text = message(0, 1000);
  const known = Array.from({ length: 24 }, () => {
    const claim = newClaim();
    reports.take(claim, JSON.parse(text).payload, text);
    return reports.renew(claim, text);
  });
  const most = Math.floor(512 * 1024 / text.replaceAll("-20", "0").length);
  assertEquals(known.filter((isKnown) => isKnown).length, most);
});
