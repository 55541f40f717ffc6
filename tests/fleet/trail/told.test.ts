/** The calls of users of the fleet on consoles, in the audit trail of the fleet (docs/fleet.md). */
import { assert, assertEquals } from "@std/assert";
import type { Audit } from "../../../core/audit.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { createHubMetrics } from "../../../fleet/hub/hub-metrics.ts";
import { TOLD_RATE } from "../../../fleet/hub/hub-limits.ts";
import { createTrail } from "../../../fleet/hub/trail.ts";
import { type FleetAuditEntry, LedgerError } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { startUplink } from "../../../fleet/uplink/uplink.ts";
import type { FleetMay, ToldLine } from "../../../fleet/wire.ts";
import { createDial } from "../../../program/dial.ts";
import { machine, machineScheduler, machineTimer } from "../../../runtimes/clock.ts";
import { demoWith, type Json, realClock, serviceOf, testConsole, until } from "../../service.ts";
import { listeningHub } from "../listening-hub.ts";
import { expectDone, openHub } from "../open-hub.ts";
import { passingTime } from "../../timers.ts";
import { serveHub } from "../serve-hub.ts";

const FADER = "/audio/mixers/0/faders/0/fader";
const LABEL = "/audio/mixers/0/faders/0/label";
const OTHER_LABEL = "/audio/mixers/0/faders/1/label";

type ListeningHub = Awaited<ReturnType<typeof listeningHub>>;

/** Makes a real console, which is enrolled and approved, and dials the hub. */
async function dialling(
  { hub, admin, socketUrl }: ListeningHub,
  id: string,
  { isOlder = false, may = "operate" }: { isOlder?: boolean; may?: FleetMay } = {},
) {
  const { code } = expectDone(await hub.makeCode(admin));
  const enrolment = { code, console: id, name: "Studio", site: "berlin" };
  const { token } = expectDone(await hub.enrolments.enrol(enrolment));
  expectDone(await hub.approve(id, admin) ?? {});
  const listeners = new Set<Audit>();
  const console = await testConsole({
    configuration: demoWith({ limits: { rest: { burst: 0 } } }),
    audit(entry) {
      for (const listener of listeners) listener(entry);
    },
  });
  const { service, sessions } = serviceOf(console, {
    clock: realClock,
    timer: machineTimer,
    fadeTimer: machineTimer,
    scheduler: machineScheduler(),
  });
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const uplink = startUplink(console, {
    id,
    hubs: [socketUrl],
    summary: { site: "berlin", may, version: "1" },
    service,
    sessions,
    // Without it the console sends no `told` frames, like a console of an earlier version.
    watchAudit: isOlder ? undefined : (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clock: machine.clock,
    timer: machineTimer,
    scheduler: withoutPauses,
    random: () => 0,
    boot: id,
    dial: createDial({ token, ca: undefined, timer: machineTimer, onFault }),
    onFault,
    tell() {},
  });
  await until(() => hub.consoles().get(id)?.state === "live");
  return { id, console, listeners, [Symbol.dispose]: () => uplink.stop() };
}

async function trailOf({ hub, admin }: Pick<ListeningHub, "hub" | "admin">) {
  return expectDone(await hub.audit(1000, admin));
}

/** Waits for lines of calls, and returns them without their times, the oldest first. */
async function lines(hub: Pick<ListeningHub, "hub" | "admin">, what: string, most = 1) {
  const found = async () => (await trailOf(hub)).filter((line) => line.what === what);
  await until(async () => (await found()).length >= most);
  return (await found()).map(({ time: _, ...line }) => line).reverse();
}

/**
 * Makes a call whose line is the last of the console. A console sends its lines in the order of its
 * calls, so once this line is in the trail, each line of an earlier call is, too.
 */
async function mark(hub: ListeningHub, token: string): Promise<void> {
  const action = "/action/setgloballabel?ObjectID=1&Name=Mark";
  await (await fetch(`${hub.url}/consoles/${ID}${action}&Token=${token}`)).text();
  await lines(hub, "setgloballabel");
}

/** Sends envelopes over a WebSocket, and returns their answers. */
async function asked(url: string, messages: readonly object[]): Promise<Json[]> {
  const socket = new WebSocket(url);
  const answers: Json[] = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if ("success" in message) answers.push(message);
  };
  await new Promise((resolve) => socket.onopen = resolve);
  for (const message of messages) {
    const count = answers.length;
    socket.send(JSON.stringify(message));
    await until(() => answers.length > count);
  }
  const closed = new Promise((resolve) => socket.onclose = resolve);
  socket.close();
  await closed;
  return answers;
}

