import { assertEquals, assertMatch } from "@std/assert";
import { createBatches } from "../../../fleet/batches/batch.ts";
import type { FleetActor } from "../../../fleet/hub/hub-core.ts";
import type { Hub } from "../../../fleet/hub/hub.ts";
import { CALL_LINES } from "../../../fleet/hub/hub-limits.ts";
import { LedgerError } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { CODE_MS } from "../../../fleet/wire.ts";
import { machine } from "../../../runtimes/clock.ts";
import { until } from "../../service.ts";
import { heldConsole } from "../held-console.ts";
import { entriesOf } from "../ledger-entries.ts";
import { expectDone, newest, openHub } from "../open-hub.ts";

const ID = "a".repeat(32);

function enrolment(code: string, id = ID) {
  return { code, console: id, name: "Studio 1", site: "berlin" };
}

Deno.test("a code of enrolment enrols one console, with dashes or blanks, in any case", async () => {
  const { hub, admin } = await openHub();
  const { code } = expectDone(await hub.makeCode(admin));
  assertMatch(code, /^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/);
  const spelled = code.toLowerCase().replaceAll("-", " ");
  const { token } = expectDone(await hub.enrolments.enrol(enrolment(spelled)));
  assertEquals(hub.enrolments.ofToken(token), ID);
  const again = await hub.enrolments.enrol(enrolment(code, "b".repeat(32)));
  assertEquals("parameter" in again && again.parameter, "code");
});

Deno.test("of two consoles with the same code at the same time one is enrolled", async () => {
  const { hub, admin } = await openHub();
  const { code } = expectDone(await hub.makeCode(admin));
  const both = await Promise.all([
    hub.enrolments.enrol(enrolment(code)),
    hub.enrolments.enrol(enrolment(code, "b".repeat(32))),
  ]);
  assertEquals(both.filter((made) => "token" in made).length, 1);
});

Deno.test("a code is refused after 15 minutes", async () => {
  const { hub, admin, pass } = await openHub();
  const { code } = expectDone(await hub.makeCode(admin));
  pass(CODE_MS + 1);
  const made = await hub.enrolments.enrol(enrolment(code));
  assertEquals("parameter" in made && made.parameter, "code");
});

Deno.test("a code that was made while the clock was ahead is refused once the clock is right", async () => {
  const times = { ahead: 30 * 24 * 60 * 60_000, passed: 0 };
  const now = () => Date.UTC(2026, 10, 27) + times.ahead + times.passed;
  const { hub, admin } = await openHub({ clock: { now, monotonic: () => times.passed } });
  const { code } = expectDone(await hub.makeCode(admin));
  times.ahead = 0;
  const made = await hub.enrolments.enrol(enrolment(code));
  assertEquals("parameter" in made && made.parameter, "code");
  // The next code has it forgotten: it is not valid once its time has come, either.
  expectDone(await hub.makeCode(admin));
  times.passed = 30 * 24 * 60 * 60_000;
  const later = await hub.enrolments.enrol(enrolment(code));
  assertEquals("parameter" in later && later.parameter, "code");
});

Deno.test("a hub whose clock is some minutes behind takes a code that another hub has just made", async () => {
  const times = { ahead: 5 * 60_000 };
  const now = () => Date.UTC(2026, 10, 27) + times.ahead;
  const { hub, admin } = await openHub({ clock: { now, monotonic: () => 0 } });
  const { code } = expectDone(await hub.makeCode(admin));
  times.ahead = 0;
  expectDone(await hub.enrolments.enrol(enrolment(code)));
});

Deno.test("a code cannot enrol a second console under the id of an enrolled one", async () => {
  const { hub, admin, live } = await openHub();
  const console = await live();
  const { code } = expectDone(await hub.makeCode(admin));
  const made = await hub.enrolments.enrol(enrolment(code, console.id));
  assertEquals("parameter" in made && made.parameter, "console");
  assertEquals(console.closedWith, undefined);
  // The refusal does not use up the code.
  expectDone(await hub.enrolments.enrol(enrolment(code)));
});

Deno.test("a code cannot enrol a console under the id of a console that the hub dials", async () => {
  const { hub, admin, state } = await openHub();
  hub.hold(heldConsole(ID));
  const { code } = expectDone(await hub.makeCode(admin));
  const made = await hub.enrolments.enrol(enrolment(code));
  assertEquals(state(ID), "live");
  assertEquals("parameter" in made && made.parameter, "console");
  expectDone(await hub.enrolments.enrol(enrolment(code, "b".repeat(32))));
});

