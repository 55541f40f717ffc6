/** The uplink of a console (docs/fleet.md), in simulated time, with the test as the hubs. */
import { assert, assertEquals } from "@std/assert";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { tellStorage } from "../../../core/storage-alarm.ts";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { LABEL_LENGTH } from "../../../core/limits.ts";
import { set } from "../../../core/tree/set.ts";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { readFrame } from "../../../fleet/hub/frames.ts";
import { startUplink, type UplinkNews, type UplinkOptions } from "../../../fleet/uplink/uplink.ts";
import { BEAT_MS, CHANGES, UNSENT_BYTES, UPLINK_CLOSE } from "../../../fleet/wire.ts";
import { demoWith, result, serviceOf, stillClock, testConsole } from "../../service.ts";
import { machineScheduler } from "../../../runtimes/clock.ts";
import { reconfigure } from "../../transport/byte-service.ts";
import { passingTime } from "../../timers.ts";
import { scriptedLines } from "../scripted-lines.ts";

const ID = "0123456789abcdef0123456789abcdef";
const A = "wss://a.test";
const B = "wss://b.test";

async function uplinkOf(
  options: Partial<UplinkOptions> = {},
  mixers: NonNullable<WrittenConfiguration["mixers"]> = [{ faders: 8 }],
) {
  const time = passingTime();
  const clock = { now: () => 5000 + time.timer.monotonic(), monotonic: time.timer.monotonic };
  const configuration = demoWith({ mixers });
  const console = await testConsole({ configuration, clock: stillClock() });
  const { service, sessions } = serviceOf(console, {
    clock,
    timer: time.timer,
    scheduler: machineScheduler(),
  });
  const { dial, lines } = scriptedLines();
  const news: UplinkNews[] = [];
  const faults: unknown[] = [];
  const uplink = startUplink(console, {
    id: ID,
    hubs: [A],
    summary: { site: "berlin", may: "operate", version: "9.9.9" },
    service,
    sessions,
    clock,
    timer: time.timer,
    scheduler: withoutPauses,
    random: () => 0,
    boot: "boot-1",
    dial,
    onFault: (fault) => void faults.push(fault),
    tell: (one) => void news.push(one),
    ...options,
  });
  return { ...time, console, lines, news, faults, uplink };
}

const welcome = {
  type: "welcome",
  hub: "a",
  boot: "hub-boot",
  t: 1000,
  quarantined: false,
} as const;

const beat = { type: "beat", t: 0, boot: "hub-boot" } as const;

Deno.test("a welcomed console sends its whole summary, and from then on its changes", async () => {
  const { lines: [line], console, pass } = await uplinkOf();
  assertEquals([line!.hub, line!.path], [A, "/uplink/control"]);
  assertEquals(line!.sent, []);
  line!.say(welcome);
  const [birth] = line!.frames("birth");
  assertEquals(
    [birth.console, birth.boot, birth.seq, birth.epoch],
    [ID, "boot-1", 0, 1000],
  );
  const { name, site, may, version, alarms, tree } = birth.summary;
  assertEquals([name, site, may, version, alarms], ["demo", "berlin", "operate", "9.9.9", []]);
  assertEquals(tree.general._storage, "ok");
  assertEquals(tree.audio.mixers[0].faders[0], { label: "Fader 1", on: false });
  pass(BEAT_MS);
  await result(console, setChannelLabel(1, "News"));
  await result(console, set("/audio/mixers/0/faders/1/on", true));
  console.dispatch(tellStorage("full"), { isDevice: true });
  line!.say(beat);
  pass(BEAT_MS);
  const changes = line!.frames("change");
  assertEquals(changes.map(({ seq }) => seq), changes.map((_, at) => at + 1));
  const last = changes.at(-1).summary;
  assertEquals(last.alarms, ["The medium is full: what does not fit is not stored."]);
  const faders = changes.map(({ summary }) => summary.tree?.audio?.mixers[0].faders);
  assertEquals(Object.assign({}, ...faders), { 0: { label: "News" }, 1: { on: true } });
});