const ID = "1".repeat(32);

Deno.test("what a user does on a console by any relayed way has one line, with the console", async () => {
  await using hub = await listeningHub();
  using _console = await dialling(hub, ID);
  const { token } = expectDone(await hub.hub.people.add({ name: "ben", may: "operate" }));
  const base = `${hub.url}/consoles/${ID}`;
  const who = { user: "ben", from: "127.0.0.1", console: ID };

  const body = JSON.stringify({ method: "set", path: FADER, payload: -12 });
  const init = { method: "POST", body, headers: { authorization: `Bearer ${token}` } };
  await (await fetch(`${base}/api/rest`, init)).text();
  assertEquals(await lines(hub, "set"), [{
    ...who,
    what: "set",
    changes: [{ path: FADER, before: -160, after: -12 }],
  } as Omit<FleetAuditEntry, "time">]);

  const news = "/action/setchannellabel?ObjectID=1&Name=News";
  await (await fetch(`${base}${news}&Token=${token}`)).text();
  const [action] = await lines(hub, "setchannellabel");
  assertEquals([action!.user, action!.console], ["ben", ID]);
  assertEquals(action!.changes?.map(({ after }) => after), ["News", "News"]);

  const socket = `${hub.socketUrl}/consoles/${ID}/api/ws`;
  await asked(socket, [
    { msgID: 1, method: "auth", token },
    { msgID: 2, method: "set", path: LABEL, payload: "Talk" },
    { msgID: 3, method: "set", path: "/audio/mixers/0/faders/0/nothing", payload: 1 },
  ]);
  const [, bySession, refused] = await lines(hub, "set", 3);
  assertEquals(bySession!.changes?.[0], { path: LABEL, before: "News", after: "Talk" });
  assertEquals([refused!.user, refused!.console, refused!.target], [
    "ben",
    ID,
    "/audio/mixers/0/faders/0/nothing",
  ]);
  assert(refused!.refused);

  await using api = await serveHub(hub.hub);
  // Sets through the hub's own tree are told, too; a refusal by the console has no second line.
  await asked(api.socket, [
    { msgID: 1, method: "auth", token },
    { msgID: 2, method: "set", path: `/consoles/${ID}/audio/mixers/0/_name`, payload: "A" },
    { msgID: 3, method: "set", path: `/consoles/${ID}${OTHER_LABEL}`, payload: "Tree" },
  ]);
  await mark(hub, token);
  const byTree = (await lines(hub, "set", 5)).slice(3);
  assertEquals(byTree.map(({ user, console }) => [user, console]), [["ben", ID], ["ben", ID]]);
  assertEquals(byTree.filter((line) => line.refused !== undefined).length, 1);
});

Deno.test("a batch has the line of the hub alone, and a user of the console itself has none", async () => {
  await using hub = await listeningHub({ anonymous: "console" });
  using console = await dialling(hub, ID);
  const heard: string[] = [];
  console.listeners.add(({ user, batch }) => void heard.push(`${user} ${batch !== undefined}`));
  await using api = await serveHub(hub.hub);
  for (const path of [FADER, "/nowhere"]) {
    const request = { method: "set", path, payload: -20 };
    const order = { select: { all: true }, request, force: true };
    assertEquals((await api.rpc("fleetdo", order, hub.token)).success, true);
  }
  await until(() => heard.filter((one) => one === "fleet:anna true").length === 2);
  const own = JSON.stringify({ method: "set", path: LABEL, payload: "Own" });
  const url = `${hub.url}/consoles/${ID}/api/rest`;
  await (await fetch(url, { method: "POST", body: own })).text();
  await until(() => heard.includes("undefined false"));
  await mark(hub, hub.token);
  const told = (await trailOf(hub)).filter(({ console }) => console !== undefined);
  assertEquals(told.map(({ what }) => what), ["setgloballabel"]);
  assertEquals((await lines(hub, "fleetdo", 2)).length, 2);
});

