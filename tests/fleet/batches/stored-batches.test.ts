/** Batches of kept commands after a restart of their hub, and at other hubs (docs/fleet.md). */
import { assertEquals, assertMatch, equal } from "@std/assert";
import { connect } from "../../../client/client.ts";
import { type BatchRecord, followStoredBatches } from "../../../fleet/batches/stored-batches.ts";
import { RESULTS, STORED_BATCH_BYTES, STORED_BATCHES } from "../../../fleet/hub/hub-limits.ts";
import type { HubParts } from "../../../fleet/hub/hub.ts";
import { type Ledger, LedgerError } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { until } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { lateLedger } from "../late-ledger.ts";
import { entriesOf } from "../ledger-entries.ts";
import { memoryBus } from "../memory-bus.ts";
import { expectDone, openHub } from "../open-hub.ts";
import { refusingLedger } from "../refusing-ledger.ts";
import { serveHub } from "../serve-hub.ts";

const request = { method: "set", path: "/audio/mixers/0/faders/0/label", payload: "Host" };
const BATCH = "b".repeat(32);
const AGAIN = "c".repeat(32);

/** The parts that several hubs share, such as a ledger and a clock. */
async function openShared() {
  const { timer, pass } = passingTime();
  const clock = { now: () => Date.UTC(2026, 0, 1) + timer.monotonic(), monotonic: timer.monotonic };
  const ledger: Ledger = { ...await openMemoryLedger(), close: () => Promise.resolve() };
  return { parts: { ledger, clock, timer }, pass };
}

/** Starts a hub with its interfaces. */
async function start(parts: Partial<HubParts> & Pick<HubParts, "clock">) {
  const core = await openHub(parts);
  const served = await serveHub(core.hub, { clock: parts.clock });
  async function stop(): Promise<void> {
    await served[Symbol.asyncDispose]();
    await core.hub.close();
  }
  return { ...core, served, stop };
}

/** The outcomes of a batch by the ids of its consoles. */
// deno-lint-ignore no-explicit-any
function outcomesOf({ payload, error }: { payload?: any; error?: { message: string } }) {
  if (error !== undefined) return error.message;
  // deno-lint-ignore no-explicit-any
  return Object.fromEntries(payload.result.results.map((one: any) => [one.console, one.outcome]));
}

Deno.test("a batch of kept commands is shown, carried out once and repeated by a hub that has restarted", async () => {
  const { parts } = await openShared();
  const first = await start(parts);
  const { token, admin } = first;
  const away = await first.approved("Away");
  const there = await first.live({ summary: { name: "There" } });
  const strange = await first.enrol("Strange");
  const { token: other } = expectDone(
    await first.hub.addUser({ name: "ben", may: "configure" }, admin),
  );
  const select = { ids: [away, there.id, strange] };
  const order = { select, request, kind: "kept", id: BATCH };
  const { result: begun } = (await first.served.rpc("fleetdo", order, token)).payload;
  there.say({ type: "did", id: BATCH, outcome: "refused", why: "no such fader", code: 6 });
  const refused = { [there.id]: "refused", [strange]: "refused" };
  const fleetbatch = (hub: typeof first) => hub.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(await fleetbatch(first)), { [away]: "queued", ...refused });
  await first.stop();

  const second = await start(parts);
  const shown = await fleetbatch(second);
  assertEquals(outcomesOf(shown), { [away]: "queued", ...refused });
  const { results, counts: _, ...facts } = shown.payload.result;
  assertEquals({ ...facts, counts: begun.counts }, begun);
  // deno-lint-ignore no-explicit-any
  const of = (id: string) => results.find(({ console }: any) => console === id);
  assertEquals([of(there.id).why, of(there.id).code], ["no such fader", 6]);
  assertMatch(of(strange).why, /quarantine/);
  assertEquals(of(away).name, "Away");
  const hidden = await second.served.rpc("fleetbatch", { batch: BATCH }, other);
  assertEquals(hidden.error, {
    code: 6,
    message: `id: there is no batch "${BATCH}", or a hub that has restarted had it in ` +
      "its memory alone",
  });
  await using client = connect(second.served.socket, { token });
  await client.ready();
  using states = await client.watch(`/batches/${BATCH}/_state`);
  await states.until((state) => state === "running");
  const console = second.dial(away);
  console.birth({ summary: { name: "Away" } });
  await until(() => console.frames("do").length === 1);
  console.say({ type: "did", id: BATCH, outcome: "done" });
  await states.until((state) => state === "settled");
  assertEquals(outcomesOf(await fleetbatch(second)), { [away]: "done", ...refused });
  await second.stop();

  const third = await start(parts);
  const repeat = { batch: BATCH, id: AGAIN };
  assertEquals((await third.served.rpc("fleetagain", repeat, other)).error?.code, 6);
  const { result: again } = (await third.served.rpc("fleetagain", repeat, token)).payload;
  assertEquals([again.request, again.kind, again.again], [facts.request, "kept", BATCH]);
  const repeated = await third.served.rpc("fleetbatch", { batch: AGAIN }, token);
  assertEquals(outcomesOf(repeated), { [there.id]: "queued", [strange]: "refused" });
  await third.stop();
});

