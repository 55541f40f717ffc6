/** Commands through a hub (docs/fleet.md, "Commands"). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { refuse } from "../../../core/errors.ts";
import type { Command, CommandPreview, CommandResult } from "../../../fleet/commands/command.ts";
import {
  COMMAND_ANSWER_MS,
  LIVE_COMMANDS,
  LIVE_GRACE_MS,
  RESULTS,
} from "../../../fleet/hub/hub-limits.ts";
import { type Bucket, type Ledger, LedgerError } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { readFromHub } from "../../../fleet/uplink/frames-of-hub.ts";
import type { Socket } from "../../../transport/websocket/send-buffer.ts";
import { until } from "../../service.ts";
import { createBatches } from "../../../fleet/batches/batch.ts";
import { machine } from "../../../runtimes/clock.ts";
import { heldConsole } from "../held-console.ts";
import { lateLedger } from "../late-ledger.ts";
import { entriesOf } from "../ledger-entries.ts";
import { expectDone, newest, openHub, type PlayedConsole, summaryOf } from "../open-hub.ts";
import { refusingLedger } from "../refusing-ledger.ts";

const DAY_MS = 24 * 60 * 60_000;
const SET_ON = { method: "set", path: "/audio/mixers/0/faders/0/on", payload: true } as const;
const LABEL = { method: "rpc", payload: { method: "setchannellabel" } } as const;

let count = 0;

function newId(): string {
  return `c${(++count).toString(16).padStart(31, "0")}`;
}

/** A hub, and the outcomes of commands that it reports. */
async function opened(ledger?: Ledger) {
  const opened = await openHub(ledger === undefined ? {} : { ledger });
  const told: CommandResult[] = [];
  opened.hub.commands.watch((result) => void told.push(result));

  function command(console: string, given: Partial<Command> = {}): Command {
    return {
      id: newId(),
      console,
      batch: newId(),
      kind: "live",
      expires: opened.clock.now() + 3000,
      request: SET_ON,
      by: { name: "anna", may: "admin" },
      from: "10.0.0.1",
      ...given,
    };
  }

  function kept(console: string, given: Partial<Command> = {}): Command {
    const expires = opened.clock.now() + DAY_MS;
    return command(console, { kind: "kept", request: LABEL, expires, ...given });
  }

  const outcomes = (id: string) => told.filter((one) => one.id === id).map((one) => one.outcome);
  const why = (id: string) => told.findLast((one) => one.id === id)?.why ?? "";
  const entries = async (bucket: "commands" | "results" | "batches") =>
    (await entriesOf(opened.ledger, bucket)).map(({ key, value }) =>
      `${key.slice(-4)} ${(value as { outcome?: string }).outcome ?? ""}`
    );
  const submit = (...commands: Command[]) => opened.hub.commands.submit(commands);
  return { ...opened, command, kept, submit, told, outcomes, why, entries };
}

type Opened = Awaited<ReturnType<typeof opened>>;

function did(console: PlayedConsole, id: string, given: object = { outcome: "done" }): void {
  console.say({ type: "did", id, ...given });
}

Deno.test("a live command is sent once, on behalf of its user, and its first answer is its outcome", async () => {
  const { live, command, submit, outcomes, told } = await opened();
  const console = await live();
  const one = command(console.id, { require: { "/x": 1 }, at: 5 });
  await submit(one);
  const [frame] = console.frames("do");
  const { console: _, by, ...rest } = one;
  assertEquals(frame, { type: "do", ...rest, as: by });
  did(console, one.id, { outcome: "done", result: { label: "x" } });
  did(console, one.id);
  assertEquals(outcomes(one.id), ["sent", "done"]);
  assertEquals(told.at(-1)?.result, { label: "x" });
});

Deno.test("a result may be any JSON value, and does not end the connection of its console", async () => {
  const { live, command, submit, told } = await opened();
  const console = await live();
  const one = command(console.id);
  await submit(one);
  const result = { name: "anna", expires: null, deep: JSON.parse("[".repeat(40) + "]".repeat(40)) };
  did(console, one.id, { outcome: "done", result });
  assertEquals([console.closedWith, told.at(-1)?.result], [undefined, result]);
});

Deno.test("a sentence of a console is one line, wherever the hub passes it on", async () => {
  const { hub, admin, live, command, submit, why } = await opened();
  const console = await live();
  const one = command(console.id);
  await submit(one);
  did(console, one.id, { outcome: "refused", why: "no\nfaderd: all is well", code: 5 });
  assertEquals(why(one.id), "no faderd: all is well");
  const from = "10.0.0.1";
  console.say({ type: "told", lines: [{ user: "anna", from, what: "set", refused: "no\r\nyes" }] });
  assertEquals((await newest(hub, admin, "set")).refused, "no  yes");
  const opening = hub.session(console.id, admin.user, from, { receive() {}, closed() {} });
  const { ticket } = console.frames("open")[0];
  console.say({ type: "unused", ticket, why: "no\nroom" });
  assertEquals(await opening, refuse("noSuchObject", "the console opened no session: no room"));
});

Deno.test("a console reads a command that requires a value of each of 8,192 faders", async () => {
  const { live, command, submit } = await opened();
  const console = await live();
  const require = Object.fromEntries(
    Array.from({ length: 8192 }, (_, at) => [`/audio/mixers/0/faders/${at}/on`, false]),
  );
  await submit(command(console.id, { require }));
  assertEquals(readFromHub(JSON.stringify(console.frames("do")[0]))?.type, "do");
});