Deno.test("a console that does not tell has at least the refused sets of the hub's own tree", async () => {
  await using hub = await listeningHub();
  using _console = await dialling(hub, ID, { isOlder: true });
  await using api = await serveHub(hub.hub);
  const path = `/consoles/${ID}/audio/mixers/0/_name`;
  await asked(api.socket, [
    { msgID: 1, method: "auth", token: hub.token },
    { msgID: 2, method: "set", path, payload: "A" },
    { msgID: 3, method: "set", path: `/consoles/${ID}${LABEL}`, payload: "Tree" },
  ]);
  // A hub tells of a set before it answers it.
  const [line, ...others] = await lines(hub, "set");
  assertEquals([line!.user, line!.target, line!.console], ["anna", path, undefined]);
  assertEquals(others, []);
});

Deno.test("a request that writes, and that the hub itself refuses, has a line", async () => {
  await using hub = await listeningHub();
  const { token } = expectDone(
    await hub.hub.people.add({ name: "ben", rights: [{ site: "vienna", may: "operate" }] }),
  );
  using _console = await dialling(hub, ID);
  const url = `${hub.url}/consoles/${ID}/api/rest?token=${token}`;
  const body = JSON.stringify({ method: "set", path: FADER, payload: 0 });
  const reads = [
    { method: "get", path: FADER },
    { method: "rpc", payload: { method: "getsnapshotlist" } },
  ].map((message) => ({ method: "POST", body: JSON.stringify(message) }));
  for (const init of [{ method: "POST", body }, {}, ...reads]) {
    const response = await fetch(url, init);
    await response.text();
    assertEquals(response.status, 404);
  }
  const [line, ...others] = await lines(hub, "POST");
  assertEquals([line!.user, line!.target], ["ben", `/consoles/${ID}/api/rest`]);
  assert(line!.refused);
  assertEquals(others, []);
});

const change = (user: string, more: Partial<ToldLine> = {}): ToldLine => ({
  user,
  from: "10.0.0.1",
  what: "set",
  changes: [{ path: FADER, before: -160, after: 0 }],
  ...more,
});

Deno.test("a console that floods the trail is bounded and counted, and its neighbour is not", async () => {
  const opened = await openHub();
  const { hub, admin, live, pass } = opened;
  const flooding = await live();
  const innocent = await live({ summary: { name: "Studio 2" } });
  const flood = { type: "told", lines: Array.from({ length: 50 }, () => change("anna")) } as const;
  for (let at = 0; at < 12; at++) flooding.say(flood);
  innocent.say({ type: "told", lines: [change("anna")], lost: 2 });
  const of = async (id: string) =>
    expectDone(await hub.audit(1000, admin)).filter(({ console }) => console === id);
  await until(async () => (await of(innocent.id)).length === 1);
  assertEquals((await of(flooding.id)).length, TOLD_RATE.most);
  assertEquals((await of(innocent.id))[0]!.lost, 2);
  assertEquals(hub.figures.toldLeftOut, 600 - TOLD_RATE.most + 2);
  // The next line says how many are missing before it.
  pass(1000 / TOLD_RATE.perSecond);
  flooding.say({ type: "told", lines: [change("anna")] });
  await until(async () => (await of(flooding.id)).length === TOLD_RATE.most + 1);
  assertEquals((await of(flooding.id))[0]!.lost, 600 - TOLD_RATE.most);
  assertEquals(flooding.closedWith, undefined);
  const figures = {
    version: "",
    startedAt: () => 0,
    cpuSeconds: () => 0,
    certificateExpiry: () => 0,
  };
  const metrics = createHubMetrics(hub, {
    ...figures,
    connections: () => 0,
    residentBytes: () => 0,
  });
  assert(metrics().includes("\nfaderd_fleet_audit_told_left_out_total 302\n"));
});

