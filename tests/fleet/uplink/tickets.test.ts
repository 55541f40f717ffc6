/**
 * The tickets of a hub on the side of the console (docs/fleet.md): sessions and exchanges with its
 * own service; the test is the hub.
 */
import { assert, assertEquals } from "@std/assert";
import type { AuditEntry } from "../../../core/audit.ts";
import { PART_BYTES, PARTS_AHEAD, type RequestHead } from "../../../fleet/exchange.ts";
import { createTickets } from "../../../fleet/uplink/tickets.ts";
import type { FleetMay } from "../../../fleet/wire.ts";
import { machineScheduler, machineTimer } from "../../../runtimes/clock.ts";
import { updatePicture } from "../../../core/pictures/resource.ts";
import {
  demoWith,
  type Json,
  realClock,
  result,
  serviceOf,
  testConsole,
  tokens,
  until,
} from "../../service.ts";
import { checked, smallPng } from "../../core/pictures/made-png.ts";
import { type ScriptedLine, scriptedLines } from "../scripted-lines.ts";

async function ticketsOf(
  may: FleetMay = "operate",
  parts: Parameters<typeof demoWith>[0] = {},
) {
  const audit: AuditEntry[] = [];
  const console = await testConsole({
    configuration: demoWith(parts),
    audit: (entry) => void audit.push(entry),
  });
  const ports = { clock: realClock, timer: machineTimer, scheduler: machineScheduler() };
  const { service, sessions } = serviceOf(console, ports);
  const { dial, lines } = scriptedLines();
  const unused: string[] = [];
  const faults: unknown[] = [];
  const tickets = createTickets("wss://hub.test", {
    summary: { may },
    service,
    timer: machineTimer,
    dial,
    onFault: (fault) => void faults.push(fault),
    unused: (ticket, why) => void unused.push(`${ticket}: ${why}`),
  });
  audit.length = 0;
  return { console, sessions, tickets, lines, unused, faults, audit };
}

type Opened = Awaited<ReturnType<typeof ticketsOf>>;

const session = { type: "open", kind: "session", ticket: "t1", from: "192.0.2.9" } as const;
const anna = { name: "anna", may: "operate" } as const;

async function ask(line: ScriptedLine, message: object): Promise<Json> {
  const { length } = line.sent;
  line.listener.received(JSON.stringify(message));
  await until(() => line.sent.length > length);
  return JSON.parse(line.sent.at(-1) as string);
}

const label = {
  method: "rpc",
  payload: { method: "setchannellabel", params: { sourceid: 1, label: "News" } },
};
const whoami = { method: "rpc", payload: { method: "getuser", params: {} } };

Deno.test("for a ticket of a session the console dials the hub, and opens a session of the fleet user", async () => {
  const { tickets, lines, audit } = await ticketsOf();
  tickets.open({ ...session, as: anna });
  await until(() => lines.length === 1);
  const [line] = lines;
  assertEquals([line!.hub, line!.path], ["wss://hub.test", "/uplink/ticket/t1"]);
  line!.listener.opened();
  const { name, may } = (await ask(line!, whoami)).payload.result;
  assertEquals([name, may], ["fleet:anna", "operate"]);
  assertEquals((await ask(line!, label)).success, true);
  assertEquals(audit.map(({ user, from }) => [user, from]), [["fleet:anna", "192.0.2.9"]]);
  line!.end();
});

for (
  const [as, may, seen] of [
    ["admin", "operate", "operate"],
    ["admin", "admin", "configure"],
    ["operate", "view", "view"],
    ["view", "admin", "view"],
    ["press", "configure", "press"],
  ] as const
) {
  Deno.test(`a fleet user with the right to ${as} may ${seen} on a console where the fleet may ${may}`, async () => {
    const { tickets, lines } = await ticketsOf(may);
    tickets.open({ ...session, as: { name: "anna", may: as } });
    await until(() => lines.length === 1);
    lines[0]!.listener.opened();
    const user = (await ask(lines[0]!, whoami)).payload.result;
    assertEquals([user.may, user.admin], [seen, as === "admin" && may === "admin"]);
    lines[0]!.end();
  });
}