Deno.test("a batch of kept commands is shown, with its results as they arrive, and repeated by a second hub, even after the hub that took it has died", async () => {
  const { parts, pass } = await openShared();
  const join = memoryBus(parts.timer, () => 1);
  const one = await start({ ...parts, bus: join().bus });
  const two = await start({ ...parts, bus: join().bus });
  const { token } = one;
  const away = await one.approved("Away");
  const order = { select: { all: true }, request, kind: "kept", id: BATCH, expires: 60_000 };
  await one.served.rpc("fleetdo", order, token);
  const fleetbatch = (hub: typeof one) => hub.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(await fleetbatch(two)), { [away]: "queued" });
  await one.stop();
  assertEquals(outcomesOf(await fleetbatch(two)), { [away]: "queued" });
  for (let second = 0; second < 70; second++) {
    pass(1000);
    await Promise.resolve();
  }
  assertEquals(outcomesOf(await fleetbatch(two)), { [away]: "expired" });
  const again = await two.served.rpc("fleetagain", { batch: BATCH }, token);
  assertEquals(again.payload.result.counts.queued, 1);
  await two.stop();
});

Deno.test("a hub that could not store a batch shows the outcomes of that batch once another hub has taken the same order", async () => {
  const { parts, pass } = await openShared();
  const join = memoryBus(parts.timer, () => 1);
  const one = await start({ ...parts, bus: join().bus });
  let isCut = true;
  const ledger = refusingLedger(parts.ledger, () => isCut);
  const two = await start({ ...parts, ledger, bus: join().bus });
  const { token } = one;
  const away = await one.approved("Away");
  const order = { select: { ids: [away] }, request, kind: "kept", id: BATCH };
  const refused = await two.served.rpc("fleetdo", order, token);
  assertEquals(refused.payload.result.counts.refused, 1);
  isCut = false;
  await one.served.rpc("fleetdo", order, token);
  const fleetbatch = (hub: typeof one) => hub.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(await fleetbatch(two)), { [away]: "queued" });
  const console = one.dial(away);
  console.birth();
  await until(() => console.frames("do").length > 0);
  console.say({ type: "did", id: BATCH, outcome: "done" });
  pass(100);
  await one.served.rpc("fleetbatch", { batch: BATCH }, token);
  for (const hub of [one, two]) assertEquals(outcomesOf(await fleetbatch(hub)), { [away]: "done" });
  await one.stop();
  await two.stop();
});

Deno.test("an order repeated with its id after a restart begins no second batch; the hub submits the commands that the ledger lacks", async () => {
  const { parts } = await openShared();
  const first = await start(parts);
  const { token } = first;
  const consoles = [await first.approved("One"), await first.approved("Two")];
  await first.stop();
  // This hub can store the first command, and no further one.
  let left = 1;
  const ledger = refusingLedger(
    parts.ledger,
    (bucket) => bucket === "commands" && left-- <= 0,
    new LedgerError("unanswered", "the ledger did not answer"),
  );
  const dying = await start({ ...parts, ledger });
  const order = { select: { ids: consoles }, request, kind: "kept", id: BATCH };
  await dying.served.rpc("fleetdo", order, token);
  await dying.stop();

  const second = await start(parts);
  const shown = () => second.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(await shown()), { [consoles[0]!]: "queued", [consoles[1]!]: "unknown" });
  const changed = { ...order, request: { ...request, payload: "Guest" } };
  const other = await second.served.rpc("fleetdo", changed, token);
  assertMatch(other.error!.message, /another batch has the id/);
  const { payload } = await second.served.rpc("fleetdo", order, token);
  assertEquals([payload.result.counts.queued, payload.result.consoles], [2, 2]);
  assertEquals(outcomesOf(await shown()), { [consoles[0]!]: "queued", [consoles[1]!]: "queued" });
  await second.stop();
});

