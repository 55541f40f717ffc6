import { assertEquals, assertMatch } from "@std/assert";
import { isRefusal } from "../../../core/errors.ts";
import { type Branch, merge } from "../../../core/tree/tree.ts";
import { createBatches } from "../../../fleet/batches/batch.ts";
import type { BatchOrder } from "../../../fleet/batches/batch-order.ts";
import type { Template } from "../../../fleet/drift/templates.ts";
import type { FleetActor } from "../../../fleet/hub/hub-core.ts";
import {
  BATCH_KEPT_MS,
  BATCH_RESULTS,
  BATCHES,
  CONSOLES,
  PREVIEW_BYTES,
  TOGETHER_MS,
} from "../../../fleet/hub/hub-limits.ts";
import type { KeptBatch } from "../../../fleet/batches/kept-batch.ts";
import { machine } from "../../../runtimes/clock.ts";
import { passingTime } from "../../timers.ts";
import { entry, type FakeCore, fakeCore, idOf } from "../fake-core.ts";

const START = Date.UTC(2026, 0, 1);
const anna: FleetActor = { user: { name: "anna", may: "admin" }, from: "10.0.0.1" };
const ben: FleetActor = { user: { name: "ben", may: "operate" }, from: "10.0.0.2" };

const label: BatchOrder = {
  select: { all: true },
  request: { method: "set", path: "/audio/mixers/0/faders/0/label", payload: "Host" },
  kind: "live",
  together: false,
  force: false,
};
const load: BatchOrder = {
  ...label,
  request: { method: "rpc", payload: { method: "loadsnapshot", params: { id: "default" } } },
};

/** The summary of a console with two faders, of which the first is ON or not. */
function withFaders(on: boolean) {
  const faders = { 0: { label: "Mic", on }, 1: { label: "", on: false } };
  return { tree: { audio: { mixers: { 0: { faders } } } } };
}

function open(core: FakeCore = fakeCore()) {
  const { timer, pass } = passingTime();
  const clock = { now: () => START + timer.monotonic(), monotonic: timer.monotonic };
  const batches = createBatches(core, { clock, timer, random: machine.random });
  const run = async (order: BatchOrder, actor = ben, id?: string) =>
    expectBatch(await batches.run(order, actor, id));
  return { core, batches, run, pass, submitted: core.commands.submitted };
}

function expectBatch(outcome: Awaited<ReturnType<ReturnType<typeof createBatches>["run"]>>) {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}

async function refusal(outcome: Promise<object>): Promise<string> {
  const known = await outcome;
  return isRefusal(known) ? known.message : "done";
}

function outcomesOf({ results }: KeptBatch): string {
  return [...results.values()].map(({ outcome, why = "" }) => `${outcome} ${why}`.trim())
    .join("; ");
}

Deno.test("each console of a batch gets its own command; all have the same expiry", async () => {
  const { core, run, submitted } = open();
  core.put(idOf(1), entry("One"));
  core.put(idOf(2), entry("Two"));
  const batch = await run({ ...label, require: { "/a": 1 } });
  assertEquals(batch.counts, { queued: 0, sent: 0, done: 2, refused: 0, expired: 0, unknown: 0 });
  assertEquals(batch.isSettled, true);
  assertEquals(new Set(submitted.map(({ console, id }) => `${console}.${id}`)).size, 2);
  const [{ id, ...command } = { id: "" }] = submitted;
  assertMatch(id, /^[0-9a-f]{32}$/);
  assertEquals(command, {
    console: idOf(1),
    batch: batch.facts.id,
    kind: "live",
    expires: START + 3000,
    require: { "/a": 1 },
    request: label.request,
    by: { name: "ben", may: "operate" },
    from: "10.0.0.2",
  });
});

Deno.test("the consoles of a batch begin together only if there are several and the request asks for it", async () => {
  const { core, run, submitted } = open();
  core.put(idOf(1), entry("One"));
  await run({ ...label, together: true });
  core.put(idOf(2), entry("Two"));
  await run({ ...label, together: true });
  await run(label);
  const together = [START + TOGETHER_MS, START + TOGETHER_MS + 3000];
  assertEquals(submitted.map(({ at, expires }) => [at, expires]), [
    [undefined, START + 3000],
    together,
    together,
    [undefined, START + 3000],
    [undefined, START + 3000],
  ]);
});

