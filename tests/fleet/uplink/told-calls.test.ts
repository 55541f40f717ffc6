/** The calls that a console tells its hub for the audit trail of the fleet, in simulated time. */
import { assert, assertEquals } from "@std/assert";
import type { Audit, AuditEntry } from "../../../core/audit.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { readFrame } from "../../../fleet/hub/frames.ts";
import { startUplink } from "../../../fleet/uplink/uplink.ts";
import { type ToldLine, UNSENT_BYTES } from "../../../fleet/wire.ts";
import { machineScheduler } from "../../../runtimes/clock.ts";
import { serviceOf, testConsole } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { scriptedLines } from "../scripted-lines.ts";

const FADER = "/audio/mixers/0/faders/0/fader";
const WELCOME = { type: "welcome", hub: "a", boot: "hub", t: 0, quarantined: false } as const;
const MINUTE_MS = 60_000;

/** A console that dials a hub; the test is the hub. */
async function dialling() {
  const time = passingTime();
  const clock = { now: time.timer.monotonic, monotonic: time.timer.monotonic };
  const console = await testConsole({ clock });
  const parts = { clock, timer: time.timer, scheduler: machineScheduler() };
  const { service, sessions } = serviceOf(console, parts);
  const { dial, lines } = scriptedLines();
  const listeners = new Set<Audit>();
  startUplink(console, {
    id: "1".repeat(32),
    hubs: ["wss://hub.test"],
    summary: { site: "", may: "operate", version: "1" },
    service,
    sessions,
    watchAudit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clock,
    timer: time.timer,
    scheduler: withoutPauses,
    random: () => 0,
    boot: "boot",
    dial,
    onFault(fault) {
      throw fault;
    },
    tell() {},
  });
  const line = () => lines.at(-1)!;

  /** Lets time pass on a hub that beats. */
  function pass(ms: number): void {
    for (let left = ms; left > 0; left -= 500) {
      line().say({ type: "beat", t: 0, boot: "hub" } as const);
      time.pass(Math.min(left, 500));
    }
  }

  return {
    line,
    pass,
    listeners,
    say: (entry: AuditEntry) => listeners.forEach((listener) => void listener(entry)),
    told: (): ToldLine[] => line().frames("told").flatMap(({ lines }) => lines),
  };
}

const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  user: "fleet:anna",
  from: "10.0.0.1",
  what: "set",
  changes: [{ path: FADER, before: -160, after: -12 }],
  ...more,
});

Deno.test("a console tells calls of users of the fleet alone, and none of a batch", async () => {
  const { line, pass, say, told } = await dialling();
  line().say({ ...WELCOME, takesTold: true });
  assertEquals(line().frames("birth")[0].summary.tells, true);
  say(entry());
  say(entry({ user: "anna" }));
  say(entry({ user: undefined }));
  say(entry({ batch: "b" }));
  const { changes: _, ...attempt } = entry({ user: "fleet:ben", target: FADER });
  say({ ...attempt, refused: { code: 5, message: "no right" } });
  pass(1000);
  assertEquals(told(), [
    { ...entry(), user: "anna" },
    { user: "ben", from: "10.0.0.1", what: "set", target: FADER, refused: "no right" },
  ] as ToldLine[]);
});

Deno.test("a fader that is ridden has two lines a minute", async () => {
  const { line, pass, say, told } = await dialling();
  line().say({ ...WELCOME, takesTold: true });
  for (let at = 0; at < 25 * 50; at++) {
    say(entry({ changes: [{ path: FADER, before: at, after: at + 1 }] }));
    if (at % 25 === 0) pass(1000);
  }
  pass(MINUTE_MS);
  const [first, last, ...others] = told();
  assertEquals(others, []);
  assertEquals(first!.changes![0]!.after, 1);
  assertEquals([last!.changes![0]!.after, last!.again], [1250, 1249]);
});

Deno.test("a caller with many different calls is counted beyond a quarter of the lines", async () => {
  const { line, pass, say, told } = await dialling();
  line().say({ ...WELCOME, takesTold: true });
  for (let at = 0; at < 1000; at++) {
    say(entry({ changes: [{ path: `/audio/${at}`, before: 0, after: 1 }] }));
  }
  say(entry({ user: "fleet:ben" }));
  // Nobody can hide a new admin behind other changes.
  for (const name of [...Array.from({ length: 20 }, (_, at) => `guest-${at}`), "eve"]) {
    const path = `/users/${name}`;
    say(entry({ changes: [{ path, before: undefined, after: { admin: name === "eve" } }] }));
  }
  pass(2 * MINUTE_MS);
  const of = (name: string) => told().filter(({ user }) => user === name);
  assertEquals(of("ben").length, 1);
  const ofUsers = of("anna").filter(({ changes = [] }) => changes[0]?.path === "/users/eve");
  assertEquals(ofUsers.length, 1);
  const [counted] = of("anna").filter(({ what }) => what === "other changes");
  assertEquals(of("anna").length, 32);
  assertEquals(counted!.again, 1000 - 10);
});

Deno.test("a hub that does not take such lines gets none, nor what was done before it came", async () => {
  const { line, pass, say, told, listeners } = await dialling();
  line().say(WELCOME);
  say(entry());
  pass(1000);
  assertEquals(told(), []);
  assertEquals(listeners.size, 0);
  assertEquals("tells" in line().frames("birth")[0].summary, false);
  const older = line();
  older.end();
  pass(1000);
  say(entry());
  line().say({ ...WELCOME, takesTold: true });
  pass(1000);
  assertEquals(line() === older, false);
  assertEquals(told(), []);
  say(entry());
  pass(1000);
  assertEquals(told().length, 1);
  line().end();
  assertEquals(listeners.size, 0);
});

Deno.test("lines wait for a hub that does not read, up to a bound, and the rest is counted", async () => {
  const { line, pass, say, told } = await dialling();
  line().say({ ...WELCOME, takesTold: true });
  line().bufferedAmount = UNSENT_BYTES + 1;
  for (let minute = 0; minute < 40; minute++) {
    for (let at = 0; at < 1000; at++) {
      say(entry({ changes: [{ path: `/audio/${at}`, before: 0, after: 1 }] }));
    }
    pass(MINUTE_MS);
  }
  assertEquals(told(), []);
  line().bufferedAmount = 0;
  pass(3000);
  assertEquals(told().length, 256);
  assert(line().frames("told")[0].lost > 0);
});

Deno.test("a line that is long is cut so that a hub takes it", async () => {
  const { line, pass, say, told } = await dialling();
  line().say({ ...WELCOME, takesTold: true });
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, "\u0001".repeat(200)]));
  const changes = (count: number, after: unknown) =>
    Array.from({ length: count }, (_, at) => ({ path: `/${at}`, before: undefined, after }));
  say(entry({ what: "many", changes: changes(20, "x".repeat(200)), more: 5 }));
  say(entry({ what: "one", changes: changes(1, members(12)) }));
  const { changes: _, ...attempt } = entry({ what: "w".repeat(500), target: members(12) });
  say({ ...attempt, refused: { code: 5, message: "no right" } });
  pass(1000);
  const [many, one, refused] = told();
  assertEquals(many!.changes!.length + many!.more!, 25);
  assertEquals(one!.changes, [{ path: "/0" }]);
  assertEquals("target" in refused!, false);
  assert(line().frames("told").every((frame) => readFrame(JSON.stringify(frame)) !== undefined));
});