Deno.test("the ledger has only hashes of tokens and codes", async () => {
  const { hub, admin, ledger, token } = await openHub();
  const { code } = expectDone(await hub.makeCode(admin));
  const { code: other } = expectDone(await hub.makeCode(admin));
  const { token: ofConsole } = expectDone(await hub.enrolments.enrol(enrolment(other)));
  let kept = "";
  for (const bucket of ["users", "codes", "consoles"] as const) {
    kept += JSON.stringify(await entriesOf(ledger, bucket));
  }
  assertEquals(kept.includes("anna"), true);
  for (const secret of [token, code, code.replaceAll("-", ""), ofConsole]) {
    assertEquals(kept.toLowerCase().includes(secret.toLowerCase()), false);
  }
});

Deno.test("a token in the wrong place is not in the audit trail, and ids are", async () => {
  const { hub, admin, token } = await openHub();
  const calls = [
    () => hub.removeUser(token, admin),
    () => hub.approve(`${ID} ${token.toUpperCase()}`, admin),
    () => hub.tell({ user: "anna", from: "x", what: "set", target: `/consoles/${ID}/${token}` }),
    () => hub.tell({ user: "anna", from: "x", what: "set", target: { [token]: [token] } }),
    () => hub.tell({ user: "anna", from: "x", what: "fleetdo", target: { request: token } }),
  ];
  for (const call of calls) await call();
  const lines = async () => expectDone(await hub.audit(100, admin));
  await until(async () => (await lines()).length === calls.length);
  assertEquals((await lines()).map(({ target }) => target).reverse(), [
    "***",
    `${ID} ***`,
    `/consoles/${ID}/***`,
    { "***": ["***"] },
    { request: "***" },
  ]);
  assertEquals(JSON.stringify(await lines()).includes(token), false);
});

Deno.test("only an admin changes the fleet, and the audit trail has refused attempts", async () => {
  const { hub, admin, live } = await openHub();
  const console = await live();
  expectDone(await hub.addUser({ name: "ben", may: "configure" }, admin));
  for (
    const [by, code] of [
      [{ user: { name: "ben", may: "configure" as const }, from: "x" }, 5],
      [{ user: { name: "nobody", may: "admin" as const }, from: "x" }, 4],
      [{ user: undefined, from: "command line" }, 4],
      // Rights that a caller claims for itself have no effect.
      [{ user: { name: "ben", may: "admin" as const }, from: "x" }, 5],
    ] as const
  ) {
    const tried = [
      await hub.makeCode(by),
      await hub.approve(console.id, by),
      await hub.remove(console.id, by),
      hub.users(by),
      await hub.addUser({ name: "eve", may: "admin" }, by),
      await hub.removeUser("anna", by),
      await hub.audit(1, by),
    ];
    assertEquals(
      tried.map((outcome) => outcome && "code" in outcome && outcome.code),
      tried.map(() => code),
    );
  }
  assertEquals((await newest(hub, admin, "removeuser")).refused === undefined, false);
});

Deno.test("a user of the fleet has a valid name that no other user has, and a right of its own", async () => {
  const { hub, admin } = await openHub();
  for (const name of ["", "fleet:anna", "a b", "x".repeat(65)]) {
    const made = await hub.addUser({ name, may: "view" }, admin);
    assertEquals("parameter" in made && made.parameter, "name", name);
  }
  const taken = await hub.addUser({ name: "anna", may: "view" }, admin);
  assertEquals("parameter" in taken && taken.parameter, "name");
  const { token } = expectDone(await hub.addUser({ name: "ben", may: "press" }, admin));
  const user = await hub.authenticate(token, "x");
  assertEquals("name" in user && [user.name, user.may], ["ben", "press"]);
});

Deno.test("the last admin of the fleet cannot be removed", async () => {
  const { hub, admin } = await openHub();
  const refusal = await hub.removeUser("anna", admin);
  assertEquals(refusal?.parameter, "name");
  expectDone(await hub.addUser({ name: "ben", may: "admin" }, admin));
  assertEquals(await hub.removeUser("anna", admin), undefined);
});

