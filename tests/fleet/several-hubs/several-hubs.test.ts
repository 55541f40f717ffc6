/** Several hubs of one organisation, over one ledger and one bus (docs/fleet.md). */
import { assertEquals } from "@std/assert";
import { isRefusal, type Refusal } from "../../../core/errors.ts";
import { answerForBatches } from "../../../fleet/api/batches-elsewhere.ts";
import type { RpcParts } from "../../../fleet/api/rpc-method.ts";
import { type Batches, createBatches } from "../../../fleet/batches/batch.ts";
import type { BatchOrder } from "../../../fleet/batches/batch-order.ts";
import type { HubParts } from "../../../fleet/hub/hub.ts";
import type { Person } from "../../../fleet/hub/rights.ts";
import { fleetbatch } from "../../../fleet/rpc/fleetbatch.ts";
import { machine } from "../../../runtimes/clock.ts";
import type { Command } from "../../../fleet/commands/command.ts";
import { EXPIRY_MS, STALE_AFTER_MS } from "../../../fleet/hub/hub-limits.ts";
import { LedgerError } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { peerSubjects } from "../../../fleet/several-hubs/peer-frames.ts";
import { HUB_LOST_MS } from "../../../fleet/several-hubs/peers.ts";
import { passingTime } from "../../timers.ts";
import { lateLedger } from "../late-ledger.ts";
import { memoryBus } from "../memory-bus.ts";
import { expectDone, openHub } from "../open-hub.ts";

/** Opens two hubs that share a ledger and a bus. */
async function openTwo(first: Partial<HubParts> = {}) {
  const { timer, pass } = passingTime();
  const clock = { now: () => 1_700_000_000_000 + timer.monotonic(), monotonic: timer.monotonic };
  const ledger = first.ledger ?? { ...await openMemoryLedger(), close: () => Promise.resolve() };
  const join = memoryBus(timer, () => 1);
  const places = [join(), join()] as const;
  const { staleAfter = STALE_AFTER_MS.default } = first;
  const shared = { ledger, clock, timer, staleAfter };
  const one = await openHub({ ...shared, bus: places[0].bus, ...first });
  const two = await openHub({ ...shared, bus: places[1].bus });
  /** Lets the ledger tell both hubs, and all messages arrive. */
  async function settle(ms = 5): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    pass(ms);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
  const command = (console: string, id: string, kind: Command["kind"] = "live"): Command => ({
    id,
    console,
    batch: id,
    kind,
    expires: clock.now() + (kind === "live" ? 3000 : 60_000),
    request: { method: "rpc", payload: { method: "setchannellabel" } },
    by: { name: "anna", may: "admin" },
    from: "10.0.0.2",
  });
  const close = () => Promise.all([one.hub.close(), two.hub.close()]);
  return { one, two, places, clock, shared, join, pass, settle, command, close };
}

/** Lets messages arrive until a condition holds, for at most 100 rounds. */
async function until(settle: () => Promise<void>, isSo: () => boolean): Promise<void> {
  for (let left = 100; left > 0 && !isSo(); left--) await settle();
}

Deno.test("a batch of the other hub is refused with the name of that hub, to every user who may see the batch", async () => {
  const { one, two, clock, shared, settle, pass, close } = await openTwo({ name: "hub-b" });
  await one.live();
  expectDone(await one.hub.addUser({ name: "ben", may: "operate" }, one.admin));
  await settle();
  const world = { clock, timer: shared.timer, random: machine.random };
  const [here, there] = [two, one].map(({ hub }) => createBatches(hub, world)) as [
    Batches,
    Batches,
  ];
  const stop = answerForBatches(one.hub, there);
  const order: BatchOrder = {
    select: { all: true },
    request: { method: "set", path: "/audio/mixers/0/faders/0/label", payload: "Host" },
    kind: "live",
    together: false,
    force: false,
  };
  const { facts: { id } } = expectDone(await there.run(order, one.admin));
  const parts = { batches: here } as unknown as RpcParts;
  async function askedBy({ name, may }: Person): Promise<string> {
    const actor = { user: two.hub.refresh({ name, may }), from: "10.0.0.2" };
    let said: unknown;
    void Promise.resolve(fleetbatch.call(two.hub, { batch: id }, actor, parts))
      .then((outcome) => said = outcome);
    await until(() => settle(50), () => said !== undefined);
    return (said as Refusal).message;
  }
  const anna = { name: "anna", may: "admin" } as const;
  const noBatch =
    `id: there is no batch "${id}", or a hub that has restarted had it in its memory alone`;
  assertEquals(await askedBy(anna), 'the results of this batch are at the hub "hub-b": ask there');
  assertEquals(
    await askedBy({ name: "ben", may: "operate" }),
    noBatch,
  );
  stop();
  pass(1);
  assertEquals(await askedBy(anna), noBatch);
  for (const batches of [here, there]) batches.close();
  await close();
});

