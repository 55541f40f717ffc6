import { assertEquals, assertMatch } from "@std/assert";
import { CLONE_ALARM, CLONE_MS } from "../../../fleet/hub/presence.ts";
import type { Ledger } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { UPLINK_CLOSE } from "../../../fleet/wire.ts";
import { until } from "../../service.ts";
import { expectDone, newest, openHub, type PlayedConsole, summaryOf } from "../open-hub.ts";

function birthOf(console: string): string {
  const summary = summaryOf({ name: "Evil" });
  return JSON.stringify({
    type: "birth",
    ...{ console, boot: "x", epoch: 99, seq: 0, t: 1, summary, digests: {} },
  });
}

Deno.test("an enrolled console is quarantined until it is approved, connected or not", async () => {
  const { hub, enrol, dial, admin, entry, state } = await openHub();
  const id = await enrol("Studio 1");
  assertEquals(state(id), "quarantined");
  assertEquals(entry(id).summary.name, "Studio 1");
  const console = dial(id);
  assertEquals(console.frames("welcome")[0].quarantined, true);
  console.birth({ summary: { tree: { general: { load: 1 } } } });
  assertEquals(state(id), "quarantined");
  assertEquals(entry(id).summary.tree, {}, "nobody sees more of it than it takes to approve it");

  assertEquals(await hub.approve(id, admin), undefined);
  assertEquals(console.frames("welcome").at(-1)!.quarantined, false);
  assertEquals(console.frames("rebirth").length, 1);
  console.birth({ summary: { tree: { general: { load: 1 } } } });
  assertEquals(state(id), "live");
  assertEquals(entry(id).summary.tree, { general: { load: 1 } });
});

Deno.test("the name of a console without a name is made of its id, and a console with a name keeps it", async () => {
  const { live, enrol, entry, hub } = await openHub();
  const names = ["faderd", "", "Studio 1"].map((name) => ({ summary: { name, alarms: ["low"] } }));
  const consoles = [];
  for (const given of names) consoles.push((await live(given)).id);
  consoles.push(await enrol("faderd"));
  hub.note(consoles[0]!, "no backup");
  const [one, two, , quarantined] = consoles.map((id) => id.slice(0, 8));
  assertEquals(
    consoles.map((id) => entry(id).summary.name),
    [`faderd ${one}`, `faderd ${two}`, "Studio 1", `faderd ${quarantined}`],
  );
  assertEquals(entry(consoles[0]!).summary.alarms, ["low", "no backup"]);
});

Deno.test("a console that is silent for staleAfter is stale, since the time of its last frame", async () => {
  const { live, pass, entry, state, clock } = await openHub();
  const console = await live();
  pass(1000);
  console.beat();
  const heard = clock.now();
  pass(2900);
  assertEquals(state(console.id), "live");
  pass(500);
  assertEquals(state(console.id), "stale");
  assertEquals(entry(console.id).since, heard);
  console.beat();
  assertEquals(state(console.id), "live", "a beat makes it live again");
});

Deno.test("a console is shown as stale at most half a second late, also among 1,000 consoles", async () => {
  const { live, pass, state } = await openHub();
  const consoles: PlayedConsole[] = [];
  for (let index = 0; index < 1000; index++) {
    consoles.push(await live());
    pass(1);
  }
  const beat = () => consoles.slice(1).forEach((console) => console.beat());
  beat();
  // The first console was last heard 1000 ms ago.
  pass(1950);
  assertEquals(state(consoles[0]!.id), "live");
  beat();
  pass(550);
  assertEquals(state(consoles[0]!.id), "stale");
  assertEquals(consoles.slice(1).every(({ id }) => state(id) === "live"), true);
});

Deno.test("a console whose connection ended is stale at once, and gone if it makes no new one", async () => {
  const { live, dial, pass, entry, state, clock } = await openHub();
  const console = await live();
  const heard = clock.now();
  pass(100);
  console.end();
  assertEquals(state(console.id), "stale");
  pass(3500);
  assertEquals(state(console.id), "gone");
  assertEquals(entry(console.id).since, heard);
  dial(console.id).birth({ epoch: 9 });
  assertEquals(state(console.id), "live");
});