Deno.test("a live command whose connection is lost is unknown, and never sent again", async () => {
  const { live, dial, command, submit, outcomes, pass } = await opened();
  const console = await live();
  const lost = command(console.id);
  const silent = command(console.id);
  await submit(lost);
  console.end();
  assertEquals(outcomes(lost.id), ["sent", "unknown"]);
  const again = dial(console.id);
  again.birth();
  await submit(silent);
  assertEquals(again.frames("do").map(({ id }) => id), [silent.id]);
  for (let second = 0; second < 14; second++) {
    pass(1000);
    again.beat();
  }
  assertEquals(outcomes(silent.id), ["sent", "unknown"]);
});

Deno.test("a live command that a console does not answer is unknown a second after its expiry, and a late answer counts", async () => {
  const { live, command, submit, outcomes, pass } = await opened();
  const [stopped, lost] = [await live(), await live()];
  const [one, other] = [command(stopped.id), command(lost.id)];
  await submit(one, other);
  pass(3000 + LIVE_GRACE_MS - 1);
  assertEquals(outcomes(one.id), ["sent"]);
  pass(1);
  assertEquals(outcomes(one.id), ["sent", "unknown"]);
  did(stopped, one.id);
  lost.end();
  assertEquals(outcomes(one.id), ["sent", "unknown", "done"]);
  assertEquals(outcomes(other.id), ["sent", "unknown"]);
});

Deno.test("a live command that cannot be sent is refused at once, or has expired, with the reason", async () => {
  const { live, enrol, command, submit, outcomes, why, clock, pass } = await opened();
  const console = await live();
  const cases: readonly [Command, string, string][] = [
    [command(console.id, { by: { name: "bert", may: "admin" } }), "refused", "bert is no user"],
    [command("ff"), "refused", "no console"],
    [command(await enrol()), "refused", "quarantine"],
    [command(console.id, { expires: clock.now() }), "expired", "over"],
    [command(console.id, { expires: clock.now() + DAY_MS }), "refused", "30000"],
  ];
  await submit(...cases.map(([one]) => one));
  for (const [{ id }, outcome, sentence] of cases) {
    assertEquals(outcomes(id), [outcome]);
    assertStringIncludes(why(id), sentence);
  }
  pass(4000);
  const stale = command(console.id);
  await submit(stale);
  assertStringIncludes(why(stale.id), "stale");
  assertEquals(console.frames("do"), []);
});

Deno.test("a command is sent with the present rights of its user", async () => {
  const { live, hub, command, submit } = await opened();
  const console = await live();
  await hub.people.add({ name: "eve", may: "view" });
  await submit(command(console.id, { by: { name: "eve", may: "admin" } }));
  assertEquals(console.frames("do")[0].as, { name: "eve", may: "view" });
});

Deno.test("a kept command waits for its console, is sent again under the same id, and is removed once it has a result", async () => {
  const { live, dial, kept, submit, outcomes, entries } = await opened();
  const console = await live();
  console.end();
  const one = kept(console.id);
  const two = kept(console.id);
  await submit(one, two);
  assertEquals(outcomes(one.id), ["queued"]);
  const first = dial(console.id);
  first.birth();
  await until(() => first.frames("do").length === 2);
  assertEquals(first.frames("do").map(({ id }) => id), [one.id, two.id]);
  first.end();
  const second = dial(console.id);
  second.birth();
  await until(() => second.frames("do").length === 2);
  did(second, one.id);
  did(second, two.id, { outcome: "refused", why: "no", code: 5 });
  await until(() => outcomes(two.id).includes("refused"));
  assertEquals(outcomes(one.id), ["queued", "sent", "done"]);
  await until(async () => (await entries("commands")).length === 0);
  assertEquals(await entries("results"), [
    `${one.id.slice(-4)} done`,
    `${two.id.slice(-4)} refused`,
  ]);
});

Deno.test("a restarted hub sends the unanswered kept commands, and knows the result of an answered one", async () => {
  const ledger = await openMemoryLedger();
  const lasting = { ...ledger, close: () => Promise.resolve() };
  const before = await opened(lasting);
  const console = await before.live();
  const [answered, sent, waiting] = [0, 1, 2].map(() => before.kept(console.id));
  await before.submit(answered!, sent!);
  await until(() => console.frames("do").length === 2);
  did(console, answered!.id);
  await until(async () => (await before.entries("commands")).length <= 1);
  console.end();
  await before.submit(waiting!);
  await before.hub.close();

  const after = await opened(lasting);
  const again = after.dial(console.id);
  again.birth();
  await until(() => again.frames("do").length === 2);
  assertEquals(again.frames("do").map(({ id }) => id), [sent!.id, waiting!.id]);
  await after.submit(answered!);
  assertEquals(after.outcomes(answered!.id), ["done"]);
});

Deno.test("an expired kept command that was never sent is not sent any more; one that was sent before becomes unknown", async () => {
  const { live, dial, kept, submit, outcomes, pass, clock } = await opened();
  const console = await live();
  const sent = kept(console.id, { expires: clock.now() + 5000 });
  await submit(sent);
  await until(() => console.frames("do").length === 1);
  console.end();
  const unsent = kept(console.id, { expires: clock.now() + 5000 });
  await submit(unsent);
  pass(16_000);
  await until(() => outcomes(unsent.id).length === 2);
  assertEquals(outcomes(unsent.id), ["queued", "expired"]);
  assertEquals(outcomes(sent.id), ["queued", "sent", "unknown"]);
  const again = dial(console.id);
  again.birth();
  await until(() => again.frames("do").length > 0);
  assertEquals(again.frames("do").map(({ id }) => id), [sent.id]);
});