const DEAF = { receive() {}, closed() {} };

Deno.test("a console of one hub is shown by the other hub, with its changes, until it is gone", async () => {
  const { one, two, settle, pass, close } = await openTwo();
  const console = await one.live({ summary: { name: "Van", tree: { general: { on: true } } } });
  await settle();
  assertEquals(two.entry(console.id).summary, one.entry(console.id).summary);
  assertEquals(two.state(console.id), "live");
  console.say({ type: "change", seq: 1, t: 0, summary: { tree: { general: { on: false } } } });
  await settle();
  assertEquals(two.entry(console.id).summary.tree, { general: { on: false } });
  for (let second = 0; second < 10; second++) {
    console.say({ type: "beat", seq: 1, t: 0 });
    pass(1000);
  }
  assertEquals(two.state(console.id), "live");
  console.end();
  await settle();
  assertEquals(two.state(console.id), "stale");
  pass(4000);
  assertEquals(two.state(console.id), "gone");
  await close();
});

for (const phase of [50, 500, 950]) {
  Deno.test(`a console that beats ${phase} ms after its hub is always live at both hubs, also with the least staleAfter`, async () => {
    const { one, two, settle, close } = await openTwo({ staleAfter: STALE_AFTER_MS.min });
    const console = await one.live();
    await settle(0);
    const states = new Set<string | undefined>();
    for (let ms = 0; ms < 10_000; ms += 50) {
      if (ms % 1000 === phase) console.beat();
      await settle(50);
      states.add(one.state(console.id)).add(two.state(console.id));
    }
    assertEquals([...states], ["live"]);
    await close();
  });
}

Deno.test("each hub lists itself and the other hub, with its consoles and its ledger, until that stops", async () => {
  const { one, two, shared, join, settle, pass } = await openTwo({ name: "hub-b" });
  await one.live();
  await one.live();
  await two.live();
  pass(1000);
  await settle();
  const since = new Date(1_700_000_000_000).toISOString();
  const ofOne = { consoles: 2, name: "hub-b", version: "1.2.3", since, stores: true };
  const ofTwo = { consoles: 1, name: "hub-a", version: "1.2.3", since, stores: true };
  const listed = (hub = two) =>
    expectDone(hub.hub.hubs(hub.admin)).map(({ id: _, ...rest }) => rest);
  assertEquals(listed(one), [{ here: true, ...ofOne }, { here: false, ...ofTwo }]);
  assertEquals(listed(), [{ here: true, ...ofTwo }, { here: false, ...ofOne }]);
  // A hub of an earlier version sends beats without facts.
  join().bus.publish(peerSubjects("Radio").beat, { hub: "0f", held: [] });
  await settle();
  assertEquals(listed()[1], { here: false, consoles: 0 });
  assertEquals(expectDone(two.hub.hubs(two.admin))[1]!.id, "0f");
  const ben = { name: "ben", may: "configure" } as const;
  expectDone(await one.hub.addUser(ben, one.admin));
  await settle();
  assertEquals((two.hub.hubs({ user: ben, from: "10.0.0.2" }) as Refusal).code, 5);
  const put = () => Promise.reject(new LedgerError("unavailable", "cut off"));
  Object.assign(shared.ledger, { put });
  assertEquals(isRefusal(await one.hub.makeCode(one.admin)), true);
  pass(1000);
  await settle();
  assertEquals(listed().at(-1), { here: false, ...ofOne, stores: false });
  await one.hub.close();
  await settle();
  pass(HUB_LOST_MS);
  assertEquals(listed(), [{ here: true, ...ofTwo }]);
  await two.hub.close();
});