Deno.test("in a batch for 1,000 consoles of which 300 are gone, live commands to the 300 are refused, and kept ones wait", async () => {
  const { core, run, submitted } = open();
  for (let number = 0; number < 1000; number++) {
    core.put(idOf(number), entry(`Studio ${number}`, {}, number < 300 ? "gone" : "live"));
  }
  const live = await run(label);
  assertEquals([live.counts.done, live.counts.refused, submitted.length], [700, 300, 700]);
  assertMatch(live.results.get(idOf(0))!.why!, /"Studio 0" is gone since/);
  core.commands.outcome = ({ console }) => ({
    outcome: Number(`0x${console}`) < 300 ? "queued" : "done",
  });
  const kept = await run({ ...label, kind: "kept" });
  assertEquals([kept.counts.done, kept.counts.queued, kept.isSettled], [700, 300, false]);
});

Deno.test("a request that may be heard is refused at a console that may be on air, and requires of others that they stay off air", async () => {
  const { core, run, submitted } = open();
  core.put(idOf(1), entry("On air", withFaders(true)));
  core.put(idOf(2), entry("Off air", withFaders(false)));
  core.put(idOf(3), entry("Unknown"));
  const level = { method: "set", path: "/audio/mixers/0/faders/0/fader", payload: 0 } as const;
  for (const order of [load, { ...label, request: level }]) {
    assertEquals(
      outcomesOf(await run(order)),
      'refused the console is on air (the fader "Mic" is ON): give "require", or "force" for ' +
        "consoles on air, too; done; refused the hub does not know its faders, so it may be on " +
        'air: give "require", or "force" for consoles on air, too',
    );
    assertEquals(submitted.at(-1)!.require, {
      "/audio/mixers/0/faders/0/on": false,
      "/audio/mixers/0/faders/1/on": false,
    });
  }
  assertEquals((await run({ ...load, force: true })).counts.done, 3);
  assertEquals(submitted.at(-1)!.require, undefined);
  assertEquals((await run({ ...load, require: { "/a": 1 } })).counts.done, 3);
  assertEquals((await run(label)).counts.done, 3, "a label is not heard");
});

Deno.test("a batch is refused at consoles in quarantine, and at consoles that do not let the user operate", async () => {
  const { core, run, submitted } = open();
  core.put(idOf(1), entry("Operable", { may: "configure" }));
  core.put(idOf(2), entry("Shown", { may: "view" }));
  core.put(idOf(3), entry("New", {}, "quarantined"));
  const batch = await run({ ...label, select: { ids: [idOf(1), idOf(2), idOf(3)] } });
  assertEquals(batch.counts.refused, 2);
  assertMatch(
    batch.results.get(idOf(2))!.why!,
    /needs the right to operate there, and this is view/,
  );
  assertMatch(batch.results.get(idOf(3))!.why!, /quarantine/);
  assertEquals(submitted.map(({ by }) => by.may), ["operate"]);
  // A hub that has restarted has not heard the right that the console gives to the fleet.
  const awaited = { ...entry("Away", { may: "view" }, "gone"), isAwaited: true };
  core.put(idOf(4), awaited);
  const kept = await run({ ...label, kind: "kept", select: { ids: [idOf(4)] } });
  assertEquals(kept.counts.refused, 0);
});