Deno.test("a console that comes back is asked at once about a kept command that has expired since it was sent", async () => {
  const { live, dial, kept, submit, outcomes, pass, clock } = await opened();
  const console = await live();
  const [one, other] = [0, 1].map(() => kept(console.id, { expires: clock.now() + 1000 }));
  await submit(one!, other!);
  await until(() => console.frames("do").length === 2);
  console.end();
  pass(2000);
  const again = dial(console.id);
  again.birth();
  await until(() => again.frames("do").length === 2);
  did(again, one!.id);
  // The console may have done it, and forgotten it since.
  did(again, other!.id, { outcome: "expired" });
  await until(() => outcomes(one!.id).at(-1) === "done");
  assertEquals(outcomes(one!.id), ["queued", "sent", "unknown", "done"]);
  assertEquals(outcomes(other!.id), ["queued", "sent", "unknown"]);
});

Deno.test("an unknown kept command takes the outcome that its console reports when it comes back", async () => {
  const ledger = await openMemoryLedger();
  const before = await opened({ ...ledger, close: () => Promise.resolve() });
  const console = await before.live();
  const expires = before.clock.now() + 5000;
  const [done, refused, forgotten] = [0, 1, 2].map(() => before.kept(console.id, { expires }));
  const all = [done!, refused!, forgotten!];
  await before.submit(...all);
  await until(() => console.frames("do").length === 3);
  console.end();
  before.pass(15_000);
  await until(async () =>
    (await before.entries("results")).every((entry) => !entry.endsWith("sent"))
  );
  for (const { id } of all) assertEquals(before.outcomes(id), ["queued", "sent", "unknown"]);
  await before.hub.close();

  // A hub that has restarted sends the unknown commands again, too.
  const { dial, outcomes, entries } = await opened(ledger);
  const again = dial(console.id);
  again.birth();
  await until(() => again.frames("do").length === 3);
  did(again, done!.id);
  did(again, refused!.id, { outcome: "refused", why: "no", code: 5 });
  // The console may have done it, and forgotten it since.
  did(again, forgotten!.id, { outcome: "expired" });
  await until(async () => (await entries("commands")).length === 0);
  for (const [at, last] of ["done", "refused", "unknown"].entries()) {
    const { id } = all[at]!;
    // The hub does not report an outcome that it knew at its start.
    assertEquals(outcomes(id), last === "unknown" ? [] : [last]);
    assert((await entries("results")).includes(`${id.slice(-4)} ${last}`));
  }
});

Deno.test("a kept command with a start time is sent at that time", async () => {
  const { live, kept, submit, pass, clock } = await opened();
  const console = await live();
  const [later, early, middle] = [{ at: clock.now() + 2500 }, {}, {}]
    .map((given) => kept(console.id, given));
  const sent = () => console.frames("do").map(({ id }) => id);
  await submit(later!, early!);
  await until(() => sent().length === 1);
  for (let second = 0; second < 2; second++) {
    pass(1000);
    console.beat();
  }
  await submit(middle!);
  await until(() => sent().length === 2);
  pass(1000);
  await until(() => sent().length === 3);
  assertEquals(sent(), [early!.id, middle!.id, later!.id]);
});

Deno.test("a console has at most 16 sent kept commands that it has not answered", async () => {
  const { live, kept, submit, outcomes } = await opened();
  const console = await live();
  const all = Array.from({ length: 20 }, () => kept(console.id));
  await submit(...all);
  await until(() => console.frames("do").length === 16);
  did(console, all[0]!.id);
  await until(() => console.frames("do").length === 17);
  await until(() => outcomes(all[0]!.id).includes("done"));
  assertEquals(console.frames("do").map(({ id }) => id), all.slice(0, 17).map(({ id }) => id));
});

Deno.test("kept commands over the limit for one console are refused before they are written, also if all are submitted at once", async () => {
  const { hub, admin, live, kept, submit, outcomes, why, entries } = await opened();
  const names = ["anna", "bert", "carl", "dora"];
  for (const name of names.slice(1)) expectDone(await hub.addUser({ name, may: "admin" }, admin));
  const console = await live();
  console.end();
  const all = Array.from(
    { length: 501 },
    (_, at) => kept(console.id, { by: { name: names[at % names.length]!, may: "admin" } }),
  );
  await submit(...all);
  assertEquals((await entries("commands")).length, 500);
  assertEquals(outcomes(all[499]!.id), ["queued"]);
  assertEquals(outcomes(all[500]!.id), ["refused"]);
  assertEquals(
    why(all[500]!.id),
    "expected at most 500 kept commands for one console, 500 wait already",
  );
  // A command that waits already is not refused when it is repeated.
  await submit(all[0]!);
  assertEquals(outcomes(all[0]!.id), ["queued"]);
});