Deno.test("a ticket without a user has the right of a caller without a token, but at most that of the fleet", async () => {
  for (const [may, success] of [["view", false], ["operate", true]] as const) {
    const { tickets, lines } = await ticketsOf(may);
    tickets.open(session);
    await until(() => lines.length === 1);
    lines[0]!.listener.opened();
    assertEquals((await ask(lines[0]!, label)).success, success, may);
    assertEquals((await ask(lines[0]!, { ...label, token: tokens.admin })).success, true);
    lines[0]!.end();
  }
});

Deno.test("for a session that the console refuses it does not dial, and tells the hub the reason", async () => {
  const { tickets, lines, unused } = await ticketsOf("operate", { limits: { connections: 1 } });
  tickets.open({ ...session, as: anna });
  await until(() => lines.length === 1);
  lines[0]!.listener.opened();
  tickets.open({ ...session, ticket: "t2", as: anna });
  await until(() => unused.length === 1);
  assertEquals(unused, ["t2: there are 1 connections already"]);
  assertEquals(lines.length, 1);
  lines[0]!.end();
});

Deno.test("the close code of the service is passed on to the hub", async () => {
  const { tickets, lines, sessions } = await ticketsOf();
  tickets.open({ ...session, as: anna });
  await until(() => lines.length === 1);
  lines[0]!.listener.opened();
  sessions.closeAll(1012, "restored");
  assertEquals(lines[0]!.closedWith, 4012);
});

Deno.test("the end of the uplink ends its sessions, also one that is still being dialled", async () => {
  const { tickets, lines, sessions } = await ticketsOf();
  tickets.open({ ...session, as: anna });
  tickets.open({ ...session, ticket: "t2", as: anna });
  await until(() => lines.length === 2);
  lines[0]!.listener.opened();
  assertEquals(sessions.count, 1);
  tickets.stop();
  assertEquals(lines.map(({ closedWith }) => closedWith), [4001, 4001]);
  assertEquals(sessions.count, 0);
});

const exchange = { type: "open", kind: "http", ticket: "h1", from: "192.0.2.9" } as const;

function head(method: string, target: string, headers: RequestHead["headers"] = []): string {
  return JSON.stringify({ method, target, headers });
}

/** Sends a request as a hub does, and returns the answer. */
async function request(line: ScriptedLine, opening: string, body: readonly Uint8Array[] = []) {
  const start = line.sent.length;
  line.listener.received(opening);
  const untaken = (sent: number) => sent - line.sent.filter((one) => one === "taken").length;
  for (const [at, part] of body.entries()) {
    await until(() => untaken(at) < PARTS_AHEAD);
    line.listener.received(part);
  }
  line.listener.received("end");
  let taken = start;
  await until(() => {
    for (; taken < line.sent.length; taken++) {
      if (typeof line.sent[taken] !== "string") line.listener.received("taken");
    }
    return (line.sent.length > start && line.sent.at(-1) === "end") ||
      line.closedWith !== undefined;
  });
  const frames = line.sent.slice(start).filter((one) => one !== "taken");
  const parts = frames.filter((one) => typeof one !== "string");
  return {
    ...JSON.parse(frames[0] as string) as { status: number; headers: [string, string][] },
    parts,
    text: await new Blob(parts as Uint8Array<ArrayBuffer>[]).text(),
  };
}

async function exchangeLine(parts: Parameters<typeof demoWith>[0] = {}) {
  const opened = await ticketsOf("operate", parts);
  return { ...opened, line: exchangeLineOf(opened) };
}

function exchangeLineOf({ tickets, lines }: Pick<Opened, "tickets" | "lines">): ScriptedLine {
  tickets.open({ ...exchange, as: anna });
  const line = lines.at(-1)!;
  line.listener.opened();
  return line;
}

Deno.test("requests of a fleet user follow each other on one socket", async () => {
  const { line } = await exchangeLine();
  const one = await request(line, head("GET", "/api/rest/general/_name"));
  assertEquals([one.status, JSON.parse(one.text)], [200, "demo"]);
  const body = new TextEncoder().encode(JSON.stringify(whoami));
  const two = await request(line, head("POST", "/api/rest"), [body]);
  assertEquals(JSON.parse(two.text).payload.result.name, "fleet:anna");
  const three = await request(line, head("GET", "/action/login?ObjectID=0"));
  assertEquals(three.status, 200);
  assertEquals(line.closedWith, undefined);
  line.end();
});