Deno.test("an invalid order is refused as a whole, and the refusal names the parameter", async () => {
  const { core, batches, submitted } = open();
  core.put(idOf(1), entry("One"));
  const cases: readonly (readonly [Partial<BatchOrder>, RegExp])[] = [
    [{ select: { site: "Mars" } }, /^select: no console that is approved matches/],
    [{ expires: 30_001 }, /^expires: expected 1 to 30000 ms for a live batch, got 30001/],
    [{ at: START }, /^at: expected an instant within 30000 ms/],
    [{ at: START + 29_000, expires: 1001 }, /^expires: expected 1 to 1000 ms/],
    [{ at: START + 100, together: true }, /^together: expected no at/],
    [{ kind: "kept", together: true }, /^together: expected a live batch/],
    [
      { kind: "kept", request: load.request },
      /^kind: only labels, users, saved snapshots and view documents/,
    ],
    ...["adduser", "makehandover", "takehandover"].map((method) =>
      [{ request: { method: "rpc", payload: { method } } }, /^request: it returns a token/] as const
    ),
    [
      { request: { method: "rpc", payload: { method: "modifyuser", params: { newtoken: true } } } },
      /^request: it returns a token/,
    ],
    [
      { require: Object.fromEntries(Array.from({ length: 8193 }, (_, at) => [`/${at}`, 0])) },
      /^require: expected at most 8192/,
    ],
    [{ require: { "/a": "x".repeat(65_536) } }, /^request: expected at most 65536 bytes/],
    [{ require: { [`/${"a".repeat(1024)}`]: 1 } }, /^request: expected at most 1024 characters/],
  ];
  for (const [part, expected] of cases) {
    assertMatch(await refusal(batches.run({ ...label, ...part }, ben)), expected);
  }
  const nobody = { user: undefined, from: "10.0.0.3" };
  assertMatch(await refusal(batches.run(label, nobody)), /^token/);
  assertEquals(submitted, []);
});

Deno.test("only a user with a right for all consoles may select the consoles that differ from a template", async () => {
  const { core, batches } = open();
  core.put(idOf(1), { ...entry("One", { site: "Berlin" }), digests: { labels: "b" } });
  const sections = { labels: { digest: "a", value: {} } };
  await core.templates.save({ name: "studio", model: {}, sections } as unknown as Template);
  const order = { ...label, select: { drift: "studio" } };
  const carl = { name: "carl", rights: [{ site: "Berlin", may: "admin" }] } as const;
  for (const ask of [batches.run, batches.preview]) {
    assertMatch(
      await refusal(ask(order, { user: carl, from: "10.0.0.4" })),
      /user carl has no right to view all consoles, which a template requires/,
    );
    assertEquals(await refusal(ask(order, ben)), "done");
  }
  core.put(idOf(1), { ...entry("One", { site: "Berlin" }), digests: {} });
  assertEquals(
    await refusal(batches.run(order, ben)),
    "select: no console that is approved matches; drift matches no console that the hub dials, " +
      "which has no digests",
  );
});

Deno.test("a repeated id begins no second batch, and is valid for one order of one user only", async () => {
  const { core, batches, run, submitted } = open();
  core.put(idOf(1), entry("One"));
  const id = "b".repeat(32);
  const first = await run(label, ben, id);
  assertEquals(await run({ ...label }, ben, id), first);
  assertMatch(await refusal(batches.run(load, ben, id)), /another batch has the id/);
  assertMatch(await refusal(batches.run(label, anna, id)), /another batch has the id/);
  assertEquals(submitted.length, 1);
});

Deno.test("fleetagain repeats the request only at existing consoles where it was refused, has expired or is unknown", async () => {
  const { core, batches, run, submitted } = open();
  const outcomes = ["done", "refused", "expired", "unknown", "queued", "refused"] as const;
  for (const [at] of outcomes.entries()) core.put(idOf(at), entry(`Studio ${at}`));
  core.commands.outcome = ({ console }) => ({ outcome: outcomes[Number(console)]! });
  const first = await run({ ...label, at: START + 1000 });
  core.put(idOf(5), undefined);
  core.commands.outcome = () => ({ outcome: "done" });
  const second = expectBatch(await batches.again(first.facts.id, ben));
  assertEquals([...second.results.keys()].map(Number), [1, 2, 3]);
  assertEquals([second.counts.done, second.facts.again], [3, first.facts.id]);
  assertEquals(submitted.at(-1)!.at, undefined);
  assertMatch(await refusal(batches.again(second.facts.id, ben)), /has failed/);
  assertMatch(await refusal(batches.again("c".repeat(32), ben)), /no batch/);
  core.commands.outcome = () => ({ outcome: "unknown" });
  const third = await run({ ...label, select: { ids: [idOf(1)] } });
  core.put(idOf(1), undefined);
  const left = await refusal(batches.again(third.facts.id, ben));
  assertMatch(left, /at which this batch has failed are no longer in the fleet/);
});