Deno.test("a kept command that may be heard, or that cannot be kept, is refused with the reason", async () => {
  const ledger = await openMemoryLedger();
  let isCut = false;
  const failing = refusingLedger(ledger, () => isCut);
  const { live, enrol, kept, command, submit, outcomes, why, clock } = await opened(failing);
  const console = await live();
  const fade = { method: "rpc", payload: { method: "fadetovalue" } } as const;
  const load = { method: "rpc", payload: { method: "loadsnapshot" } } as const;
  const press = { method: "rpc", payload: { method: "pressextlist" } } as const;
  const quarantined = await enrol();
  isCut = true;
  const cases: (readonly [Command, string])[] = [
    ...[SET_ON, fade, load, press].map((request) =>
      [kept(console.id, { request }), "live command"] as const
    ),
    [kept(console.id, { expires: clock.now() + 8 * DAY_MS }), "604800000"],
    [kept(quarantined), "quarantine"],
    [kept(console.id), "the ledger is full"],
  ];
  await submit(...cases.map(([one]) => one));
  for (const [{ id }, sentence] of cases) {
    assertEquals(outcomes(id), ["refused"], sentence);
    assertStringIncludes(why(id), sentence);
  }
  // Live commands are still sent.
  const one = command(console.id);
  await submit(one);
  assertEquals(outcomes(one.id), ["sent"]);
});

Deno.test("a kept command is unknown while the ledger has not said whether it stored it, and goes on if it did", async () => {
  const ledger = await openMemoryLedger();
  let isSilent = false;
  const late: (() => Promise<number>)[] = [];
  const silent: Ledger = {
    ...ledger,
    put(...given) {
      if (!isSilent) return ledger.put(...given);
      late.push(() => ledger.put(...given));
      return Promise.reject(new LedgerError("unanswered", "no answer in time"));
    },
  };
  const { live, kept, submit, outcomes, why } = await opened(silent);
  const console = await live();
  const [stored, lost] = [kept(console.id), kept(console.id)];
  isSilent = true;
  await submit(stored, lost);
  isSilent = false;
  assertEquals(outcomes(stored.id), ["unknown"]);
  assertStringIncludes(why(stored.id), "the ledger has not said");
  await late[0]!();
  await until(() => console.frames("do").length === 1);
  did(console, stored.id);
  assertEquals(outcomes(stored.id), ["unknown", "queued", "sent", "done"]);
  assertEquals(outcomes(lost.id), ["unknown"]);
});

Deno.test("a console's refusal of a kept command is reported once the ledger has stored it", async () => {
  const ledger = await openMemoryLedger();
  let isCut = false;
  const failing = refusingLedger(ledger, () => isCut);
  const { live, kept, submit, outcomes, entries, pass } = await opened(failing);
  const console = await live();
  const one = kept(console.id);
  await submit(one);
  await until(() => console.frames("do").length === 1);
  isCut = true;
  did(console, one.id, { outcome: "refused", why: "no", code: 12 });
  assertEquals(await entries("results"), [`${one.id.slice(-4)} sent`]);
  assertEquals(outcomes(one.id), ["queued", "sent"]);
  isCut = false;
  pass(1000);
  await until(() => outcomes(one.id).length > 2);
  assertEquals(outcomes(one.id), ["queued", "sent", "refused"]);
});

Deno.test("the outcome done is reported even while the ledger does not take it, and is stored once it does", async () => {
  const ledger = await openMemoryLedger();
  let isCut = false;
  const failing = refusingLedger(ledger, () => isCut);
  const { live, kept, submit, outcomes, entries, pass } = await opened(failing);
  const console = await live();
  const one = kept(console.id);
  await submit(one);
  await until(() => console.frames("do").length === 1);
  isCut = true;
  did(console, one.id);
  assertEquals(outcomes(one.id), ["queued", "sent", "done"]);
  pass(1000);
  assertEquals((await entries("commands")).length, 1);
  isCut = false;
  pass(1000);
  await until(async () => (await entries("commands")).length === 0);
});

Deno.test("a kept command that another hub sent in time does not expire at a hub that could not store the expiry", async () => {
  const ledger = await openMemoryLedger();
  let isCut = false;
  const failing = refusingLedger(ledger, () => isCut);
  const { hub, approved, clock, kept, submit, outcomes, entries, pass } = await opened(failing);
  const id = await approved("Away");
  const one = kept(id, { expires: clock.now() + 5000 });
  await submit(one);
  isCut = true;
  for (let second = 0; second < 6; second++) pass(1000);
  const { console, batch } = one;
  const sent = { id: one.id, console, batch, outcome: "sent", time: clock.now() - 2000 };
  await ledger.put("results", `${console}.${one.id}`, sent, 0);
  await until(() => hub.commands.outcomeOf(one)?.outcome === "sent");
  isCut = false;
  for (let second = 0; second < 10; second++) {
    pass(1000);
    await new Promise((resolve) => setTimeout(resolve));
  }
  assertEquals(outcomes(one.id), ["queued", "unknown"]);
  assertEquals((await entries("commands")).length, 1);
});