Deno.test("a client of one hub has a session with a console of the other hub until either side closes it", async () => {
  const { one, two, settle, close } = await openTwo();
  const console = await one.live();
  await settle();
  const heard: unknown[] = [];
  const long = "x".repeat(300_000);
  for (const whose of ["client", "console"]) {
    const opening = two.hub.session(console.id, two.admin.user, "10.0.0.2", {
      receive: (data) => heard.push(data),
      closed: (code) => heard.push(code),
    });
    await settle();
    assertEquals(console.frames("open").at(-1)!.as, { name: "anna", may: "admin" });
    assertEquals(console.frames("open").at(-1)!.from, "10.0.0.2");
    const there = console.takeTicket();
    await settle();
    await settle();
    const socket = expectDone(await opening);
    socket.send(long);
    there.listener.receive(long);
    there.listener.receive(new Uint8Array([1, 2]).buffer);
    const [parts, overhead] = [3, 64];
    assertEquals(socket.bufferedAmount, long.length + parts * overhead);
    await settle(50);
    assertEquals(there.sent, [long]);
    assertEquals(socket.bufferedAmount, 0);
    if (whose === "client") socket.close(1000, "");
    else there.listener.closed(4012, "");
    await settle();
    assertEquals(heard, [long, new Uint8Array([1, 2]).buffer, ...whose === "client" ? [] : [1012]]);
    if (whose === "client") assertEquals(there.closedWith, 1000);
    heard.length = 0;
  }
  await close();
});

Deno.test("a session with a console of another hub ends if a frame is lost, or if that hub is gone", async () => {
  const { one, two, places, settle, pass, close } = await openTwo();
  const console = await one.live();
  for (const how of ["lost", "gone"]) {
    await settle();
    const codes: unknown[] = [];
    const opening = two.hub.session(console.id, two.admin.user, "10.0.0.2", {
      ...DEAF,
      closed: (code) => codes.push(code),
    });
    await settle();
    const there = console.takeTicket();
    await settle();
    await settle();
    expectDone(await opening);
    if (how === "lost") {
      places[1].lose();
      there.listener.receive("one");
      there.listener.receive("two");
      await settle();
    } else {
      places[0].cut(true);
      for (let ms = 0; ms < HUB_LOST_MS + 2000; ms += 500) pass(500);
      assertEquals(two.state(console.id), "gone");
      const refusal = await two.hub.session(console.id, two.admin.user, "10.0.0.2", DEAF);
      assertEquals(isRefusal(refusal), true);
    }
    assertEquals(codes, [1013]);
    await settle();
    assertEquals(typeof there.closedWith, "number");
  }
  await close();
});

Deno.test("once a console of a dead hub dials another hub, its open and requested sessions by the dead hub end, and those of other consoles go on", async () => {
  const { one, two, places, settle, close } = await openTwo();
  const [moving, staying] = [await one.live(), await one.live()];
  await settle();
  const ended: string[] = [];
  const by = (name: string) => ({ ...DEAF, closed: () => void ended.push(name) });
  for (const [name, console] of [["moving", moving], ["staying", staying]] as const) {
    const opening = two.hub.session(console.id, two.admin.user, "10.0.0.2", by(name));
    await settle();
    console.takeTicket();
    await settle();
    await settle();
    expectDone(await opening);
  }
  places[0].cut(true);
  const asked = two.hub.session(moving.id, two.admin.user, "10.0.0.2", DEAF);
  await settle();
  assertEquals(ended, []);
  two.dial(moving.id).birth({ epoch: 1 });
  assertEquals(
    (await asked as Refusal).message,
    "the console is connected to another hub now",
  );
  await settle();
  assertEquals(ended, ["moving"]);
  await close();
});

