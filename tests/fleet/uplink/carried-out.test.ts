/** The commands of a hub on a console (docs/fleet.md, "Commands"). */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { AuditEntry } from "../../../core/audit.ts";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import type { Store } from "../../../core/ports.ts";
import { get } from "../../../core/tree/get.ts";
import { startUplink } from "../../../fleet/uplink/uplink.ts";
import type { FromHub } from "../../../fleet/wire.ts";
import { machineScheduler } from "../../../runtimes/clock.ts";
import { MAY_BE_FOUND } from "../../../storage/storage-error.ts";
import { heldStore, type Json, serviceOf, testConsole, until } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { scriptedLines } from "../scripted-lines.ts";

const FADER = "/audio/mixers/0/faders/0/fader";
const LABEL = "/audio/mixers/0/faders/0/label";
const ON = "/audio/mixers/0/faders/0/on";
const HUB_TIME = 5_000_000;

type Do = Extract<FromHub, { readonly type: "do" }>;

let count = 0;

function idOf(number: number): string {
  return number.toString(16).padStart(32, "0");
}

/** A console that a hub has welcomed, whose clock shows 5,000,000. */
async function welcomed(configuration?: WrittenConfiguration, store?: Store) {
  const time = passingTime();
  const clock = { now: () => 5000 + time.timer.monotonic(), monotonic: time.timer.monotonic };
  const told: AuditEntry[] = [];
  const console = await testConsole({
    clock,
    audit: (entry) => void told.push(entry),
    ...(configuration && { configuration }),
    ...(store && { store }),
  });
  const { service, sessions } = serviceOf(console, {
    clock,
    timer: time.timer,
    scheduler: machineScheduler(),
  });
  const { dial, lines } = scriptedLines();
  startUplink(console, {
    id: idOf(1),
    hubs: ["wss://hub.test"],
    summary: { site: "berlin", may: "operate", version: "1" },
    service,
    sessions,
    clock,
    timer: time.timer,
    scheduler: withoutPauses,
    random: () => 0,
    boot: "boot-1",
    dial,
    onFault(fault) {
      throw fault;
    },
    tell() {},
  });
  const hubTime = () => HUB_TIME + time.timer.monotonic();
  const line = () => lines.at(-1)!;
  const welcome = () =>
    line().say({ type: "welcome", hub: "a", boot: "hub", t: hubTime(), quarantined: false });
  welcome();

  /** Sends a command, and returns its frame. */
  function say(given: Partial<Do>): Do {
    const frame: Do = {
      type: "do",
      id: idOf(++count),
      batch: idOf(0xba),
      kind: "live",
      expires: hubTime() + 3000,
      request: { method: "set", path: ON, payload: true },
      as: { name: "anna", may: "admin" },
      from: "10.0.0.1",
      ...given,
    };
    line().say(frame);
    return frame;
  }

  async function answers(most: number, type: "did" | "would" = "did"): Promise<Json[]> {
    await until(() => line().frames(type).length >= most);
    return line().frames(type);
  }

  return { ...time, console, line, welcome, hubTime, say, answers, told };
}

const setLabel = (payload: string) => ({ method: "set", path: LABEL, payload }) as const;

Deno.test("a command is carried out as the user of the fleet, and answered", async () => {
  const { console, say, answers, told } = await welcomed();
  const { id, batch } = say({});
  assertEquals(await answers(1), [{ type: "did", id, outcome: "done", result: true }]);
  assertEquals(get(console, ON), { value: true });
  const [entry] = told.filter(({ what }) => what === "set");
  assertEquals([entry?.user, entry?.from, entry?.batch], ["fleet:anna", "10.0.0.1", batch]);
});

Deno.test("a repeated command has the same answer as before, and is not carried out again", async () => {
  const { console, say, answers, line, welcome, pass } = await welcomed();
  const first = say({});
  const [did] = await answers(1);
  say({ request: { method: "set", path: ON, payload: false } });
  await answers(2);
  line().end();
  pass(1000);
  welcome();
  say(first);
  assertEquals(await answers(1), [did]);
  assertEquals(get(console, ON), { value: false });
});