Deno.test("a command that was refused because the ledger did not store it is shown as refused after a restart, too", async () => {
  const { parts } = await openShared();
  const first = await start(parts);
  const { token } = first;
  const away = await first.approved("Away");
  const order = { select: { ids: [away] }, request, kind: "kept" };
  await first.stop();
  const ledger = refusingLedger(parts.ledger, (bucket) => bucket === "commands");
  const full = await start({ ...parts, ledger });
  await full.served.rpc("fleetdo", { ...order, id: BATCH }, token);
  await full.stop();
  const second = await start(parts);
  const { payload } = await second.served.rpc("fleetbatch", { batch: BATCH }, token);
  const [{ outcome, why, code }] = payload.result.results;
  assertEquals([outcome, why, code], ["refused", "the ledger is full", 12]);
  await second.stop();
});

Deno.test("a command that one hub could not store, but another hub stored, is not shown as refused", async () => {
  const { parts } = await openShared();
  const first = await start(parts);
  const { token } = first;
  const away = await first.approved("Away");
  const ledger = refusingLedger(parts.ledger, (bucket) => bucket === "commands");
  const full = await start({ ...parts, ledger });
  const order = { select: { ids: [away] }, request, kind: "kept", id: BATCH };
  await full.served.rpc("fleetdo", order, token);
  await full.stop();
  // A repetition of the order reached this hub before the refusal was in the ledger.
  await first.hub.commands.submit([{
    id: BATCH,
    console: away,
    batch: BATCH,
    kind: "kept",
    expires: parts.clock.now() + 60_000,
    request: request as { method: "set"; path: string; payload: string },
    by: { name: "anna", may: "admin" },
    from: "10.0.0.1",
  }]);
  await first.stop();
  const second = await start(parts);
  const shown = await second.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(shown), { [away]: "queued" });
  await second.stop();
});

Deno.test("a batch of kept commands that is refused for every console is shown, but not stored", async () => {
  const { parts } = await openShared();
  const hub = await start(parts);
  const { token } = expectDone(await hub.hub.addUser({ name: "eve", may: "view" }, hub.admin));
  const away = await hub.approved("Away");
  const order = { select: { all: true }, request, kind: "kept", id: BATCH };
  assertEquals((await hub.served.rpc("fleetdo", order, token)).success, true);
  const shown = await hub.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(shown), { [away]: "refused" });
  assertEquals(await entriesOf(parts.ledger, "batches"), []);
  await hub.stop();
});

Deno.test("a batch that the ledger does not take is refused, and none of its commands is sent", async () => {
  const { parts } = await openShared();
  const ledger = refusingLedger(parts.ledger, (bucket) => bucket === "batches");
  const hub = await start({ ...parts, ledger });
  const console = await hub.live();
  const order = { select: { ids: [console.id] }, request, kind: "kept", id: BATCH };
  await hub.served.rpc("fleetdo", order, hub.token);
  const { payload } = await hub.served.rpc("fleetbatch", { batch: BATCH }, hub.token);
  const [{ outcome, why }] = payload.result.results;
  assertEquals([outcome, why], ["refused", "nothing was sent: the ledger is full"]);
  assertEquals(console.frames("do"), []);
  await hub.stop();
});

Deno.test("a hub shows a result stored by another hub, even if it arrives after the removal of the command", async () => {
  const { parts } = await openShared();
  const holding = await start(parts);
  const { late: ledger, hear } = lateLedger(parts.ledger, (bucket) => bucket === "results");
  const late = await start({ ...parts, ledger });
  const { token } = holding;
  const console = await holding.live();
  const order = { select: { ids: [console.id] }, request, kind: "kept", id: BATCH };
  await holding.served.rpc("fleetdo", order, token);
  const fleetbatch = () => late.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(await fleetbatch()), { [console.id]: "queued" });
  console.say({ type: "did", id: BATCH, outcome: "done" });
  await until(async () => (await entriesOf(parts.ledger, "commands")).length === 0);
  await until(async () => {
    hear();
    return equal(outcomesOf(await fleetbatch()), { [console.id]: "done" });
  });
  await late.stop();
  await holding.stop();
});