Deno.test("removing a user at one hub ends the user's sessions at the other, and removing a console its connection there", async () => {
  const { one, two, settle, close } = await openTwo();
  const console = await one.live();
  expectDone(await two.hub.addUser({ name: "ben", may: "operate" }, two.admin));
  await settle();
  const codes: unknown[] = [];
  const opening = one.hub.session(console.id, { name: "ben", may: "operate" }, "10.0.0.2", {
    ...DEAF,
    closed: (code) => codes.push(code),
  });
  await settle();
  console.takeTicket();
  expectDone(await opening);
  expectDone(await two.hub.removeUser("ben", two.admin) ?? {});
  await settle();
  assertEquals(codes, [1012]);
  expectDone(await two.hub.remove(console.id, two.admin) ?? {});
  await settle();
  assertEquals(console.closedWith, 4401);
  await close();
});

Deno.test("of two hubs with a connection of one console, the hub with the newest connection is right", async () => {
  const { one, two, settle, close } = await openTwo();
  const before = await one.live({ epoch: 1 });
  await settle();
  const after = two.dial(before.id);
  after.birth({ epoch: 2, summary: { name: "Moved" } });
  await settle();
  assertEquals([before.closedWith, after.closedWith], [4409, undefined]);
  assertEquals(one.entry(before.id).summary.name, "Moved");
  assertEquals([one.state(before.id), two.state(before.id)], ["live", "live"]);
  // An older report, which was on its way, changes nothing.
  const late = one.dial(before.id);
  late.birth({ epoch: 1 });
  assertEquals(late.closedWith, 4409);
  await close();
});

Deno.test("a lost report between hubs is requested again, and a starting hub gets the whole picture at once", async () => {
  const { one, two, places, shared, join, settle, pass, close } = await openTwo();
  const console = await one.live();
  await settle();
  places[1].cut(true);
  console.say({ type: "change", seq: 1, t: 0, summary: { name: "Other" } });
  pass(500);
  places[1].cut(false);
  console.say({ type: "beat", seq: 1, t: 0 });
  pass(1100);
  await settle();
  assertEquals([two.state(console.id), two.entry(console.id).summary.name], ["live", "Other"]);
  const three = await openHub({ ...shared, bus: join().bus });
  await settle();
  assertEquals([three.state(console.id), three.entry(console.id).summary.name], ["live", "Other"]);
  assertEquals(console.frames("rebirth"), []);
  await three.hub.close();
  await close();
});

Deno.test("commands from one hub to a console of the other are sent once, and both hubs tell their results", async () => {
  const { one, two, places, settle, pass, command, close } = await openTwo();
  const console = await one.live();
  await settle();
  const told: string[] = [];
  two.hub.commands.watch(({ id, outcome }) => told.push(`${id[0]} ${outcome}`));
  for (const [digit, kind] of [["1", "live"], ["2", "kept"]] as const) {
    await two.hub.commands.submit([command(console.id, digit.repeat(32), kind)]);
    await until(settle, () => console.frames("do").at(-1)?.id[0] === digit);
    console.say({ type: "did", id: digit.repeat(32), outcome: "done" });
    await until(settle, () => told.at(-1) === `${digit} done`);
  }
  // The answer of the other hub is lost.
  await two.hub.commands.submit([command(console.id, "3".repeat(32))]);
  await settle();
  places[0].cut(true);
  console.say({ type: "did", id: "3".repeat(32), outcome: "done" });
  pass(60_000);
  await until(settle, () => told.at(-1) === "3 unknown");
  assertEquals(console.frames("do").map(({ id }) => id[0]), ["1", "2", "3"]);
  assertEquals(told, [
    ...["1 sent", "1 done"],
    ...["2 queued", "2 sent", "2 done"],
    ...["3 sent", "3 unknown"],
  ]);
  await close();
});

Deno.test("a live command with the longest expiry is sent to a console of another hub whose clock is a second behind", async () => {
  const { one, two, clock, settle, command, close } = await openTwo();
  const console = await one.live();
  await settle();
  // Both hubs have one clock here: the time is that of a hub which is a second ahead.
  const expires = clock.now() + 1000 + EXPIRY_MS.live.max;
  await two.hub.commands.submit([{ ...command(console.id, "a".repeat(32)), expires }]);
  await settle();
  assertEquals(console.frames("do").map((frame) => frame.expires), [expires]);
  await close();
});