for (
  const [what, given, outcome, why] of [
    ["that has expired", { expires: HUB_TIME - 1 }, "expired", "too late"],
    ["of a user who may not", { as: { name: "eve", may: "view" } }, "refused", "view"],
    ["whose condition does not hold", { require: { [FADER]: 3 } }, "refused", "expected 3"],
    [
      "beyond fleet.may",
      { request: { method: "rpc", payload: { method: "removeuser", params: { name: "one" } } } },
      "refused",
      "admin",
    ],
    [
      "that is kept, and a level",
      {
        kind: "kept",
        request: { method: "set", path: FADER, payload: -10 },
      },
      "refused",
      "live",
    ],
    [
      "that is kept, and a fade",
      {
        kind: "kept",
        request: { method: "rpc", payload: { method: "fadetovalue", params: {} } },
      },
      "refused",
      "live",
    ],
    [
      "that is no request",
      {
        request: { method: "rpc", payload: { method: "nosuch" } },
      },
      "refused",
      "no RPC",
    ],
  ] as const
) {
  Deno.test(`a command ${what} is ${outcome} by the console, and changes nothing`, async () => {
    const { console, say, answers } = await welcomed();
    const { tree, users } = console.state;
    say(given as Partial<Do>);
    const [did] = await answers(1);
    assertEquals(did.outcome, outcome);
    assertStringIncludes(did.why, why);
    assertEquals(console.state.tree.audio, tree.audio);
    assertEquals(console.state.users, users);
  });
}

Deno.test("a command with a time begins then, by the clock of the hub, on the grid of 20 ms", async () => {
  const { console, say, answers, hubTime, pass, line } = await welcomed();
  say({ at: hubTime() + 901, expires: hubTime() + 3000 });
  pass(919);
  assertEquals(get(console, ON), { value: false });
  pass(1);
  await answers(1);
  assertEquals(get(console, ON), { value: true });
  assertEquals(line().frames("did")[0].outcome, "done");
});

Deno.test("kept commands are carried out in their order", async () => {
  const { console, say, answers } = await welcomed();
  for (const label of ["one", "two", "three"]) say({ kind: "kept", request: setLabel(label) });
  assertEquals((await answers(3)).map(({ outcome }) => outcome), ["done", "done", "done"]);
  assertEquals(get(console, LABEL), { value: "three" });
});

function previewOf(number: number) {
  return {
    type: "preview",
    id: idOf(number),
    as: { name: "anna", may: "operate" },
    from: "10.0.0.1",
    request: { method: "set", path: ON, payload: true },
  } as const;
}

Deno.test("a preview answers the values that would change, or the refusal, and changes nothing", async () => {
  const { console, line, answers } = await welcomed();
  const ask = previewOf(1);
  line().say(ask);
  line().say({ ...ask, id: idOf(2), as: { name: "eve", may: "view" } });
  const [would, refused] = await answers(2, "would");
  const onAt = (on: boolean) => ({ audio: { mixers: { 0: { faders: { 0: { on } } } } } });
  assertEquals(would, { type: "would", id: idOf(1), before: onAt(false), after: onAt(true) });
  assertStringIncludes(refused.refused, "view");
  assertEquals(get(console, ON), { value: false });
});

Deno.test("a preview answers the changes beside the control tree, and counts what is too long", async () => {
  const mixer = { faders: 512 };
  const { console, line, answers } = await welcomed({ mixers: [mixer, mixer, mixer, mixer] });
  const { tree, snapshots } = console.state;
  const faders = Object.fromEntries(
    Array.from({ length: 512 }, (_, at) => [at, { label: `Label ${at}`, on: true }]),
  );
  const mixers = { 0: { faders }, 1: { faders }, 2: { faders }, 3: { faders } };
  const ask = { ...previewOf(1), as: { name: "anna", may: "admin" } } as const;
  const rpc = (method: string, params: Json) =>
    ({ method: "rpc", payload: { method, params } }) as const;
  line().say({
    ...ask,
    request: rpc("savesnapshot", {
      id: "named",
      name: "Late",
      type: 2,
      mixer: 0,
      writegroups: 255,
    }),
  });
  line().say({
    ...ask,
    id: idOf(2),
    request: { method: "set", path: "/audio/mixers", payload: mixers },
  });
  const [would, long] = await answers(2, "would");
  assertEquals(would, {
    type: "would",
    id: idOf(1),
    before: {},
    after: {},
    changes: [{ path: would.changes[0].path, after: would.changes[0].after }],
  });
  assertMatch(would.changes[0].path, /^\/snapshots\/[0-9a-f-]{36}$/);
  assertEquals([would.changes[0].after.name, would.changes[0].after.type], ["Late", 2]);
  assertEquals([long.before, long.after, long.changes.length], [undefined, undefined, 20]);
  assertEquals(long.more, 4 * 512 * 3 - 20, "label, on, and what follows");
  assertEquals(console.state.tree.audio === tree.audio, true);
  assertEquals(console.state.snapshots === snapshots, true);
});