Deno.test("again with an id that comes again begins no third batch, whatever has become of the first since", async () => {
  const { core, batches, run, submitted } = open();
  for (const at of [1, 2]) core.put(idOf(at), entry(`Studio ${at}`));
  core.commands.outcome = () => ({ outcome: "unknown" });
  const { facts: { id } } = await run(label);
  const [, other] = submitted;
  const newId = "d".repeat(32);
  const second = expectBatch(await batches.again(id, ben, newId));
  core.commands.say(other!, { outcome: "done" });
  assertEquals(await refusal(batches.again(id, ben, newId)), "done");
  core.commands.say(submitted[0]!, { outcome: "done" });
  assertEquals(expectBatch(await batches.again(id, ben, newId)).facts, second.facts);
  assertMatch(await refusal(batches.again(newId, ben, newId)), /another batch has the id/);
  assertEquals(submitted.length, 4);
});

Deno.test("an unknown result becomes queued once the ledger has the command, and then done", async () => {
  const { core, batches, run, submitted } = open();
  core.put(idOf(1), entry("One"));
  core.commands.outcome = () => ({ outcome: "unknown" });
  const { facts: { id } } = await run(label);
  const now = () => expectBatch(batches.find(id, ben)).results.get(idOf(1))!.outcome;
  for (const [said, expected] of [["sent", "unknown"], ["queued", "queued"], ["done", "done"]]) {
    core.commands.say(submitted[0]!, { outcome: said as "sent" | "queued" | "done" });
    assertEquals(now(), expected);
  }
});

Deno.test("the user of a batch and admins see its results in the tree, which follow each outcome", async () => {
  const { core, batches, run, pass, submitted } = open();
  core.put(idOf(1), entry("One", { site: "Berlin" }));
  core.commands.outcome = () => undefined;
  let tree: Branch = { batches: {} };
  batches.watch(({ patch }) => tree = merge(tree, patch));
  const { facts: { id } } = await run(label);
  core.commands.say(submitted[0]!, { outcome: "sent" });
  core.commands.say(submitted[0]!, { outcome: "refused", why: "not yours", code: 5 });
  core.commands.say(submitted[0]!, { outcome: "sent" });
  pass(40);
  assertEquals(batches.shownTo(ben.user)[id], {
    _id: id,
    _by: "ben",
    _created: "2026-01-01T00:00:00.000Z",
    _request: "set /audio/mixers/0/faders/0/label",
    _kind: "live",
    _expires: "2026-01-01T00:00:03.000Z",
    _at: "",
    _again: "",
    _consoles: 1,
    _state: "settled",
    counts: { _queued: 0, _sent: 0, _done: 0, _refused: 1, _expired: 0, _unknown: 0 },
    results: {
      [idOf(1)]: {
        _name: "One",
        _site: "Berlin",
        _outcome: "refused",
        _time: "2026-01-01T00:00:00.000Z",
        _why: "not yours",
        _code: 5,
      },
    },
  });
  assertEquals(tree, { batches: batches.shownTo(anna.user) });
  assertEquals(batches.shownTo({ name: "carl", may: "configure" }), {});
  const anotherBen = { ...ben.user!, created: "2026-01-02T00:00:00.000Z" };
  assertEquals(batches.shownTo(anotherBen), {}, "a later user of the same name is another user");
  assertEquals(isRefusal(batches.find(id, { user: { name: "carl" }, from: "" })), true);
});

