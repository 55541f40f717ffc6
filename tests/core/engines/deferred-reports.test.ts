/** The known forms of reports: a report that differs from one only in its numbers is deferred. */
import { assertEquals } from "@std/assert";
import { createDeferredReports } from "../../../core/engines/deferred-reports.ts";
import type { Claim } from "../../../core/engines/engines.ts";
import { testConsole } from "../../service.ts";

const console = await testConsole();

const user = console.state.users.get("one")!;
const newClaim = (): Claim => ({ user, paths: [[]], isLate: false });

/** A message that reports the input meters of the faders `from` up to, without, `to`. */
function message(from: number, to: number, level = -20): string {
  const numbered = Array.from({ length: to - from }, (_, index) => [
    from + index,
    { meter: { _input: [level, level] } },
  ]);
  const payload = { audio: { mixers: { 0: { faders: Object.fromEntries(numbered) } } } };
  return JSON.stringify({ method: "report", payload });
}

function reportsOf() {
  const reports = createDeferredReports(console, () => {});
  return {
    defer: reports.defer,
    learn: (claim: Claim, text: string) => reports.learn(claim, JSON.parse(text).payload, text),
  };
}

Deno.test("the latest 16 forms of an engine are known", () => {
  const { defer, learn } = reportsOf();
  const claim = newClaim();
  const isKnown = (fader: number) => defer(claim, message(fader, fader + 1, -7.25));
  for (let fader = 0; fader < 16; fader++) learn(claim, message(fader, fader + 1));
  for (let fader = 0; fader < 16; fader++) assertEquals(isKnown(fader), true, String(fader));
  learn(claim, message(16, 17));
  assertEquals([isKnown(0), isKnown(1), isKnown(16)], [false, true, true]);
});

Deno.test("a form of more than 128 Ki characters is not known", () => {
  const { defer, learn } = reportsOf();
  const claim = newClaim();
  learn(claim, message(0, 4000));
  assertEquals(defer(claim, message(0, 4000)), false);
});

Deno.test("a report is not deferred where its numbers are longer than usual", () => {
  const { defer, learn } = reportsOf();
  const claim = newClaim();
  const text = message(0, 1);
  learn(claim, text);
  const withDigits = (count: number) => text.replaceAll("-20", `-20.${"1".repeat(count)}`);
  assertEquals(defer(claim, withDigits(17)), true);
  assertEquals(defer(claim, withDigits(1000)), false);
});

Deno.test("the known forms of all engines together have at most 512 Ki characters", () => {
  const { defer, learn } = reportsOf();
  const text = message(0, 1000);
  const known = Array.from({ length: 24 }, () => {
    const claim = newClaim();
    learn(claim, text);
    return defer(claim, text);
  });
  const most = Math.floor(512 * 1024 / text.replaceAll("-20", "0").length);
  assertEquals(known.filter((isKnown) => isKnown).length, most);
});