Deno.test("a command is not answered while only a restart can tell whether its change is stored", async () => {
  const store = heldStore();
  const { say, line } = await welcomed(undefined, store);
  store.hold();
  const ways = [() => store.fail(MAY_BE_FOUND), () => store.fail("no space"), () => store.store()];
  const all: Do[] = [];
  for (const way of ways) {
    all.push(say({ kind: "kept", request: setLabel("Anna") }));
    await until(() => store.waiting === 1);
    way();
  }
  say(all[0]!);
  await until(() => line().frames("did").length >= 2);
  assertEquals(line().frames("did").map(({ id, outcome }) => [id, outcome]), [
    [all[1]!.id, "refused"],
    [all[2]!.id, "done"],
  ]);
});

Deno.test("of more previews at a time than 256 the rest is refused, and later ones are answered", async () => {
  const { line, answers } = await welcomed();
  for (let number = 1; number <= 300; number++) line().say(previewOf(number));
  const all = await answers(300, "would");
  const refused = all.filter((would) => would.refused !== undefined);
  assertEquals(refused.length, 44);
  assertStringIncludes(refused[0].refused, "256 commands are under way");
  line().say(previewOf(301));
  assertEquals((await answers(301, "would")).at(-1).refused, undefined);
});

Deno.test("a kept command that was done is answered so while too many others are under way", async () => {
  const { say, line, answers, hubTime } = await welcomed();
  const kept = say({ kind: "kept", request: setLabel("one") });
  // The console keeps no more answers than this: of the first it knows only that it was done.
  for (let sent = 1; sent <= 2048; sent += 128) {
    for (let at = 0; at < 128; at++) say({});
    await answers(sent + 128);
  }
  for (let at = 0; at < 256; at++) say({ at: hubTime() + 1000 });
  line().say(kept);
  const { id, outcome } = (await answers(2050)).at(-1);
  assertEquals([id, outcome], [kept.id, "done"]);
});

Deno.test("a command that breaks the protocol ends the connection", async () => {
  const right = {
    type: "do",
    id: idOf(1),
    batch: idOf(2),
    kind: "live",
    expires: 1,
    request: { method: "set", path: ON, payload: true },
    as: { name: "anna", may: "view" },
    from: "",
  };
  for (
    const wrong of [
      { id: "1" },
      { batch: undefined },
      { kind: "both" },
      { expires: "1" },
      { at: -1 },
      { request: { method: "get", path: ON } },
      { request: { method: "rpc", payload: {} } },
      { as: { name: "a b", may: "view" } },
      { require: [] },
    ]
  ) {
    const { line } = await welcomed();
    line().say({ ...right, ...wrong } as FromHub);
    assertEquals(line().closedWith, 4400, JSON.stringify(wrong));
  }
});

Deno.test("a command more than a minute ahead of its time is refused, and holds no place", async () => {
  const { say, answers, hubTime } = await welcomed();
  for (let count = 0; count < 300; count++) say({ at: hubTime() + 1e12, expires: 1e15 });
  const { id } = say({});
  const told = await answers(301);
  assertEquals(told.slice(0, 300).map(({ outcome }) => outcome), Array(300).fill("refused"));
  assertEquals(told.at(-1), { type: "did", id, outcome: "done", result: true });
});

Deno.test("a console leaves a hub that reads none of its answers", async () => {
  const { say, line } = await welcomed();
  line().bufferedAmount = 4 * 1024 * 1024 + 1;
  say({});
  await until(() => line().closedWith === 4408);
});