Deno.test("changes patch the summary; a missing change makes the console stale, and the hub asks for a birth", async () => {
  const { live, entry, state, clock } = await openHub();
  const console = await live({ summary: { tree: { a: { x: 1, y: 1 } } } });
  const change = (seq: number, summary: object) =>
    console.say({ type: "change", seq, t: clock.now(), summary });
  change(1, { tree: { a: { x: 2 } }, alarms: ["no room on the medium"] });
  assertEquals(entry(console.id).summary.tree, { a: { x: 2, y: 1 } });
  assertEquals(entry(console.id).summary.alarms, ["no room on the medium"]);
  change(3, { tree: { a: { x: 3 } } });
  change(4, { tree: { a: { x: 4 } } });
  assertEquals(state(console.id), "stale");
  assertEquals(entry(console.id).summary.tree, { a: { x: 2, y: 1 } });
  assertEquals(console.frames("rebirth").length, 1, "it is asked once");
  console.birth({ summary: { tree: { a: { x: 4 } } } });
  assertEquals(state(console.id), "live");
  assertEquals(entry(console.id).summary.tree, { a: { x: 4 } }, "a birth replaces all");
});

Deno.test("of two connections of a console the one with the larger epoch counts, whatever the order of their births", async () => {
  const { live, dial, state, entry } = await openHub();
  const first = await live({ epoch: 5 });
  const second = dial(first.id);
  second.birth({ epoch: 6, summary: { version: "2.0.0" } });
  assertEquals(first.closedWith, 4409);
  first.end();
  assertEquals(state(first.id), "live", "the end of the older one means nothing");
  const late = dial(first.id);
  late.birth({ epoch: 4, summary: { version: "0.1.0" } });
  assertEquals(late.closedWith, 4409);
  assertEquals(entry(first.id).summary.version, "2.0.0");
});

Deno.test("a console whose clock was set back is accepted once its earlier connection is silent", async () => {
  const { live, dial, pass, state, entry } = await openHub();
  const first = await live({ epoch: 500 });
  pass(3500);
  const second = dial(first.id);
  second.birth({ epoch: 4, boot: "boot-2", summary: { version: "2.0.0" } });
  assertEquals(state(first.id), "live");
  assertEquals(entry(first.id).summary.version, "2.0.0");
});

Deno.test("births of one console from two boots in turns raise the alarm of a clone, a restart does not", async () => {
  const { live, dial, pass, entry } = await openHub();
  const first = await live({ boot: "a", epoch: 1 });
  const second = dial(first.id);
  second.birth({ boot: "b", epoch: 2 });
  assertEquals(entry(first.id).summary.alarms, []);
  const back = dial(first.id);
  back.birth({ boot: "a", epoch: 3 });
  assertEquals(entry(first.id).summary.alarms, [CLONE_ALARM]);
  for (let ms = 0; ms < CLONE_MS; ms += 2000) {
    pass(2000);
    back.beat();
  }
  assertEquals(entry(first.id).summary.alarms, [], "the clone was not seen for a while");
});

Deno.test("the connection of a removed console is closed, and its token is refused", async () => {
  const { hub, dial, admin, state } = await openHub();
  const id = "a".repeat(32);
  const { code } = expectDone(await hub.makeCode(admin));
  const enrolment = { code, console: id, name: "Studio 1", site: "berlin" };
  const { token } = expectDone(await hub.enrolments.enrol(enrolment));
  const console = dial(id);
  assertEquals(hub.enrolments.ofToken(token), id);
  const seen: (string | undefined)[] = [];
  hub.watch((_id, entry) => seen.push(entry?.state));
  assertEquals(await hub.remove(console.id, admin), undefined);
  assertEquals(console.closedWith, 4401);
  assertEquals(state(console.id), undefined);
  assertEquals(seen.at(-1), undefined);
  assertEquals(hub.enrolments.ofToken(token), undefined);
});