Deno.test("beyond the maximum the oldest results are evicted, except the result of a command that its console has not answered", async () => {
  const ledger = await openMemoryLedger();
  const open = await opened(ledger);
  const console = await open.live();
  const unanswered = open.kept(console.id);
  await open.submit(unanswered);
  await until(() => console.frames("do").length === 1);
  const time = open.clock.now();
  for (let number = 0; number < RESULTS.most; number++) {
    const id = number.toString(16).padStart(32, "0");
    const key = `${console.id}.${id}`;
    await ledger.put("results", key, { id, console: console.id, batch: id, time, outcome: "done" });
  }
  for (const number of [0, 1000]) {
    const id = number.toString(16).padStart(32, "0");
    const facts = { id, by: "anna", created: time, expires: time, order: { request: SET_ON } };
    const places = { consoles: [console.id], refused: {}, length: 300 };
    await ledger.put("batches", id, { ...facts, ...places });
  }
  const one = open.kept(console.id);
  await open.submit(one);
  await until(() => console.frames("do").length === 2);
  did(console, one.id);
  await until(async () => (await open.entries("results")).length <= RESULTS.most);
  const left = await open.entries("results");
  assertEquals(left.filter((entry) => entry.endsWith(" sent")), [
    `${unanswered.id.slice(-4)} sent`,
  ]);
  assertEquals(await open.entries("batches"), ["03e8 "], "without all results no batch is kept");
});

Deno.test("a waiting kept command of a removed user is refused, even if a user of the same name was added since", async () => {
  const { live, dial, hub, kept, submit, outcomes, why, pass } = await opened();
  const console = await live();
  console.end();
  await hub.people.add({ name: "eve", may: "operate" });
  const one = kept(console.id, { by: { name: "eve", may: "operate" } });
  await submit(one);
  await hub.people.remove("eve");
  pass(1);
  await hub.people.add({ name: "eve", may: "operate" });
  const again = dial(console.id);
  again.birth();
  await until(() => outcomes(one.id).length === 2);
  assertEquals(outcomes(one.id), ["queued", "refused"]);
  assertStringIncludes(why(one.id), "no user");
  assertEquals(again.frames("do"), []);
});

/** Two hubs with one ledger; from `delay()` to `hear()`, `here` hears nothing of one bucket. */
async function openTwo(bucket: Bucket) {
  const ledger = { ...await openMemoryLedger(), close: () => Promise.resolve() };
  let isLate = false;
  const { late, hear } = lateLedger(ledger, (of) => isLate && of === bucket);
  return {
    here: await opened(late),
    other: await opened(ledger),
    delay: () => void (isLate = true),
    hear() {
      isLate = false;
      hear();
    },
  };
}

for (const what of ["an added user", "a user's greater right"]) {
  Deno.test(`a hub that hears of ${what} after a kept command neither refuses nor weakens the command`, async () => {
    const { here, other, delay, hear } = await openTwo("users");
    const console = here.dial(await here.approved());
    console.birth();
    expectDone(await here.hub.people.add({ name: "eve", may: "view" }));
    await until(() => other.hub.people.list().length === 2);
    delay();
    const name = what === "an added user" ? "ben" : "eve";
    const by = { name, may: "operate" } as const;
    const made = name === "ben" ? other.hub.people.add(by) : other.hub.people.modify(by);
    expectDone(await made ?? {});
    await other.submit(other.kept(console.id, { by }));
    await looked(here, console);
    assertEquals([await here.entries("results"), console.frames("do")], [[], []]);
    hear();
    await until(async () => {
      await looked(here, console);
      return console.frames("do").length > 0;
    });
    assertEquals(console.frames("do").map(({ as }) => as), [by]);
  });
}

Deno.test("a hub that hears of an enrolled console after a kept command does not refuse the command, unless it expires", async () => {
  const { here, other, delay, hear } = await openTwo("consoles");
  delay();
  const id = await other.approved();
  const short = other.kept(id, { expires: other.clock.now() + 2000 });
  await other.submit(other.kept(id), short);
  await until(async () => {
    await looked(here);
    return (await here.entries("results")).length > 0;
  });
  assertEquals(await here.entries("results"), [`${short.id.slice(-4)} expired`]);
  hear();
  await until(() => here.hub.consoles().has(id));
  const console = here.dial(id);
  console.birth();
  await until(() => console.frames("do").length === 1);
});

/**
 * Lets a hub look at its kept commands several times, and do what follows: the ledger is in memory,
 * so that takes no longer than a turn of the event loop.
 */