Deno.test("a console writes no line of a user who is not there, or could not have done it there", async () => {
  const { hub, admin, live, enrol, dial } = await openHub();
  await hub.people.add({ name: "viewer", may: "view" });
  await hub.people.add({ name: "elsewhere", rights: [{ site: "vienna", may: "admin" }] });
  const console = await live();
  console.say({
    type: "told",
    lines: [
      change("nobody"),
      change("elsewhere"),
      change("viewer"),
      { user: "elsewhere", from: "10.0.0.1", what: "set", target: LABEL, refused: "no" },
      { from: "10.0.0.1", what: "set", changes: [{ path: FADER, after: 0 }] },
      // The requests of the hub itself have lines of the hub.
      { ...change("hub-backup"), from: "hub" },
      { user: "viewer", from: "10.0.0.1", what: "set", target: LABEL, refused: "no right" },
      { from: "10.0.0.1", what: "other changes", again: 7 },
    ],
  });
  const told = async () =>
    expectDone(await hub.audit(1000, admin)).filter(({ console }) => console !== undefined);
  await until(async () => (await told()).length === 2);
  const [counted, refused] = await told();
  assertEquals([refused!.user, refused!.console, refused!.lost], ["viewer", console.id, 5]);
  assertEquals([counted!.user, counted!.again], [undefined, 7]);
  assertEquals(hub.figures.toldLeftOut, 5);
  // Nor does a console that nobody has approved.
  const stranger = dial(await enrol());
  stranger.birth();
  stranger.say({ type: "told", lines: [change("anna")] });
  assertEquals(stranger.closedWith, undefined);
  await hub.makeCode(admin);
  assertEquals((await told()).length, 2);
});

Deno.test("a told line that is too long breaks the protocol", async () => {
  const { live } = await openHub();
  const console = await live();
  console.say({ type: "told", lines: [change("anna", { target: "x".repeat(5000) })] });
  assertEquals(console.closedWith, 4400);
});

Deno.test("whatever consoles tell, the lines of the hub itself stay in the ledger", async () => {
  const { hub, admin, ledger } = await openHub();
  await hub.makeCode(admin);
  const line = { user: "anna", from: "x", what: "set", console: ID };
  for (let at = 0; at < 10_050; at++) {
    await ledger.append({ time: new Date(Date.UTC(2026, 1, 1) + at).toISOString(), ...line });
  }
  const trail = expectDone(await hub.audit(20_000, admin));
  assertEquals(trail.length, 5001);
  assertEquals(trail.at(-1)!.what, "makecode");
});

Deno.test("a line from before the clock of a hub was set has its place after the line that was appended before it", async () => {
  const ledger = await openMemoryLedger();
  const at = (what: string, time: string, console?: string) =>
    ledger.append({ time, user: "anna", from: "x", what, ...(console && { console }) });
  await at("first", "1970-01-01T00:00:01.000Z");
  await at("set 1", "2026-01-01T00:00:00.000Z", ID);
  await at("adduser", "2026-01-02T00:00:00.000Z");
  await at("restarted", "1970-01-01T00:00:01.000Z");
  await at("set 2", "1970-01-01T00:00:02.000Z", ID);
  await at("set 3", "2026-01-03T00:00:00.000Z", ID);
  const order = ["set 3", "restarted", "adduser", "set 2", "set 1", "first"];
  assertEquals((await ledger.audit(10)).map(({ what }) => what), order);
});

Deno.test("lines that the ledger does not take are counted in the next line of the console", async () => {
  const kept: FleetAuditEntry[] = [];
  let isFull = false;
  const trail = createTrail({
    ledger: {
      append(entry: FleetAuditEntry) {
        if (isFull) return Promise.reject(new LedgerError("unavailable", "the medium is full"));
        kept.push(entry);
        return Promise.resolve();
      },
    } as never,
    isAdmin: () => false,
    clock: machine.clock,
    timer: machineTimer,
    onFault() {},
  });
  const tell = (what: string, lost = 0) =>
    trail.told(ID, { type: "told", lines: [{ user: "ben", from: "x", what }], lost }, () => "view");
  tell("one", 3);
  isFull = true;
  tell("two", 4);
  tell("three");
  await aTurn();
  isFull = false;
  tell("four");
  assertEquals(kept.map(({ what, lost }) => [what, lost]), [["one", 3], ["four", 6]]);
  assertEquals(trail.toldLeftOut, 9);
});

Deno.test("lines that the ledger does not take are reported once a minute", async () => {
  const { timer, pass } = passingTime();
  let faults = 0;
  const trail = createTrail({
    ledger: { append: () => Promise.reject(new LedgerError("unavailable", "full")) } as never,
    isAdmin: () => false,
    clock: machine.clock,
    timer,
    onFault: () => faults++,
  });
  for (let second = 0; second < 120; second++) {
    trail.tell({ user: "anna", from: "x", what: "approve" });
    await aTurn();
    pass(1000);
  }
  assertEquals(faults, 2);
});

/** Lets the promises that are settled be heard. */
const aTurn = () => new Promise((resolve) => setTimeout(resolve, 0));