Deno.test("of two admins who remove or demote each other at the same time one stays", async () => {
  for (const isRemoved of [true, false]) {
    const { hub, admin } = await openHub();
    expectDone(await hub.addUser({ name: "ben", may: "admin" }, admin));
    const ben = { user: { name: "ben", may: "admin" }, from: "x" } as const;
    const lose = (name: string, by: FleetActor) =>
      isRemoved ? hub.removeUser(name, by) : hub.modifyUser({ name, may: "view" }, by);
    const refusals = await Promise.all([lose("ben", admin), lose("anna", ben)]);
    assertEquals(refusals.map((refusal) => refusal?.parameter), [undefined, "name"]);
    const admins = hub.people.list().filter(({ may }) => may === "admin");
    assertEquals(admins.map(({ name }) => name), ["anna"]);
  }
});

Deno.test("of admins who remove or demote each other at several hubs at the same time one stays", async () => {
  const names = ["anna", "ben", "carl"];
  for (const count of [2, 3]) {
    for (const isRemoved of [true, false]) {
      const ledger = { ...await openMemoryLedger(), close: () => Promise.resolve() };
      const hubs: Hub[] = [];
      for (const _ of names.slice(0, count)) hubs.push((await openHub({ ledger })).hub);
      const [one] = hubs;
      for (const name of names.slice(1, count)) await one!.people.add({ name, may: "admin" });
      await until(() => hubs.every(({ people }) => people.count === count));
      const refusals = await Promise.all(hubs.map(({ people }, at) => {
        const name = names[(at + 1) % count]!;
        return isRemoved ? people.remove(name) : people.modify({ name, may: "view" });
      }));
      const users = await entriesOf(ledger, "users");
      assertEquals(users.some(({ value }) => (value as { may?: string }).may === "admin"), true);
      assertMatch(
        refusals.find((one) => one !== undefined)!.message,
        /at the same time; try again/,
      );
    }
  }
});

Deno.test("an invalid value among the users of the ledger does not end the following of the others", async () => {
  const ledger = await openMemoryLedger();
  const { hub, admin } = await openHub({ ledger });
  expectDone(await hub.addUser({ name: "ben", may: "view" }, admin));
  for (const value of [null, 7, "text", [], {}]) await ledger.put("users", "broken", value);
  await ledger.remove("users", "ben");
  await until(() => hub.people.list().length === 1);
});

Deno.test("a new user with the name of a removed user is another user", async () => {
  const { hub, admin, pass } = await openHub();
  const { token } = expectDone(await hub.addUser({ name: "ben", may: "view" }, admin));
  const ben = await hub.authenticate(token, "x");
  if (!("name" in ben)) throw new Error(ben.message);
  await hub.removeUser("ben", admin);
  assertEquals(hub.refresh(ben), undefined);
  pass(10);
  expectDone(await hub.addUser({ name: "ben", may: "admin" }, admin));
  assertEquals(hub.refresh(ben), undefined);
  const refused = await hub.authenticate(token, "x");
  assertEquals("code" in refused && refused.code, 4);
});

Deno.test("after ten wrong tokens answers to an address are delayed", async () => {
  const { hub, pass } = await openHub();
  const wrong = "00000000-00000000-00000000-00000000";
  for (let index = 0; index < 10; index++) {
    assertEquals(hub.authenticate(wrong, "x") instanceof Promise, false);
  }
  const late = hub.authenticate(wrong, "x");
  assertEquals(late instanceof Promise, true);
  pass(300);
  assertEquals("code" in await late, true);
});

Deno.test("refused calls without a login do not push the entries of users out of the audit trail", async () => {
  const { hub, admin } = await openHub();
  expectDone(await hub.makeCode(admin));
  for (let tried = 0; tried < 1000; tried++) await hub.makeCode({ user: undefined, from: "x" });
  const trail = expectDone(await hub.audit(2000, admin));
  assertEquals(trail.length < 150, true);
  assertEquals(trail.some(({ user, what }) => user === "anna" && what === "makecode"), true);
});

Deno.test("any number of refused calls of a user pushes no entry of another user out of the audit trail", async () => {
  const { hub, admin, pass } = await openHub();
  expectDone(await hub.addUser({ name: "eve", may: "view" }, admin));
  const eve = { user: { name: "eve", may: "view" as const }, from: "x" };
  const ben = { user: { name: "ben", may: "view" as const }, from: "y" };
  for (let hour = 0; hour < 24; hour++) {
    for (let tried = 0; tried < 200; tried++) await hub.makeCode(eve);
    await hub.makeCode(ben);
    pass(3_600_000);
  }
  const trail = expectDone(await hub.audit(5000, admin));
  const ofUser = (name: string) => trail.filter(({ user }) => user === name).length;
  assertEquals([ofUser("eve") < 400, ofUser("ben"), ofUser("anna")], [true, 24, 1]);
});