Deno.test("a batch that two hubs take at the same time is carried out once, and neither hub shows its commands as refused", async () => {
  const { parts } = await openShared();
  const first = await start(parts);
  const { token } = first;
  const away = await first.approved("Away");
  // This hub hears of the batches and commands of the other one late.
  const { late: ledger, hear } = lateLedger(
    parts.ledger,
    (bucket) => bucket === "batches" || bucket === "commands",
  );
  const late = await start({ ...parts, ledger });
  const order = { select: { ids: [away] }, request, kind: "kept", id: BATCH };
  await first.served.rpc("fleetdo", order, token);
  await late.served.rpc("fleetdo", order, token);
  const fleetbatch = () => late.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(await fleetbatch()), { [away]: "unknown" });
  const becomes = (outcome: string) =>
    until(async () => {
      hear();
      return equal(outcomesOf(await fleetbatch()), { [away]: outcome });
    });
  await becomes("queued");
  const console = first.dial(away);
  console.birth();
  await until(() => console.frames("do").length === 1);
  console.say({ type: "did", id: BATCH, outcome: "done" });
  await becomes("done");
  await late.stop();
  await first.stop();
});

Deno.test("if one hub could not store a batch and another hub carried it out, both hubs show its outcomes", async () => {
  for (const [code, before] of [["unavailable", "refused"], ["unanswered", "unknown"]] as const) {
    const { parts } = await openShared();
    const first = await start(parts);
    const { token } = first;
    const away = await first.approved("Away");
    let isCut = true;
    const put: Ledger["put"] = async (bucket, ...given) => {
      const fails = bucket === "batches" && isCut;
      const revision = fails && code === "unavailable"
        ? 0
        : await parts.ledger.put(bucket, ...given);
      if (fails) throw new LedgerError(code, "the servers are away");
      return revision;
    };
    const cut = await start({ ...parts, ledger: { ...parts.ledger, put } });
    const order = { select: { ids: [away] }, request, kind: "kept", id: BATCH };
    await cut.served.rpc("fleetdo", order, token);
    isCut = false;
    const fleetbatch = () => cut.served.rpc("fleetbatch", { batch: BATCH }, token);
    const shown = (await fleetbatch()).payload.result.results[0];
    assertEquals([shown.outcome, shown.why], [before, "nothing was sent: the servers are away"]);
    await first.served.rpc("fleetdo", order, token);
    assertEquals(outcomesOf(await fleetbatch()), { [away]: "queued" });
    const console = first.dial(away);
    console.birth();
    await until(() => console.frames("do").length === 1);
    console.say({ type: "did", id: BATCH, outcome: "done" });
    assertEquals(outcomesOf(await fleetbatch()), { [away]: "done" });
    await cut.stop();
    await first.stop();
  }
});

Deno.test("a hub that could not store an order carries it out when it is repeated with its id, and refuses another order with that id", async () => {
  const faults = [["unavailable", false], ["unanswered", false], ["unanswered", true]] as const;
  for (const [code, isStored] of faults) {
    const { parts } = await openShared();
    let isCut = true;
    const put: Ledger["put"] = async (bucket, ...given) => {
      const fails = bucket === "batches" && isCut;
      const revision = fails && !isStored ? 0 : await parts.ledger.put(bucket, ...given);
      if (fails) throw new LedgerError(code, "the servers are away");
      return revision;
    };
    const hub = await start({ ...parts, ledger: { ...parts.ledger, put } });
    const { token } = hub;
    const { token: other } = expectDone(
      await hub.hub.addUser({ name: "ben", may: "admin" }, hub.admin),
    );
    const away = await hub.approved("Away");
    const select = { ids: [away] };
    const order = { select, request, kind: "kept", id: BATCH };
    const { result: begun } = (await hub.served.rpc("fleetdo", order, token)).payload;
    assertEquals(begun.counts.queued, 0);
    isCut = false;

    const changed = { ...order, request: { ...request, payload: "Guest" } };
    for (const [strange, by] of [[changed, token], [order, other]] as const) {
      const refused = await hub.served.rpc("fleetdo", strange, by);
      assertMatch(refused.error!.message, /another batch has the id/);
    }
    for (let times = 0; times < 2; times++) {
      const { result } = (await hub.served.rpc("fleetdo", order, token)).payload;
      assertEquals([result.created, result.counts.queued], [begun.created, 1]);
    }
    const console = hub.dial(away);
    console.birth();
    await until(() => console.frames("do").length === 1);
    console.say({ type: "did", id: BATCH, outcome: "done" });
    const shown = await hub.served.rpc("fleetbatch", { batch: BATCH }, token);
    assertEquals(outcomesOf(shown), { [away]: "done" });
    await hub.stop();
  }
});