Deno.test("a new name is a change, and a birth follows once faders are gone", async () => {
  const { lines: [line], console, pass } = await uplinkOf();
  line!.say(welcome);
  pass(BEAT_MS);
  const { device } = console.state.configuration.written;
  await reconfigure({ console }, { device: { ...device, name: "OB-1" } });
  line!.say(beat);
  pass(BEAT_MS);
  assertEquals(line!.frames("change").map(({ summary }) => summary?.name), ["OB-1"]);
  await reconfigure({ console }, { mixers: [{ faders: 4 }] });
  line!.say(beat);
  pass(BEAT_MS);
  const [, birth, ...others] = line!.frames("birth");
  assertEquals(
    [birth.summary.name, Object.keys(birth.summary.tree.audio.mixers[0].faders), others],
    ["OB-1", ["0", "1", "2", "3"], []],
  );
});

Deno.test("levels and meters are never sent", async () => {
  const { lines: [line], console, pass } = await uplinkOf();
  line!.say(welcome);
  await result(console, set("/audio/mixers/0/faders/1/fader", -20));
  pass(BEAT_MS);
  assertEquals(line!.frames("change"), []);
  assertEquals(JSON.stringify(line!.frames("birth")).includes('"fader":'), false);
});

Deno.test("changes are merged and sent at most four times a second, without values that were put back", async () => {
  const { lines: [line], console, pass } = await uplinkOf();
  line!.say(welcome);
  pass(BEAT_MS);
  for (let at = 0; at < 100; at++) {
    await result(console, setChannelLabel(1, `News ${at}`));
    await result(console, set("/audio/mixers/0/faders/1/on", at % 2 === 0));
    line!.say(beat);
    pass(20);
  }
  const changes = line!.frames("change");
  assert(changes.length <= 2 * CHANGES.perSecond + 1, `${changes.length} changes in 2 s`);
  pass(BEAT_MS);
  assertEquals(line!.frames("change").at(-1).summary.tree.audio.mixers[0].faders[0], {
    label: "News 99",
  });
});

Deno.test("a large change is followed by a pause that keeps the limit of bytes per second", async () => {
  const { lines: [line], console, pass } = await uplinkOf({}, [{ faders: 512 }]);
  line!.say(welcome);
  pass(BEAT_MS);
  for (let round = 0; round < 8; round++) {
    for (let at = 0; at < 512; at++) {
      await result(
        console,
        set(`/audio/mixers/0/faders/${at}/on`, round % 2 === 0),
      );
    }
    line!.say(beat);
    pass(BEAT_MS);
  }
  const bytes = line!.frames("change").reduce(
    (sum, frame) => sum + JSON.stringify(frame).length,
    0,
  );
  // The last change is sent whole.
  assert(bytes <= 9 * CHANGES.bytesPerSecond + 32_768, `${bytes} bytes in 8 s`);
});

Deno.test("a hub that does not read gets nothing, and a birth once it reads again", async () => {
  const { lines: [line], console, pass } = await uplinkOf();
  line!.say(welcome);
  pass(BEAT_MS);
  line!.bufferedAmount = UNSENT_BYTES + 1;
  const before = line!.sent.length;
  await result(console, setChannelLabel(1, "News"));
  for (let at = 0; at < 5; at++) {
    line!.say(beat);
    pass(BEAT_MS);
  }
  assertEquals(line!.sent.length, before);
  line!.bufferedAmount = 0;
  pass(BEAT_MS);
  assertEquals(line!.frames("change"), []);
  const births = line!.frames("birth");
  assertEquals(births.length, 2);
  assertEquals(births[1].summary.tree.audio.mixers[0].faders[0].label, "News");
});

Deno.test("a hub that asks for a birth gets one, and so does another hub behind the same address", async () => {
  const { lines: [line], console, pass } = await uplinkOf();
  line!.say(welcome);
  pass(BEAT_MS);
  line!.say({ type: "rebirth", within: 0 });
  pass(0);
  assertEquals(line!.frames("birth").length, 2);
  pass(BEAT_MS);
  line!.say({ ...beat, boot: "other" });
  pass(BEAT_MS);
  assertEquals(line!.frames("birth").length, 3);
  await result(console, setChannelLabel(1, "News"));
  line!.say({ ...beat, boot: "other" });
  pass(BEAT_MS);
  assertEquals(line!.frames("change").map(({ seq }) => seq), [1]);
});