Deno.test("changes of a batch are told every 40 ms, and at once when it is settled", async () => {
  const { core, batches, run, pass, submitted } = open();
  for (const number of [1, 2, 3]) core.put(idOf(number), entry(`Studio ${number}`));
  core.commands.outcome = () => undefined;
  const { facts: { id } } = await run(label);
  pass(40);
  const states: unknown[] = [];
  batches.watch(({ patch }) => states.push((patch.batches as Branch)[id]));
  const told = () =>
    (states as Branch[]).splice(0).map(({ _state, results }) => [
      _state,
      Object.keys(results as Branch).length,
    ]);
  core.commands.say(submitted[0]!, { outcome: "done" });
  pass(40);
  assertEquals(told(), [["running", 1]]);
  core.commands.say(submitted[1]!, { outcome: "done" });
  assertEquals(told(), []);
  core.commands.say(submitted[2]!, { outcome: "done" });
  assertEquals(told(), [["settled", 2]]);
  pass(1000);
  assertEquals(told(), []);
});

Deno.test("batches are kept for a day; if a user has too many, the oldest settled one of that user is evicted", async () => {
  const { core, batches, run, pass } = open();
  core.put(idOf(1), entry("One"));
  const first = await run(label);
  for (let count = 1; count < BATCHES.ofUser; count++) await run(label);
  const ofAnna = await run(label, anna);
  const kept = () => Object.keys(batches.shownTo(anna.user));
  assertEquals([kept().length, kept().includes(first.facts.id)], [BATCHES.ofUser + 1, true]);
  core.commands.outcome = () => undefined;
  const running = await run(label);
  assertEquals([kept().length, kept().includes(first.facts.id)], [BATCHES.ofUser + 1, false]);
  for (let count = 1; count < BATCHES.ofUser; count++) await run(label);
  assertMatch(await refusal(batches.run(label, ben)), /too many batches are not settled/);
  assertEquals(kept().includes(ofAnna.facts.id), true, "those of others stay");
  pass(BATCH_KEPT_MS - 120_000);
  assertEquals(kept().includes(running.facts.id), true);
  pass(240_000);
  assertEquals(kept(), []);
});

Deno.test("an order that finds no room evicts no batch", async () => {
  const { core, batches, run } = open();
  for (let console = 1; console < CONSOLES; console++) core.put(idOf(console), entry("One"));
  const settled = await run({ ...label, select: { ids: [idOf(1)] } });
  core.commands.outcome = () => undefined;
  const running = Math.floor(BATCH_RESULTS.ofUser / (CONSOLES - 1));
  for (let count = 0; count < running; count++) await run(label);
  assertMatch(await refusal(batches.run(label, ben)), /too many batches are not settled/);
  assertEquals(Object.keys(batches.shownTo(ben.user)).includes(settled.facts.id), true);
});

Deno.test("a kept batch that is still being stored is not evicted, so the order that finds no room is not carried out", async () => {
  const { core, batches, submitted } = open();
  core.put(idOf(1), entry("Away", {}, "gone"));
  core.commands.outcome = () => ({ outcome: "queued" });
  const { promise, resolve } = Promise.withResolvers<void>();
  const { store } = core.storedBatches;
  Object.assign(core.storedBatches, {
    store: (batch: Parameters<typeof store>[0]) => promise.then(() => store(batch)),
  });
  const kept: BatchOrder = { ...label, kind: "kept" };
  const running = Array.from({ length: BATCHES.ofUser }, () => batches.run(kept, ben));
  assertMatch(await refusal(batches.run(kept, ben)), /too many batches are not settled/);
  resolve();
  for (const batch of await Promise.all(running)) expectBatch(batch);
  assertEquals(submitted.length, BATCHES.ofUser);
});

Deno.test("a batch that the ledger has is evicted before an older one of live commands", async () => {
  const { core, batches, run } = open();
  core.put(idOf(1), entry("One"));
  const live = await run(label);
  const first = await run({ ...label, kind: "kept" });
  for (let count = 1; count < BATCHES.ofUser; count++) await run({ ...label, kind: "kept" });
  const kept = () => Object.keys(batches.shownTo(anna.user));
  assertEquals([live, first].map(({ facts }) => kept().includes(facts.id)), [true, false]);
  // It is read from the ledger, and another one of the ledger makes room for it.
  assertEquals(isRefusal(batches.find(first.facts.id, ben)), false);
  assertEquals([kept().length, kept().includes(live.facts.id)], [BATCHES.ofUser, true]);
});