async function looked({ pass }: Opened, console?: PlayedConsole): Promise<void> {
  for (let look = 0; look < 3; look++) {
    pass(1000);
    console?.beat();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/**
 * A ledger that calls `before` before it stores a result, and `after` before it acknowledges that.
 */
function noting(
  ledger: Ledger,
  { before, after }: { before?: () => Promise<void>; after?: (key: string) => Promise<void> },
): Ledger {
  return {
    ...ledger,
    async put(bucket, key, ...given) {
      if (bucket === "results") await before?.();
      const revision = await ledger.put(bucket, key, ...given);
      if (bucket === "results") await after?.(key);
      return revision;
    },
  };
}

/** Stores that another hub is about to send a command. */
async function noteElsewhere(ledger: Ledger, { id, console, batch }: Command): Promise<void> {
  const result = { id, console, batch, outcome: "sent", time: Date.UTC(2026, 0, 1) };
  await ledger.put("results", `${console}.${id}`, result);
  // The hub hears of it.
  await new Promise((resolve) => setTimeout(resolve));
}

Deno.test("a kept command whose user was removed while the ledger noted the command as sent is refused", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ledger = noting(await openMemoryLedger(), { before: () => promise });
  const { live, hub, kept, submit, outcomes } = await opened(ledger);
  const console = await live();
  await hub.people.add({ name: "eve", may: "operate" });
  const one = kept(console.id, { by: { name: "eve", may: "operate" } });
  await submit(one);
  await hub.people.remove("eve");
  resolve();
  await until(() => outcomes(one.id).length > 2 || console.frames("do").length > 0);
  assertEquals(console.frames("do"), []);
  assertEquals(outcomes(one.id), ["queued", "sent", "refused"]);
});

for (const isElsewhere of [false, true]) {
  const [what, last] = isElsewhere ? ["is unknown", "unknown"] : ["has expired", "expired"];
  const since = isElsewhere ? ", and that another hub has noted since," : "";
  Deno.test(`a kept command that the ledger noted as sent after its expiry${since} ${what}`, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const base = await openMemoryLedger();
    const ledger = noting(base, { before: () => promise });
    const { live, kept, submit, outcomes, entries, pass, clock } = await opened(ledger);
    const console = await live();
    const one = kept(console.id, { expires: clock.now() + 2000 });
    await submit(one);
    pass(2000);
    console.beat();
    resolve();
    await until(async () => (await entries("results")).length > 0);
    if (isElsewhere) await noteElsewhere(base, one);
    pass(COMMAND_ANSWER_MS);
    await until(() => outcomes(one.id).length > 1);
    assertEquals(outcomes(one.id), ["queued", last]);
    await until(async () => (await entries("results"))[0]?.endsWith(last!) === true);
    if (!isElsewhere) assertEquals(console.frames("do"), []);
  });
}

Deno.test("a kept command that another hub notes as sent right after this hub is noted again before it is sent", async () => {
  const base = await openMemoryLedger();
  let puts = 0;
  const ledger = noting(base, {
    async after() {
      if (++puts === 1) await noteElsewhere(base, one);
    },
  });
  const { live, kept, submit } = await opened(ledger);
  const console = await live();
  const one = kept(console.id);
  await submit(one);
  await until(() => console.frames("do").length > 0);
  assertEquals(puts, 2);
});

for (const isElsewhere of [false, true]) {
  const whether = isElsewhere
    ? "does not count if another hub has sent it since"
    : "counts at once";
  Deno.test(`the refusal of a kept command that has become unknown ${whether}`, async () => {
    const base = await openMemoryLedger();
    let isCut = false;
    const ledger = noting(base, {
      before: () =>
        isCut ? Promise.reject(new LedgerError("unavailable", "cut")) : Promise.resolve(),
    });
    const { live, kept, submit, outcomes, entries, pass, clock } = await opened(ledger);
    const console = await live();
    const one = kept(console.id, { expires: clock.now() + 1000 });
    await submit(one);
    await until(() => console.frames("do").length === 1);
    if (isElsewhere) {
      await noteElsewhere(base, one);
      isCut = true;
    }
    for (let second = 0; second <= COMMAND_ANSWER_MS; second += 1000) {
      pass(1000);
      console.beat();
    }
    await until(() => outcomes(one.id).at(-1) === "unknown");
    if (!isElsewhere) {
      await until(async () => (await entries("results"))[0]?.endsWith("unknown") === true);
    }
    isCut = false;
    did(console, one.id, { outcome: "refused", why: "no", code: 5 });
    if (isElsewhere) {
      // The hub looks again until the ledger has rejected the refusal.
      await until(async () => {
        pass(1000);
        console.beat();
        await new Promise((resolve) => setTimeout(resolve));
        return console.frames("do").length === 2;
      });
      assertEquals(outcomes(one.id), ["queued", "sent", "unknown"]);
    } else {
      await until(async () => (await entries("commands")).length === 0);
      assertEquals(outcomes(one.id), ["queued", "sent", "unknown", "refused"]);
      assertEquals(console.frames("do").length, 1);
    }
  });
}

Deno.test("a command to a console that the hub dials is refused at its time if its user was removed", async () => {
  const { hub, command, submit, outcomes, why, pass, clock } = await opened();
  const id = newId();
  const sent: string[] = [];
  const closed: number[] = [];
  const socket: Socket = {
    send: (text) => void sent.push(text),
    close: (code) => void closed.push(code),
    bufferedAmount: 0,
  };
  hub.hold(heldConsole(id, { session: () => Promise.resolve(socket) }));
  await hub.people.add({ name: "eve", may: "operate" });
  const by = { name: "eve", may: "operate" } as const;
  const later = command(id, { by, at: clock.now() + 1000 });
  await submit(later);
  await new Promise((resolve) => setTimeout(resolve));
  await hub.people.remove("eve");
  pass(1000);
  await until(() => outcomes(later.id).length > 0);
  assertEquals([sent, outcomes(later.id), closed.length], [[], ["refused"], 1]);
  assertStringIncludes(why(later.id), "token");
});

Deno.test("a preview has for each console what the command would change, or why that is not known", async () => {
  const { live, hub, command, pass } = await opened();
  const [console, silent, lost] = [await live(), await live(), await live()];
  const asked = [console, silent, lost].map(({ id }) => command(id));
  const said = new Map<string, CommandPreview>();
  const all = [...asked, command("ff")];
  const done = hub.commands.preview(all, (preview) => void said.set(preview.console, preview));
  const [frame] = console!.frames("preview");
  assertEquals(frame.request, SET_ON);
  const changes = [{ path: "/users/anna", before: { may: "view" }, after: { may: "press" } }];
  const would = { before: { a: 1 }, after: { a: 2 }, changes, more: 3 };
  console!.say({ type: "would", id: frame.id, ...would });
  lost!.end();
  pass(5000);
  await done;
  const [first, ...others] = all.map(({ console }) => said.get(console)!);
  assertEquals(first, { console: console!.id, ...would });
  assertStringIncludes(others[0]!.noPreview!, "in time");
  assertStringIncludes(others[1]!.noPreview!, "lost");
  assertStringIncludes(others[2]!.refused!, "no console");
});