Deno.test("a restarted hub knows its consoles, and has a new boot", async () => {
  const one = await openHub();
  const console = await one.live({ summary: { name: "Studio 1" } });
  const { ledger } = one;
  const two = await openHub({ ledger });
  assertEquals([two.state(console.id), two.entry(console.id).isAwaited], ["gone", true]);
  const refusal = await two.hub.session(console.id, undefined, "x", { receive() {}, closed() {} });
  assertMatch("message" in refusal ? refusal.message : "", /not heard yet by this hub/);
  assertEquals(two.entry(console.id).summary.name, "Studio 1");
  assertEquals(two.hub.boot === one.hub.boot, false);
  const again = two.dial(console.id);
  assertEquals(again.frames("welcome")[0].boot, two.hub.boot);
  again.birth({ epoch: 2 });
  assertEquals([two.state(console.id), two.entry(console.id).isAwaited], ["live", false]);
});

Deno.test("a hub that starts again shows a console that is away with the name and the site that it last reported", async () => {
  const ledger = await openMemoryLedger();
  let writes = 0;
  const counted: Ledger = {
    ...ledger,
    close: () => Promise.resolve(),
    put: (bucket, ...given) => {
      if (bucket === "consoles") writes++;
      return ledger.put(bucket, ...given);
    },
  };
  const before = await openHub({ ledger: counted });
  const console = await before.live();
  const same = await before.live();
  writes = 0;
  const stored = () => before.hub.enrolments.consoles.get(console.id)!;
  console.say({ type: "change", seq: 1, t: 0, summary: { site: "vienna" } });
  console.say({ type: "change", seq: 2, t: 0, summary: { name: "Studio C" } });
  console.say({ type: "change", seq: 3, t: 0, summary: { name: "Studio D" } });
  await until(() => stored().site === "vienna");
  before.pass(9000);
  same.say({ type: "change", seq: 1, t: 0, summary: { version: "2" } });
  assertEquals(writes, 1, "the first report is stored at once, further ones after 10 s");
  before.pass(1000);
  await until(() => stored().name === "Studio D");
  assertEquals(writes, 2);
  await before.hub.close();
  const { entry } = await openHub({ ledger: counted });
  const { name, site } = entry(console.id).summary;
  assertEquals([name, site, entry(console.id).state], ["Studio D", "vienna", "gone"]);
  assertEquals(entry(same.id).summary.name, "Studio 1");
});

Deno.test("a console in quarantine gets no other name or site in the ledger", async () => {
  const { enrol, dial, live, hub } = await openHub();
  const id = await enrol();
  dial(id).birth({ summary: { name: "On Air", site: "vienna" } });
  const approved = await live({ summary: { site: "vienna" } });
  const { consoles } = hub.enrolments;
  await until(() => consoles.get(approved.id)!.site === "vienna");
  const { name, site } = consoles.get(id)!;
  assertEquals([name, site], ["Studio 1", "berlin"]);
});

Deno.test("a hub sends a beat with its time once a second", async () => {
  const { live, pass, clock } = await openHub();
  const console = await live();
  pass(3100);
  assertEquals(console.frames("beat").length, 3);
  assertEquals(clock.now() - console.frames("beat").at(-1)!.t, 100);
});

for (
  const [what, send] of [
    ["sends text that is not JSON", (say: (data: unknown) => void) => say("birth")],
    ["sends a binary frame", (say: (data: unknown) => void) => say(new ArrayBuffer(3))],
    [
      "sends a frame over the limit",
      (say: (data: unknown) => void) => say(" ".repeat(1024 * 1024 + 1)),
    ],
    ["sends a frame of another type", (say: (data: unknown) => void) => say('{"type":"welcome"}')],
    ["floods", (say: (data: unknown) => void) => {
      for (let index = 0; index < 300; index++) say('{"type":"beat","t":1}');
    }],
    [
      "nests a tree without end",
      (say: (data: unknown) => void) =>
        say(
          `{"type":"change","seq":1,"t":1,"summary":{"tree":${'{"a":'.repeat(5000)}1${
            "}".repeat(5000)
          }}}`,
        ),
    ],
    [
      "names the prototype of objects in its tree",
      (say: (data: unknown) => void) =>
        say('{"type":"change","seq":1,"t":1,"summary":{"tree":{"__proto__":{"x":1}}}}'),
    ],
    [
      "has the birth of another console",
      (say: (data: unknown) => void) => say(birthOf("f".repeat(32))),
    ],
    ["reports itself anew without end", (say: (data: unknown) => void, id: string) => {
      for (let index = 0; index < 20; index++) say(birthOf(id));
    }],
  ] as const
) {
  Deno.test(`a console that ${what} is dropped for a while, and other consoles stay connected`, async () => {
    const { hub, live, admin, state, pass } = await openHub();
    const bad = await live();
    const innocent = await live();
    send((data) => bad.listener.receive(data), bad.id);
    assertEquals(bad.closedWith, 4400);
    assertEquals(hub.dialled.penalty(bad.id) > 0, true);
    assertEquals(state(bad.id), "stale");
    assertEquals(state(innocent.id), "live");
    assertEquals(innocent.closedWith, undefined);
    const told = await newest(hub, admin, "uplink");
    assertEquals(told.target, bad.id);
    pass(10_000);
    assertEquals(hub.dialled.penalty(bad.id), 0);
  });
}