Deno.test("a live command that two hubs hand over to a third is sent once, and both tell its result", async () => {
  const { one, two, shared, join, settle, pass, command, close } = await openTwo();
  const three = await openHub({ ...shared, bus: join().bus });
  const console = await one.live();
  await settle();
  const id = "c".repeat(32);
  const told: string[] = [];
  for (const [name, { hub }] of [["two", two], ["three", three]] as const) {
    hub.commands.watch(({ outcome }) => void told.push(`${name} ${outcome}`));
    await hub.commands.submit([command(console.id, id)]);
    await settle();
  }
  assertEquals(console.frames("do").length, 1);
  console.say({ type: "did", id, outcome: "done" });
  await settle();
  pass(10_000);
  await settle();
  assertEquals(told, ["two sent", "three sent", "two done", "three done"]);
  await three.hub.close();
  await close();
});

Deno.test("a live command that its console has not answered is unknown at once at a hub where it is repeated", async () => {
  const { one, two, settle, command, close } = await openTwo();
  const console = await one.live();
  await settle();
  const id = "c".repeat(32);
  const told: string[] = [];
  two.hub.commands.watch(({ outcome, why = "" }) => void told.push(`${outcome} ${why}`.trim()));
  const submit = () => two.hub.commands.submit([command(console.id, id)]);
  await submit();
  for (let second = 0; second < 5; second++) {
    await settle(1000);
    console.beat();
  }
  await submit();
  for (let turn = 0; turn < 5; turn++) await settle();
  const unknown =
    "unknown the console did not answer in time: nobody knows whether it was carried out";
  assertEquals(told, ["sent", unknown, "sent", unknown]);
  assertEquals(console.frames("do").length, 1);
  await close();
});

Deno.test("the name of a console that has changed hubs is stored by its present hub alone", async () => {
  const { one, two, shared, settle, close } = await openTwo();
  const before = await one.live();
  await settle();
  before.say({ type: "change", seq: 1, t: 0, summary: { name: "X" } });
  await settle(2000);
  before.end();
  const after = two.dial(before.id);
  after.birth({ epoch: 2, summary: { name: "Y" } });
  const names: unknown[] = [];
  void (async () => {
    for await (const told of shared.ledger.watch("consoles")) {
      if (told !== "current") names.push((told.value as { name: string }).name);
    }
  })();
  for (let seconds = 0; seconds < 60; seconds++) {
    after.beat();
    await settle(1000);
  }
  assertEquals(names, ["X", "Y"]);
  await close();
});

Deno.test("a kept command that the other hub sent at the last moment is not told as expired by a hub that heard of that late", async () => {
  const memory = { ...await openMemoryLedger(), close: () => Promise.resolve() };
  let isLate = true;
  const { late, hear } = lateLedger(memory, (bucket) => isLate && bucket === "results");
  const { one, two, clock, pass, settle, close } = await openTwo({ ledger: late });
  const console = await one.live();
  console.end();
  await settle();
  const told: string[] = [];
  one.hub.commands.watch(({ outcome }) => void told.push(outcome));
  const id = "c".repeat(32);
  await one.hub.commands.submit([{
    id,
    console: console.id,
    batch: id,
    kind: "kept",
    expires: clock.now() + 10_000,
    request: { method: "rpc", payload: { method: "setchannellabel" } },
    by: { name: "anna", may: "admin" },
    from: "10.0.0.1",
  }]);
  pass(9900);
  const again = two.dial(console.id);
  again.birth({ epoch: 9 });
  await until(() => settle(1), () => again.frames("do").length > 0);
  pass(2000);
  await settle();
  again.say({ type: "did", id, outcome: "done" });
  isLate = false;
  hear();
  await until(settle, () => told.includes("done"));
  assertEquals(told, ["queued", "sent", "done"]);
  await close();
});
