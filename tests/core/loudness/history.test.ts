/** The history of levels and loudness, in simulated time. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { joinEngine } from "../../../core/engine.ts";
import { claimPaths, endClaim } from "../../../core/engines/claim.ts";
import { createDeferredReports } from "../../../core/engines/deferred-reports.ts";
import { takeReport } from "../../../core/engines/report.ts";
import { HISTORY_METERS, HISTORY_SECONDS } from "../../../core/limits.ts";
import { createLoudnessHistory, type HistoryKind } from "../../../core/loudness/history.ts";
import { readHistory } from "../../../core/loudness/read-history.ts";
import type { Patch } from "../../../core/tree/tree.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { DEVICE, type User } from "../../../core/users/user.ts";
import { demoWith, type Json, result, testConsole, until } from "../../service.ts";
import { passingTime } from "../../timers.ts";

const SILENT = -125;

async function underTest(parts: Parameters<typeof demoWith>[0] = {}) {
  const { timer, pass, pending } = passingTime();
  const clock = { now: () => 1_000_000_000_000 + timer.monotonic(), monotonic: timer.monotonic };
  const console = await testConsole({ clock, configuration: demoWith(parts) });
  await result(console, addUser({ name: "dsp", groups: 1, admin: false, engine: true }));
  const user = console.state.users.get("dsp") as User;
  const reports = createDeferredReports(console, () => {});
  const history = createLoudnessHistory(console, { timer, scheduler: withoutPauses, reports });
  const report = (payload: Json) =>
    console.dispatch(takeReport(payload, console.state.engines.claims.get(1)!.paths), DEVICE);
  return {
    console,
    history,
    reports,
    pass,
    pending,
    now: clock.now,
    claim: (...paths: string[][]) =>
      console.dispatch(claimPaths(user, paths), { user, connection: 1 }),
    release: () => console.dispatch(endClaim(1), DEVICE),
    report,
    loudness: (members: Json) => report({ audio: { loudness: { 1: members } } }),
    read: (query: object = {}, kind: HistoryKind = "loudness", id = 1) => {
      const read: Json = readHistory(console, history, kind, id, { step: 1, ...query });
      return read.result ?? read;
    },
  };
}

Deno.test("a second of history has the highest momentary value, and the last short-term and integrated values", async () => {
  const { claim, loudness, pass, read } = await underTest();
  claim([]);
  pass(10_000);
  loudness({ _levelm: -20.04, _levels: -22, _leveli: -23.06 });
  pass(400);
  loudness({ _levelm: -18, _levels: -21 });
  pass(400);
  loudness({ _levelm: -30, _levels: -24 });
  assertEquals(read().members, { _levelm: [-18], _levels: [-24], _leveli: [-23.1] });
  pass(1000);
  assertEquals(read().members, {
    _levelm: [-18, -30],
    _levels: [-24, -24],
    _leveli: [-23.1, -23.1],
  });
});

Deno.test("a second of history of a level has the highest left and right values", async () => {
  const { claim, report, pass, read } = await underTest();
  claim(["audio", "levels"]);
  report({ audio: { levels: { 1: { _left: -12, _right: -14, _correlation: 0.5 } } } });
  pass(500);
  report({ audio: { levels: { 1: { _left: -15, _right: -9 } } } });
  const { members } = read({}, "levels");
  assertEquals(members, { _left: [-12], _right: [-9] });
  assertEquals(read().members, {}, "nobody claimed the loudness");
});

Deno.test("without an engine there is no history, and no timer runs", async () => {
  const { claim, release, pass, pending, read, history } = await underTest();
  assertEquals(pending(), 0);
  pass(5000);
  assertEquals([read().members, history.of("loudness", 1)], [{}, undefined]);
  claim([]);
  pass(5000);
  assertEquals([pending(), history.of("loudness", 1)], [1, undefined], "it was silent so far");
  release();
  assertEquals(pending(), 0);
  claim(["audio", "mixers"]);
  assertEquals(pending(), 0, "it measures none of the meters");
});

Deno.test("the built-in engine is asked for its meters once a second, from the start of the service", async () => {
  const { timer, pass } = passingTime();
  const console = await testConsole();
  let asked = 0;
  let report: (patch: Patch) => void = () => {};
  joinEngine(console, {
    apply() {},
    start: (given) => void (report = given),
    refresh: () => report({ audio: { loudness: { 1: { _levelm: -20 - asked++ } } } }),
  });
  const reports = createDeferredReports(console, () => {});
  const history = createLoudnessHistory(console, { timer, scheduler: withoutPauses, reports });
  pass(3000);
  assertEquals(asked, 3);
  assertEquals(history.of("loudness", 1)!.read(1, 1, 3), { _levelm: [-20, -21, -22] });
});

Deno.test("a reader that throws is reported, and the history goes on a second later", async () => {
  const { timer, pass } = passingTime();
  const faults: unknown[] = [];
  const console = await testConsole({ onWatcherFault: (fault) => faults.push(fault) });
  joinEngine(console, { apply() {}, start() {} });
  const reports = createDeferredReports(console, () => {});
  createLoudnessHistory(console, { timer, scheduler: withoutPauses, reports });
  const fault = new Error("broken");
  console.beforeReading(() => {
    throw fault;
  });
  pass(1000);
  await until(() => faults.length === 1);
  pass(1000);
  await until(() => faults.length === 2);
  assertEquals(faults, [fault, fault]);
});

Deno.test("the history has a gap for each second without an engine", async () => {
  const { claim, release, loudness, pass, read } = await underTest();
  claim([]);
  loudness({ _levelm: -20 });
  pass(1000);
  release();
  pass(3000);
  claim([]);
  pass(1000);
  loudness({ _levelm: -21 });
  assertEquals(read().members._levelm, [-20, -20, null, null, null, -21]);
});

Deno.test("deferred reports stay deferred, and are looked at once a second", async () => {
  const { console, reports, claim, pass, read } = await underTest();
  claim([]);
  const text = (level: number) =>
    JSON.stringify({
      method: "report",
      payload: {
        audio: {
          loudness: { 1: { _levelm: level } },
          mixers: { 0: { faders: { 0: { meter: { _input: [level, level] } } } } },
        },
      },
    });
  const engine = console.state.engines.claims.get(1)!;
  await reports.take(engine, JSON.parse(text(-20)).payload);
  reports.learn(engine, JSON.parse(text(-20)).payload, text(-20));
  let changes = 0;
  console.watch(() => void changes++);
  for (let at = 1; at <= 50; at++) {
    pass(40);
    assertEquals(reports.defer(engine, text(-20 - at)), true);
  }
  assertEquals(changes, 2, "one a second");
  assertEquals(read().members._levelm, [-20, -44, -69]);
  const { mixers } = console.state.tree.audio as Json;
  assertEquals(mixers[0].faders[0].meter._input, [-20, -20], "all else was not taken");
});

Deno.test("the history holds the last hour, and nothing before it", async () => {
  const { claim, loudness, pass, read, now } = await underTest();
  claim([]);
  for (let second = 0; second < HISTORY_SECONDS + 100; second++) {
    loudness({ _levelm: -(second % 100) });
    pass(1000);
  }
  const { start, members: { _levelm: points } } = read();
  assertEquals(points.length, HISTORY_SECONDS);
  assertEquals(Date.parse(start), now() - (HISTORY_SECONDS - 1) * 1000);
  assertEquals(points.slice(-3), [-97, -98, -99], "at first that of the second before is in force");
});

Deno.test("longer steps have maxima and means, and a step covers the same seconds in every answer", async () => {
  const { claim, loudness, pass, read } = await underTest();
  claim([]);
  for (const value of [-20, -22, -30, -24, -26]) {
    loudness({ _levelm: value, _levels: value });
    pass(1000);
  }
  const both = { _levelm: [-20, -22, -24], _levels: [-21, -26, -25.3] };
  // The last second still has the value of the one before.
  assertEquals(read({ step: 2 }).members, { ...both, _levels: [-21, -27, -26] });
  assertEquals(read({ step: 2, since: 1_000_000_003_000 }).members._levelm, [-22, -24]);
});

Deno.test("since is the earliest time of the answer: before the history it leaves out nothing, after it everything", async () => {
  const { claim, loudness, pass, read, now } = await underTest();
  claim([]);
  for (let second = 0; second < 10; second++) {
    loudness({ _levelm: -20 - second });
    pass(1000);
  }
  assertEquals(read({ since: now() - 2000 }), {
    start: new Date(now() - 2000).toISOString(),
    step: 1,
    members: { _levelm: [-27, -28, -29] },
  });
  assertEquals(read({ since: 0 }), read());
  assertEquals(read({ since: now() + 5000 }).members, { _levelm: [] });
});

Deno.test("an unknown meter has no history: the refusal names the parameter", async () => {
  const { read } = await underTest();
  for (const [kind, parameter] of [["loudness", "loudness"], ["levels", "level"]] as const) {
    const message = `${parameter}: there is no /audio/${kind}/7`;
    assertEquals(read({}, kind, 7), { code: 6, message, parameter });
  }
});

Deno.test("the first 64 meters that are reported have a history", async () => {
  const levels = Array.from({ length: 80 }, (_, at) => ({ id: at, name: `Level ${at}` }));
  const { claim, report, history } = await underTest({ levels });
  claim([]);
  for (const { id } of levels) report({ audio: { levels: { [id]: { _left: -9 } } } });
  const held = levels.filter(({ id }) => history.of("levels", id) !== undefined);
  assertEquals(held.length, HISTORY_METERS);
});

const happening = fc.oneof(
  { weight: 5, arbitrary: fc.record({ wait: fc.nat({ max: 1500 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({ level: fc.integer({ min: -12500, max: 300 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ claims: true } as const) },
  { weight: 1, arbitrary: fc.constant({ claims: false } as const) },
);

Deno.test("the history equals a model that keeps every value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (happenings) => {
      const { claim, release, loudness, pass, read, now } = await underTest();
      const origin = now();
      /** The values in force in each second in which an engine had the claim. */
      const seconds = new Map<number, number[]>();
      let inForce = SILENT;
      let isClaimed = true;
      const noted = () => {
        if (!isClaimed) return;
        const second = Math.floor((now() - origin) / 1000);
        seconds.set(second, [...seconds.get(second) ?? [], inForce]);
      };
      claim([]);
      for (const happened of happenings) {
        if ("wait" in happened) {
          for (let ms = 0; ms < happened.wait; ms++) {
            pass(1);
            if ((now() - origin) % 1000 === 0) noted();
          }
        } else if ("level" in happened) {
          if (!isClaimed) continue;
          const before = inForce;
          inForce = happened.level / 100;
          loudness({ _levelm: inForce, _levels: inForce });
          if (inForce !== before) noted();
        } else if (happened.claims !== isClaimed) {
          isClaimed = happened.claims;
          if (isClaimed) claim([]);
          else release();
          if (!isClaimed) inForce = SILENT;
        }
      }
      const first = [...seconds].filter(([, values]) => values.some((one) => one !== SILENT))
        .map(([second]) => second).sort((one, other) => one - other)[0];
      const present = Math.floor((now() - origin) / 1000);
      const tenth = (value: number | undefined) =>
        value === undefined ? null : Math.round(value * 10) / 10;
      const pointsOf = (pointOf: (values: readonly number[]) => number | undefined) =>
        first === undefined ? undefined : Array.from(
          { length: present - first + 1 },
          (_, at) => tenth(pointOf(seconds.get(first + at) ?? [])),
        );
      const { members } = read();
      assertEquals(members._levelm, pointsOf((all) => all.toSorted((a, b) => a - b).at(-1)));
      assertEquals(members._levels, pointsOf((all) => all.at(-1)));
    }),
    { numRuns: 150 },
  );
});