Deno.test("if a hub stores a batch and dies before it stores the commands, another hub carries out the order when it is repeated with its id", async () => {
  const { parts } = await openShared();
  let isDying = false;
  const dying = await start({
    ...parts,
    ledger: refusingLedger(
      parts.ledger,
      (bucket) => bucket === "commands" && isDying,
      new LedgerError("unanswered", "the ledger did not answer"),
    ),
  });
  const { token } = dying;
  const away = await dying.approved("Away");
  isDying = true;
  const { late: ledger, hear } = lateLedger(parts.ledger, (bucket) => bucket === "batches");
  const late = await start({ ...parts, ledger });
  const order = { select: { ids: [away] }, request, kind: "kept", id: BATCH };
  await dying.served.rpc("fleetdo", order, token);
  await late.served.rpc("fleetdo", order, token);
  const fleetbatch = () => late.served.rpc("fleetbatch", { batch: BATCH }, token);
  assertEquals(outcomesOf(await fleetbatch()), { [away]: "unknown" });
  await dying.stop();
  await until(async () => {
    hear();
    const { payload } = await late.served.rpc("fleetdo", order, token);
    return payload.result.counts.queued === 1;
  });
  assertEquals(outcomesOf(await fleetbatch()), { [away]: "queued" });
  await late.stop();
});

Deno.test("a repeated fleetagain is answered after a restart, whatever has become of the first batch", async () => {
  const { parts } = await openShared();
  const first = await start(parts);
  const { token } = first;
  const consoles = [await first.approved("One"), await first.approved("Two")];
  await first.stop();
  // The ledger does not say whether it has stored the two commands of the first batch: it has.
  const put: Ledger["put"] = async (bucket, key, ...given) => {
    const revision = await parts.ledger.put(bucket, key, ...given);
    if (bucket !== "commands" || !key.includes(BATCH)) return revision;
    throw new LedgerError("unanswered", "the ledger did not answer");
  };
  async function* watch(bucket: Parameters<Ledger["watch"]>[0]) {
    for await (const entry of parts.ledger.watch(bucket)) {
      if (bucket !== "commands" || entry === "current") yield entry;
    }
  }
  const unsure = await start({ ...parts, ledger: { ...parts.ledger, put, watch } });
  const order = { select: { ids: consoles }, request, kind: "kept", id: BATCH };
  await unsure.served.rpc("fleetdo", order, token);
  const repeat = { batch: BATCH, id: AGAIN };
  const begun = await unsure.served.rpc("fleetagain", repeat, token);
  assertEquals(begun.payload.result.consoles, 2);
  await unsure.stop();

  const second = await start(parts);
  for (let times = 0; times < 2; times++) {
    const { payload, error } = await second.served.rpc("fleetagain", repeat, token);
    assertEquals([payload?.result.consoles, error], [2, undefined]);
  }
  await second.stop();
});

/** Makes a batch whose record has at least `bytes` bytes as JSON. */
function batchRecord(number: number, by: string, created: number, bytes = 0): BatchRecord {
  const order = { request, kind: "kept", together: false, force: false } as BatchRecord["order"];
  const id = number.toString(16).padStart(32, "0");
  const again = "x".repeat(bytes);
  return { id, by, again, order, created, expires: created, consoles: [], refused: {} };
}

Deno.test("a hub removes a batch from the ledger after 30 days, and the oldest batches of a user whose batches exceed the limits on their number or total size", async () => {
  const ledger = await openMemoryLedger();
  let now = 0;
  const batches = await followStoredBatches(ledger, { clock: { now: () => now } });
  const kept = async () => (await entriesOf(ledger, "batches")).map(({ key }) => parseInt(key, 16));
  await batches.store(batchRecord(1, "anna", now));
  for (let number = 2; number < STORED_BATCHES.ofUser + 4; number++) {
    now++;
    await batches.store(batchRecord(number, "ben", now));
  }
  const afterMany = await kept();
  assertEquals([afterMany.length, ...afterMany.slice(0, 2)], [STORED_BATCHES.ofUser + 1, 1, 4]);
  now++;
  await batches.store(batchRecord(1000, "ben", now, STORED_BATCH_BYTES.ofUser / 2));
  now++;
  await batches.store(batchRecord(1001, "ben", now, STORED_BATCH_BYTES.ofUser / 2));
  assertEquals(await kept(), [1, 1001]);
  now = RESULTS.ms + 1;
  assertEquals(batches.find(batchRecord(1, "", 0).id), undefined);
  await batches.store(batchRecord(1002, "carl", now));
  assertEquals((await kept()).includes(1), false);
});