Deno.test("a preview of an older console has no changes, one of a newer console may have unknown members, and a wrong one ends the connection", async () => {
  const { live, hub, command } = await opened();
  const [older, newer, wrong] = [await live(), await live(), await live()];
  const said = new Map<string, CommandPreview>();
  const asked = [older, newer, wrong].map(({ id }) => command(id));
  const done = hub.commands.preview(asked, (preview) => void said.set(preview.console, preview));
  const answer = (console: PlayedConsole, would: object) => {
    const [{ id }] = console.frames("preview");
    console.say({ type: "would", id, ...would });
  };
  answer(older, { before: { a: 1 }, after: { a: 2 } });
  answer(newer, { changes: [{ path: "/users/anna", since: 1 }], more: 1, later: true });
  answer(wrong, { changes: [{ path: 1 }] });
  wrong.end();
  await done;
  assertEquals(said.get(older.id), { console: older.id, before: { a: 1 }, after: { a: 2 } });
  const changes = [{ path: "/users/anna" }] as unknown as CommandPreview["changes"] & object;
  assertEquals(said.get(newer.id), { console: newer.id, changes, more: 1 });
  assertEquals([newer.closedWith, wrong.closedWith], [undefined, 4400]);
});

Deno.test("a kept command to a console that is away has no preview: it waits for the console", async () => {
  const { live, hub, command, kept } = await opened();
  const console = await live();
  console.end();
  const said: CommandPreview[] = [];
  const asked = [kept(console.id), command(console.id)];
  await hub.commands.preview(asked, (preview) => void said.push(preview));
  const [waits, refused] = said;
  assertStringIncludes(waits!.noPreview!, "nothing was sent");
  assertEquals([waits!.refused, refused!.noPreview], [undefined, undefined]);
  assertStringIncludes(refused!.refused!, "nothing was sent");
});

Deno.test("a console that the hub dials has no preview of what it would carry out", async () => {
  const { hub, command, kept } = await opened();
  const id = newId();
  hub.hold(heldConsole(id));
  const said: CommandPreview[] = [];
  const asked = [command(id), command(id, { require: { "/a": 1 } }), kept(id)];
  await hub.commands.preview(asked, (preview) => void said.push(preview));
  assertEquals(said[0], {
    console: id,
    noPreview: "the hub asks this console as a client, and a client gets no previews",
  });
  assertStringIncludes(said[1]!.refused!, "cannot check required values");
  assertStringIncludes(said[2]!.refused!, "knows no ids");
});

Deno.test("answers that the hub asked for do not count as a flood; other answers do", async () => {
  const { live, command, submit, outcomes, pass, state } = await opened();
  const console = await live();
  const all = Array.from({ length: 400 }, () => command(console.id));
  for (const one of all) {
    await submit(one);
    did(console, one.id);
  }
  assert(all.every(({ id }) => outcomes(id).at(-1) === "done"));
  assertEquals(state(console.id), "live");
  for (let at = 0; at < 400; at++) did(console, newId());
  pass(0);
  assertEquals(console.closedWith, 4400);
});

Deno.test("a console that the hub dials gets each live command once, in a session; commands that are kept or have requirements are refused", async () => {
  const { hub, command, kept, submit, outcomes, why, told, pass, clock } = await opened();
  const id = newId();
  const sent: string[] = [];
  let answers: readonly object[] = [];
  hub.hold(heldConsole(id, {
    session: (_id, _as, _from, listener) =>
      Promise.resolve({
        send(text) {
          sent.push(text);
          const [answer, ...more] = answers;
          answers = more;
          if (answer === undefined) listener.closed(1006, "");
          else listener.receive(JSON.stringify({ msgID: 1, ...answer }));
        },
        close() {},
        bufferedAmount: 0,
      }),
  }));
  const [done, refused, lost] = [0, 1, 2].map(() => command(id));
  answers = [{ success: true, payload: true }, {
    success: false,
    error: { code: 5, message: "may only view" },
  }];
  for (
    const [one, outcome] of [[done!, "done"], [refused!, "refused"], [lost!, "unknown"]] as const
  ) {
    await submit(one);
    await until(() => outcomes(one.id).length === 2);
    assertEquals(outcomes(one.id), ["sent", outcome]);
  }
  assertEquals(told.find(({ outcome }) => outcome === "done")?.result, true);
  assertEquals(JSON.parse(sent[0]!), { msgID: 1, ...SET_ON });
  const later = command(id, { at: clock.now() + 1000 });
  await submit(later);
  assertEquals(sent.length, 3);
  await until(() => {
    pass(1000);
    return outcomes(later.id).length > 0;
  });
  for (
    const [one, sentence] of [
      [command(id, { require: { "/a": 1 } }), "cannot check required values"],
      [kept(id), "knows no ids"],
    ] as const
  ) {
    await submit(one);
    await until(() => outcomes(one.id).length === 1);
    assertStringIncludes(why(one.id), sentence);
  }
});