Deno.test("a picture has its headers, and is not sent again if it is unchanged", async () => {
  const { line, console } = await exchangeLine();
  await result(console, updatePicture(1, checked(smallPng)));
  const one = await request(line, head("GET", "/pictures/1"));
  const headers = new Headers(one.headers);
  assertEquals([one.status, headers.get("content-type")], [200, "image/png"]);
  const two = await request(
    line,
    head("GET", "/pictures/1", [["if-none-match", headers.get("etag")!]]),
  );
  assertEquals([two.status, two.text], [304, ""]);
  line.end();
});

Deno.test("headers about the way of the request to the hub have no effect on the console", async () => {
  const { line, audit } = await exchangeLine();
  const answer = await request(
    line,
    head("GET", "/action/login?ObjectID=0", [
      ["origin", "https://hub.example"],
      ["host", "hub.example"],
      ["x-forwarded-for", "203.0.113.1"],
      ["cookie", "a=b"],
      ["sec-fetch-site", "cross-site"],
    ]),
  );
  assertEquals(answer.status, 200);
  assertEquals(audit.map(({ user, from }) => [user, from]), [["fleet:anna", "192.0.2.9"]]);
  line.end();
});

Deno.test("an answer runs at most a few parts ahead of the hub", async () => {
  const { line } = await exchangeLine({ mixers: [{ faders: 512 }] });
  const parts = () => line.sent.filter((one) => typeof one !== "string");
  line.listener.received(head("GET", "/api/rest"));
  line.listener.received("end");
  for (let taken = 0; taken < 10; taken++) {
    await until(() => parts().length === taken + PARTS_AHEAD);
    line.listener.received("taken");
  }
  assert(parts().every((part) => part.length <= PART_BYTES));
  line.end();
});

Deno.test("a body in many parts reaches the service, and the console acknowledges each part", async () => {
  const { line } = await exchangeLine();
  const message = new TextEncoder().encode(JSON.stringify(whoami) + " ".repeat(1000));
  const parts = Array.from({ length: 40 }, (_, at) => message.subarray(at * 30, at * 30 + 30));
  const whole = [...parts, message.subarray(1200)].filter(({ length }) => length > 0);
  const answer = await request(line, head("POST", "/api/rest"), whole);
  assertEquals(JSON.parse(answer.text).payload.result.name, "fleet:anna");
  assertEquals(line.sent.filter((one) => one === "taken").length, whole.length);
  line.end();
});

for (
  const [what, frames] of Object.entries<readonly (string | Uint8Array)[]>({
    "no head": [new Uint8Array(3)],
    "a head that is not JSON": ["GET /"],
    "an invalid method": [head("G T", "/")],
    "a target without a slash": [head("GET", "http://elsewhere.test/")],
    "an invalid header": [head("GET", "/", [["a b", "c"]])],
    "a second head": [head("POST", "/api/rest"), head("GET", "/")],
    "a second end": [head("POST", "/action/x"), "end", "end", "end"],
    "too large a part": [head("POST", "/api/rest"), new Uint8Array(PART_BYTES + 1)],
    "an acknowledgement of a part that was not sent": [head("POST", "/api/rest"), "taken"],
  })
) {
  Deno.test(`a socket of exchanges is closed at ${what}`, async () => {
    const { line, faults } = await exchangeLine();
    for (const frame of frames) line.listener.received(frame);
    assertEquals(line.closedWith, 4400);
    assertEquals(faults, []);
  });
}

Deno.test("a request whose hub is lost before the end of its body is not carried out", async () => {
  const { line, audit, faults, ...opened } = await exchangeLine();
  line.listener.received(head("POST", "/api/rest"));
  line.listener.received(new TextEncoder().encode(JSON.stringify(label)));
  line.end();
  const next = exchangeLineOf(opened);
  await request(next, head("GET", "/api/rest/general/_name"));
  assertEquals([audit, faults], [[], []]);
  next.end();
});