Deno.test("a console that loses values or changes its site again and again is dropped, even if it reconnects each time", async () => {
  const values = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, 1]));
  for (const ofBirths of [true, false]) {
    const { hub, admin, live, dial, pass, entry } = await openHub();
    const summary = { tree: values(2) };
    const first = await live({ summary });
    const innocent = await live({ summary });
    const { id } = first;
    let lost = 0;
    let before = entry(id).summary;
    const stop = hub.watch((changed, now) => {
      if (changed !== id || now === undefined) return;
      const { tree, site } = now.summary;
      if (Object.keys(tree).length < Object.keys(before.tree).length || site !== before.site) {
        lost++;
      }
      before = now.summary;
    });
    let console = first;
    for (let turn = 0, seq = 0; turn < 100; turn++) {
      if (console.closedWith !== undefined) {
        pass(hub.dialled.penalty(id));
        console = dial(id);
        console.birth({ boot: `boot-${turn}`, summary });
        seq = 0;
      }
      if (ofBirths) console.birth({ boot: `boot-${turn}`, summary: { tree: values(turn % 2) } });
      else {
        const site = `site ${turn}`;
        console.say({ type: "change", seq: ++seq, t: 1, summary: { site } });
      }
      pass(1000);
      innocent.beat();
    }
    stop();
    // With the penalties it takes less than 1000 s.
    assertEquals(lost >= 10 && lost <= 10 + 1000 / 60, true, `${lost} times`);
    assertEquals(innocent.closedWith, undefined);
    assertEquals((await newest(hub, admin, "uplink")).target, id);
  }
});

Deno.test("a console that was removed and enrolled anew is quarantined, also at a hub that sees the new enrolment but not the removal", async () => {
  const ledger = await openMemoryLedger();
  const { hub, live, state } = await openHub({ ledger });
  const console = await live();
  const innocent = await live();
  const { tokenHash: _, ...enrolled } = hub.enrolments.consoles.get(console.id)!;
  const anew = { ...enrolled, tokenHash: "f".repeat(64), isApproved: false };
  await ledger.put("consoles", console.id, anew);
  await until(() => state(console.id) === "quarantined");
  assertEquals([console.closedWith, innocent.closedWith], [UPLINK_CLOSE.notEnrolled, undefined]);
  assertEquals(state(innocent.id), "live");
});

Deno.test("a console without a birth is dropped", async () => {
  const { enrol, dial, pass } = await openHub();
  const console = dial(await enrol());
  pass(10_100);
  assertEquals(console.closedWith, 4400);
});

Deno.test("a console whose summary grows without end is dropped if it does not follow the request for a birth", async () => {
  const { live, pass } = await openHub();
  const console = await live();
  const honest = await live();
  const much = "x".repeat(100_000);
  for (let seq = 1; seq <= 45; seq++) {
    for (const one of [console, honest]) {
      one.say({ type: "change", seq, t: 1, summary: { tree: { [`member${seq}`]: much } } });
    }
    pass(1000);
  }
  assertEquals([console, honest].map((one) => one.frames("rebirth").length), [1, 1]);
  honest.birth();
  pass(8000);
  assertEquals([console.closedWith, honest.closedWith], [4400, undefined]);
});