Deno.test("a dialled console has at most 200 unanswered live commands, and commands to another console go on", async () => {
  const { hub, command, submit, outcomes, why, pass } = await opened();
  const [silent, other] = [newId(), newId()];
  const hold = (id: string, answers: boolean) =>
    hub.hold(heldConsole(id, {
      session: (_id, _as, _from, listener) => {
        const answer = () => listener.receive(JSON.stringify({ msgID: 1, success: true }));
        const send = () => void (answers && answer());
        return Promise.resolve({ send, close() {}, bufferedAmount: 0 });
      },
    }));
  hold(silent, false);
  hold(other, true);
  const all = Array.from({ length: LIVE_COMMANDS + 1 }, () => command(silent));
  await submit(...all, all[0]!);
  const last = all.at(-1)!.id;
  await until(() => outcomes(last).length === 1);
  assertStringIncludes(why(last), "200 commands of this console are not answered yet");
  const innocent = command(other);
  await submit(innocent);
  await until(() => outcomes(innocent.id).at(-1) === "done");
  pass(COMMAND_ANSWER_MS + 3000);
  await until(() => all.slice(0, -1).every(({ id }) => outcomes(id).at(-1) === "unknown"));
  assertEquals(outcomes(all[0]!.id), ["sent", "unknown"], "a repeated id is sent once");
  pass(COMMAND_ANSWER_MS);
  await new Promise((resolve) => setTimeout(resolve));
  const later = command(silent);
  await submit(later);
  await until(() => outcomes(later.id).length === 1);
  assertEquals(outcomes(later.id), ["sent"]);
});

Deno.test("a live command to a dialled console that does not answer has its outcome soon after its expiry", async () => {
  const { hub, command, submit, outcomes, pass } = await opened();
  const [shut, silent] = [command(newId()), command(newId())];
  const closed: string[] = [];
  const opening = Promise.withResolvers<Socket>();
  const socket = (name: string, send: () => void): Socket => ({
    send,
    close: () => void closed.push(name),
    bufferedAmount: 0,
  });
  let answer = () => {};
  hub.hold(heldConsole(shut.console, { session: () => opening.promise }));
  hub.hold(heldConsole(silent.console, {
    session: (_id, _as, _from, listener) => {
      answer = () => listener.receive(JSON.stringify({ msgID: 1, success: true }));
      return Promise.resolve(socket("silent", () => {}));
    },
  }));
  await submit(shut, silent);
  await until(() => outcomes(silent.id).length === 1);
  pass(3000);
  await until(() => outcomes(shut.id).length === 1);
  assertEquals(outcomes(shut.id), ["expired"]);
  pass(LIVE_GRACE_MS);
  await until(() => outcomes(silent.id).length === 2);
  assertEquals(outcomes(silent.id), ["sent", "unknown"]);
  opening.resolve(socket("shut", () => assert(false, "it was sent after its time")));
  answer();
  await until(() => closed.length === 2);
  assertEquals(outcomes(silent.id), ["sent", "unknown", "done"]);
});

Deno.test("a live command to a dialled console whose connection is lost before the time of the command is refused", async () => {
  const { hub, clock, command, submit, outcomes, why, pass } = await opened();
  let lose = () => {};
  const sent: string[] = [];
  const later = command(newId(), { at: clock.now() + 1000 });
  hub.hold(heldConsole(later.console, {
    session(_id, _as, _from, listener) {
      lose = () => listener.closed(1006, "");
      const send = (text: string) => void sent.push(text);
      return Promise.resolve({ send, close() {}, bufferedAmount: 0 });
    },
  }));
  await submit(later);
  await new Promise((resolve) => setTimeout(resolve));
  lose();
  pass(1000);
  await until(() => outcomes(later.id).length > 0);
  assertEquals([outcomes(later.id), sent], [["refused"], []]);
  assertStringIncludes(why(later.id), "lost before");
});

Deno.test("a batch for consoles with and without an uplink has a result for each; a request with requirements is refused at the latter", async () => {
  const { hub, live, admin, clock, timer } = await opened();
  const summary = summaryOf({
    tree: { audio: { mixers: { 0: { faders: { 0: { label: "Mic", on: false } } } } } },
  });
  const console = await live({ summary });
  const id = newId();
  let sessions = 0;
  hub.hold(heldConsole(id, {
    summary,
    session(_id, _as, _from, listener) {
      sessions++;
      const send = () => listener.receive(JSON.stringify({ msgID: 1, success: true }));
      return Promise.resolve({ send, close() {}, bufferedAmount: 0 });
    },
  }));
  const batches = createBatches(hub, { clock, timer, random: machine.random });
  const order = {
    select: { all: true },
    request: SET_ON,
    kind: "live",
    together: false,
    force: false,
  } as const;
  const careful = expectDone(await batches.run(order, admin));
  did(console, console.frames("do")[0].id);
  assertEquals(careful.counts, { ...careful.counts, done: 1, refused: 1 });
  assertStringIncludes(careful.results.get(id)!.why!, "use force");
  assertEquals(sessions, 0);
  const forced = expectDone(await batches.run({ ...order, force: true }, admin));
  did(console, console.frames("do")[1].id);
  await until(() => forced.isSettled);
  assertEquals(forced.counts, { ...forced.counts, done: 2 });
  batches.close();
});