for (const users of [1, 5]) {
  Deno.test(`any number of kept batches of ${users} users that wait for one console leave room for others`, async () => {
    const { core, batches, run } = open();
    core.put(idOf(1), entry("One"));
    core.put(idOf(2), entry("Away", {}, "gone"));
    core.commands.outcome = ({ kind }) => ({ outcome: kind === "kept" ? "queued" : "done" });
    const actors: FleetActor[] = [];
    for (let user = 0; user < users; user++) {
      const person = { name: `user ${user}`, may: "operate" } as const;
      await core.addUser(person, anna);
      actors.push({ user: person, from: "10.0.0.3" });
    }
    const kept: BatchOrder = { ...label, kind: "kept" };
    for (const actor of actors) {
      for (let count = 0; count < BATCHES.ofUser; count++) await run(kept, actor);
    }
    const [first] = Object.keys(batches.shownTo(anna.user));
    for (const actor of [actors[0]!, ben]) {
      const live = await run({ ...label, select: { ids: [idOf(1)] } }, actor);
      assertEquals(live.counts.done, 1);
    }
    assertEquals(first! in batches.shownTo(anna.user), false);
    assertEquals(isRefusal(batches.find(first!, anna)), false, "it is read from the ledger");
  });
}

Deno.test("a preview says for each console what would change, or why nothing would, and changes nothing", async () => {
  const { core, batches, submitted } = open();
  core.put(idOf(1), entry("One"));
  core.put(idOf(2), entry("Two"));
  core.put(idOf(3), entry("Three", {}, "gone"));
  core.put(idOf(4), entry("Four"));
  core.commands.would = ({ console }) =>
    console === idOf(1)
      ? {
        before: { a: { b: 1, l: [1] } },
        after: { a: { b: 2, l: [2], c: true } },
        changes: [{ path: "/users/anna", before: { may: "view" }, after: undefined }],
        more: 7,
      }
      : console === idOf(2)
      ? { refused: "not yours" }
      : undefined;
  const previews = await batches.preview(label, ben);
  const said = isRefusal(previews) ? [] : previews;
  assertEquals(said.map(({ name, refused = "" }) => [name, refused.slice(0, 19)]), [
    ["One", ""],
    ["Two", "not yours"],
    ["Three", 'the console "Three"'],
    ["Four", ""],
  ]);
  assertEquals(said.map(({ noPreview }) => noPreview), [
    ...[undefined, undefined, undefined],
    "the console did not answer",
  ]);
  assertEquals(said[0]!.more, 7);
  assertEquals(said[0]!.changes, [
    { path: "/users/anna", before: { may: "view" }, after: null },
    { path: "/a/b", before: 1, after: 2 },
    { path: "/a/l", before: [1], after: [2] },
    { path: "/a/c", before: null, after: true },
  ]);
  assertEquals([submitted.length, Object.keys(batches.shownTo(ben.user)).length], [0, 0]);
});

Deno.test("a preview of many large changes has an equal share for each console, and counts the changes that it leaves out", async () => {
  const { core, batches } = open();
  const COUNT = 600;
  for (let number = 0; number < COUNT; number++) core.put(idOf(number), entry(`${number}`));
  const large = "x".repeat(20_000);
  core.commands.would = ({ console }) =>
    console === idOf(0) ? { after: { a: 1 } } : { after: { a: large, b: large, c: large } };
  const previews = await batches.preview(label, ben);
  const [small, ...others] = isRefusal(previews) ? [] : previews;
  assertEquals([small!.changes.length, small!.more], [1, 0]);
  assertEquals(
    new Set(others.map(({ changes, more }) => `${changes.length} ${more}`)),
    new Set(["1 2"]),
  );
  assertEquals(JSON.stringify(previews).length <= PREVIEW_BYTES, true);
});