Deno.test("a birth is due at once, whatever `within` says, and without it", async () => {
  for (const within of [{}, { within: 0 }, { within: 60_000 }]) {
    const { lines: [line], pass } = await uplinkOf();
    line!.say(welcome);
    pass(BEAT_MS);
    line!.say({ type: "rebirth", ...within });
    pass(0);
    assertEquals(line!.frames("birth").length, 2);
  }
});

Deno.test("a hub that asks for births without pause gets one a second", async () => {
  const { lines: [line], pass } = await uplinkOf();
  line!.say(welcome);
  for (let at = 0; at < 100; at++) {
    line!.say({ type: "rebirth", within: 0 });
    pass(20);
  }
  assert(line!.frames("birth").length <= 3);
});

Deno.test("a console beats every second, and leaves a hub that misses three beats", async () => {
  const { lines, news, pass } = await uplinkOf({ hubs: [A, B] });
  lines[0]!.say(welcome);
  for (let at = 0; at < 10; at++) {
    pass(BEAT_MS);
    lines[0]!.say(beat);
  }
  assertEquals(lines[0]!.frames("beat").length, 11);
  pass(3 * BEAT_MS);
  assertEquals(lines.length, 1);
  pass(BEAT_MS);
  assertEquals(lines.map(({ hub }) => hub), [A, B]);
  assertEquals(news.map(({ type }) => type), ["connected", "lost"]);
});

Deno.test("a console that was stopped itself does not take its hub for silent", async () => {
  const { timer, pass } = passingTime();
  let stoodStillMs = 0;
  const { lines } = await uplinkOf({
    timer: {
      monotonic: () => timer.monotonic() + stoodStillMs,
      at: (due, wake) => timer.at(due - stoodStillMs, wake),
    },
  });
  lines[0]!.say(welcome);
  pass(BEAT_MS);
  stoodStillMs = 60_000;
  pass(BEAT_MS);
  lines[0]!.say(beat);
  pass(3 * BEAT_MS);
  assertEquals(lines[0]!.closedWith, undefined);
  pass(BEAT_MS);
  assertEquals(lines[0]!.closedWith, 4408);
});

Deno.test("between two connections each reason for a failed attempt is told once, in sequence", async () => {
  const { lines, news, pass } = await uplinkOf();
  lines[0]!.say(welcome);
  const reasons = ["refused", "refused", "certificate", "refused", "certificate"];
  for (const reason of reasons) {
    const { length } = lines;
    lines.at(-1)!.end(1006, reason);
    while (lines.length === length) pass(100);
  }
  lines.at(-1)!.say(welcome);
  lines.at(-1)!.end(1006, "certificate");
  assertEquals(news.map(({ type, why }) => `${type} ${why}`), [
    "connected ",
    "lost refused",
    "unreachable refused",
    "unreachable certificate",
    "connected ",
    "lost certificate",
  ]);
});

Deno.test("a hub that sends no welcome is left for the next hub", async () => {
  const { lines, pass } = await uplinkOf({ hubs: [A, B] });
  lines[0]!.listener.opened();
  pass(10_000);
  assertEquals(lines.map(({ hub }) => hub), [A, B]);
});

Deno.test("all hubs are tried without a pause; after all have failed there is a pause, longer each time", async () => {
  const { lines, news, pass, timer } = await uplinkOf({ hubs: [A, B] });
  const dialledAt: number[] = [];
  for (let at = 0; at < 40; at++) {
    dialledAt.push(timer.monotonic());
    lines.at(-1)!.end();
    const { length } = lines;
    while (lines.length === length) pass(10);
  }
  const pauses = dialledAt.slice(1).map((time, at) => time - dialledAt[at]!);
  assert(pauses.every((pause, at) => at % 2 === 1 || pause <= 10), "a pause between two hubs");
  const rounds = pauses.filter((_, at) => at % 2 === 1);
  assertEquals(rounds.slice(0, 3), [250, 500, 1000]);
  assertEquals(Math.max(...rounds), 30_000);
  assertEquals(news.map(({ type }) => type), ["unreachable"]);
});

Deno.test("a random factor shortens a pause by at most half", async () => {
  const { lines, pass } = await uplinkOf({ random: () => 0.999 });
  lines[0]!.end();
  pass(125);
  assertEquals(lines.length, 1);
  pass(5);
  assertEquals(lines.length, 2);
});