Deno.test("batches that are refused at each console push no entry of another user out of the audit trail", async () => {
  const { hub, admin, live, clock, timer } = await openHub();
  await live();
  expectDone(await hub.addUser({ name: "eve", may: "view" }, admin));
  const eve = { user: hub.people.list().find(({ name }) => name === "eve"), from: "x" };
  const batches = createBatches(hub, { clock, timer, random: machine.random });
  const ordered = {
    select: { all: true },
    request: { method: "set", path: "/audio/mixers/0/faders/0/label", payload: "Host" },
    kind: "live",
    together: false,
    force: false,
  } as const;
  const { facts: { id } } = expectDone(await batches.run(ordered, eve));
  for (let tried = 0; tried < 500; tried++) {
    const { facts } = expectDone(await batches.run(ordered, eve));
    expectDone(await batches.again(facts.id, eve));
  }
  await until(async () => expectDone(await hub.audit(5000, admin))[0]?.user === "eve");
  const trail = expectDone(await hub.audit(5000, admin));
  const [first, ...others] = trail.filter(({ user }) => user === "eve").reverse();
  assertEquals([others.length < 150, hub.figures.linesLeftOut > 800], [true, true]);
  assertEquals(first, {
    time: first!.time,
    ...{ user: "eve", from: "x", what: "fleetdo" },
    target: { request: `set ${ordered.request.path}`, batch: id, consoles: 1 },
    refused: "a batch needs the right to operate there, and this is view",
  });
  assertEquals(trail.some(({ user, what }) => user === "anna" && what === "adduser"), true);
  batches.close();
});

Deno.test("nobody but an admin pushes entries out of the audit trail, even by calls that are carried out", async () => {
  const { hub, admin, pass } = await openHub();
  expectDone(await hub.addUser({ name: "ben", may: "operate" }, admin));
  const call = (user: string) => hub.tell({ user, from: "x", what: "fleetdo" });
  for (let called = 0; called < 1000; called++) call("ben");
  for (let called = 0; called < 1000; called++) call("anna");
  const ofUser = async (name: string) =>
    expectDone(await hub.audit(5000, admin)).filter(({ user }) => user === name).length;
  await until(async () => await ofUser("anna") === 1001);
  assertEquals(await ofUser("ben"), CALL_LINES.most);
  assertEquals(hub.figures.linesLeftOut, 1000 - CALL_LINES.most);
  pass(1000 / CALL_LINES.perSecond);
  call("ben");
  await until(async () => await ofUser("ben") === CALL_LINES.most + 1);
});

Deno.test("while the ledger does not answer, the audit trail is refused with error 12", async () => {
  const ledger = await openMemoryLedger();
  const gone = () => Promise.reject(new LedgerError("unavailable", "it does not answer"));
  const { hub, admin } = await openHub({ ledger: { ...ledger, audit: gone } });
  const refused = await hub.audit(10, admin);
  assertEquals("code" in refused && [refused.code, refused.message], [12, "it does not answer"]);
});

Deno.test("a hub whose ledger is full refuses changes with error 12, and goes on", async () => {
  const ledger = await openMemoryLedger();
  let isFull = false;
  const full = () =>
    Promise.reject(new LedgerError("unavailable", "the change could not be stored: no space left"));
  const told: unknown[] = [];
  const { hub, admin, live, state } = await openHub({
    ledger: {
      ...ledger,
      put: (...given) => isFull ? full() : ledger.put(...given),
      remove: (...given) => isFull ? full() : ledger.remove(...given),
      append: (entry) => isFull ? full() : ledger.append(entry),
    },
    onFault: (fault) => told.push(fault),
  });
  const console = await live();
  isFull = true;
  for (
    const outcome of [
      await hub.makeCode(admin),
      await hub.addUser({ name: "ben", may: "view" }, admin),
      await hub.remove(console.id, admin),
    ]
  ) {
    assertEquals(outcome && "code" in outcome && outcome.code, 12);
  }
  assertEquals(told.length > 0, true);
  assertEquals([state(console.id), console.closedWith], ["live", undefined]);
  isFull = false;
  expectDone(await hub.addUser({ name: "ben", may: "view" }, admin));
});