Deno.test("after the loss of a long connection the console dials again at once, with a larger epoch", async () => {
  const { lines, pass } = await uplinkOf();
  lines[0]!.say({ ...welcome, t: 9000 });
  for (let at = 0; at < 6; at++) {
    pass(BEAT_MS);
    lines[0]!.say(beat);
  }
  lines[0]!.end();
  pass(0);
  // The clock of this hub is behind.
  lines[1]!.say({ ...welcome, t: 10 });
  assertEquals(lines[1]!.frames("birth")[0].epoch, 9001);
});

Deno.test("a hub that welcomes and closes each connection at once is dialled again only after a pause", async () => {
  const { lines, pass } = await uplinkOf();
  for (let at = 0; at < 100; at++) {
    lines.at(-1)!.say(welcome);
    lines.at(-1)!.end();
    pass(100);
  }
  assert(lines.length < 10, `${lines.length} connections in 10 s`);
});

for (const [what, code] of Object.entries(UPLINK_CLOSE)) {
  Deno.test(`a hub that closes a connection as ${what} is dialled again after 30 s`, async () => {
    const { lines, news, pass } = await uplinkOf();
    lines[0]!.say(welcome);
    lines[0]!.end(code, "because");
    pass(29_000);
    assertEquals(lines.length, 1);
    pass(1000);
    assertEquals(lines.length, 2);
    assertEquals(news.at(-1), { type: "refused", hub: A, why: "because" });
  });
}

Deno.test("an invalid frame ends the connection; an unknown frame of a later version does not", async () => {
  const { lines, pass } = await uplinkOf();
  lines[0]!.say(welcome);
  lines[0]!.say({ type: "later" });
  assertEquals(lines[0]!.closedWith, undefined);
  for (const wrong of ["", "7", "[]", '{"type":"beat"}', '{"type":"open","ticket":"../x"}']) {
    lines.at(-1)!.listener.received(wrong);
    assertEquals(lines.at(-1)!.closedWith, UPLINK_CLOSE.malformed, wrong);
    const { length } = lines;
    while (lines.length === length) pass(10_000);
    lines.at(-1)!.say(welcome);
  }
  lines.at(-1)!.listener.received(new Uint8Array(1));
  assertEquals(lines.at(-1)!.closedWith, UPLINK_CLOSE.malformed);
});

Deno.test("a console in quarantine is told of the quarantine, and then of its approval", async () => {
  const { lines: [line], news } = await uplinkOf();
  line!.say({ ...welcome, quarantined: true });
  line!.say(welcome);
  assertEquals(news.map(({ type }) => type), ["quarantined", "connected"]);
  assertEquals(line!.frames("birth").length, 1);
});

Deno.test("a stopped uplink leaves no timer, and dials no hub", async () => {
  const { lines, uplink, pass, pending } = await uplinkOf();
  lines[0]!.say(welcome);
  uplink.stop();
  pass(60_000);
  assertEquals([lines.length, pending()], [1, 0]);
});

Deno.test("a console with very many faders sends them without their labels, and raises an alarm about it", async () => {
  const faders = Array.from({ length: 4000 }, () => ({ label: "ü".repeat(LABEL_LENGTH.max) }));
  const { lines: [line], console, pass } = await uplinkOf({}, Array(2).fill({ faders }));
  line!.say(welcome);
  const [{ summary }] = line!.frames("birth");
  assertEquals(Object.keys(summary.tree.audio.mixers[1]).includes("faders"), false);
  assertEquals(summary.alarms, [
    "The console has too many faders for the hub: their labels are not shown there.",
  ]);
  await result(console, setChannelLabel(1, "News"));
  pass(BEAT_MS);
  assertEquals(line!.frames("change"), []);
});

Deno.test("a hub with a clock out of all ranges does not keep the console from other hubs", async () => {
  const { lines, pass } = await uplinkOf({ hubs: [A, B] });
  lines[0]!.say({ ...welcome, t: 1e300 });
  lines[0]!.end(UPLINK_CLOSE.malformed);
  const dialled = () =>
    lines.findLast(({ hub, closedWith }) => hub === B && closedWith === undefined);
  for (let seconds = 0; seconds < 60 && dialled() === undefined; seconds++) pass(1000);
  const other = dialled()!;
  other.say(welcome);
  const birth = other.sent.find((sent) => String(sent).includes('"birth"'));
  assertEquals(readFrame(String(birth))?.type, "birth");
});
