import { assertEquals } from "@std/assert";
import { END, PART_BYTES, PARTS_AHEAD, TAKEN } from "../../../fleet/exchange.ts";
import { EXCHANGE_MS, IDLE_LINES, TICKET_SOCKETS_PER_USER } from "../../../fleet/hub/hub-limits.ts";
import { until } from "../../service.ts";
import { expectDone, openHub, type PlayedConsole, playedSocket } from "../open-hub.ts";

const OK = JSON.stringify({ status: 200, headers: [["content-type", "text/plain"]] });

/** Sends an HTTP request to a console, and returns the socket that the console dials for it. */
async function asked(given: RequestInit & { readonly path?: string } = {}) {
  const opened = await openHub();
  const console = await opened.live();
  const user = { name: "anna", may: "admin" as const };
  const { path = "/api/rest/general", ...init } = given;
  const fetch = (init: RequestInit) =>
    opened.hub.fetch(console.id, user, "10.0.0.1", new Request(`http://localhost${path}`, init));
  const response = fetch(init);
  await until(() => console.frames("open").length > 0);
  const line = console.takeTicket();
  await until(() => line.sent.length > 0);
  return { ...opened, console, line, response, fetch };
}

const bytes = (length: number) => new ArrayBuffer(length);

Deno.test("a request reaches the console with its path, its method and the headers that the console may see", async () => {
  const { console, line, response } = await asked({
    method: "POST",
    path: "/api/rest/audio?depth=1",
    headers: { "content-type": "application/json", cookie: "secret=1", origin: "http://evil" },
    body: "{}",
  });
  assertEquals(console.frames("open")[0], {
    type: "open",
    ticket: console.frames("open")[0].ticket,
    kind: "http",
    from: "10.0.0.1",
    as: { name: "anna", may: "admin" },
  });
  await until(() => line.sent.includes(END));
  const [head, body] = line.sent;
  assertEquals(JSON.parse(head as string), {
    method: "POST",
    target: "/api/rest/audio?depth=1",
    headers: [["content-type", "application/json"]],
  });
  assertEquals(new TextDecoder().decode(body as Uint8Array), "{}");
  line.listener.receive(TAKEN);
  line.listener.receive(OK);
  line.listener.receive(new TextEncoder().encode("well").buffer);
  line.listener.receive(END);
  assertEquals(await (await response).text(), "well");
});

Deno.test("an answer of a console is sandboxed on the hub's origin, and sets no cookie or redirect", async () => {
  const { line, response } = await asked();
  line.listener.receive(JSON.stringify({
    status: 200,
    headers: [["content-type", "text/html"], ["set-cookie", "a=1"], ["location", "http://evil"]],
  }));
  line.listener.receive(END);
  const { headers } = await response;
  assertEquals(headers.get("content-security-policy"), "sandbox; default-src 'none'");
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals([headers.get("set-cookie"), headers.get("location")], [null, null]);
});

Deno.test("a console may send at most PARTS_AHEAD parts that the client has not read: backpressure", async () => {
  const { line, response } = await asked();
  line.listener.receive(OK);
  const { body } = await response;
  for (let part = 0; part < PARTS_AHEAD; part++) line.listener.receive(bytes(PART_BYTES));
  assertEquals(line.sent.filter((one) => one === TAKEN).length, 0);
  const reader = body!.getReader();
  await reader.read();
  assertEquals(line.sent.filter((one) => one === TAKEN).length, 1);
  line.listener.receive(bytes(PART_BYTES));
  assertEquals(line.closedWith, undefined);
  line.listener.receive(bytes(PART_BYTES));
  assertEquals(line.closedWith, 1000, "a console that runs ahead is not listened to");
});

Deno.test("a console is sent at most PARTS_AHEAD parts of a body that it has not taken: backpressure", async () => {
  let pulled = 0;
  const body = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(PART_BYTES));
    },
  }, { highWaterMark: 0 });
  const { line, response } = await asked({ method: "POST", body });
  const parts = () => line.sent.filter((one) => typeof one !== "string").length;
  await until(() => parts() === PARTS_AHEAD);
  line.listener.receive(TAKEN);
  await until(() => parts() === PARTS_AHEAD + 1);
  assertEquals(pulled <= PARTS_AHEAD + 3, true);
  // It answers before it has the whole body.
  line.listener.receive(JSON.stringify({ status: 413, headers: [] }));
  line.listener.receive(END);
  assertEquals((await response).status, 413);
  await (await response).text();
  await until(() => line.closedWith === 1000);
});

Deno.test("requests of one user use one socket, one after the other", async () => {
  const { console, line, response, fetch } = await asked();
  line.listener.receive(OK);
  line.listener.receive(END);
  await (await response).text();
  const second = fetch({});
  await until(() => line.sent.filter((one) => one === END).length === 2);
  assertEquals(console.frames("open").length, 1);
  line.listener.receive(OK);
  line.listener.receive(END);
  assertEquals((await second).status, 200);
});

for (
  const [what, misbehave] of [
    ["sends no head", (receive: (data: unknown) => void) => receive(END)],
    ["sends a body without a head", (receive: (data: unknown) => void) => receive(bytes(3))],
    [
      "sends an invalid head",
      (receive: (data: unknown) => void) => receive('{"status":"200"}'),
    ],
    [
      "sends an invalid status",
      (receive: (data: unknown) => void) => receive('{"status":101,"headers":[]}'),
    ],
    [
      "sends invalid headers",
      (receive: (data: unknown) => void) => receive('{"status":200,"headers":[["a\\nb","c"]]}'),
    ],
    ["takes a part that it was not sent", (receive: (data: unknown) => void) => {
      receive(TAKEN);
      receive(TAKEN);
    }],
  ] as const
) {
  Deno.test(`a request to a console that ${what} is answered with 502`, async () => {
    const { line, response } = await asked();
    await until(() => line.sent.includes(END));
    misbehave((data) => line.listener.receive(data));
    assertEquals((await response).status, 502);
    assertEquals(line.closedWith, 1000);
  });
}

Deno.test("a console that answers HEAD with an endless body delays neither the answer nor the end of its socket", async () => {
  const { line, response } = await asked({ method: "HEAD" });
  line.listener.receive(OK);
  line.listener.receive(bytes(1));
  assertEquals((await response).status, 200);
  assertEquals(line.closedWith, 1000);
});

Deno.test("a request to a console that closes its connection before its answer is answered with 502", async () => {
  const { line, response } = await asked();
  line.listener.closed(1006, "");
  assertEquals((await response).status, 502);
});

Deno.test("a request to a console that does not answer is answered with 504", async () => {
  const { response, pass } = await asked();
  pass(EXCHANGE_MS + 100);
  assertEquals((await response).status, 504);
});

Deno.test("a request to a console that dials no socket for its ticket is answered with 503", async () => {
  const { hub, live, pass } = await openHub();
  const console = await live();
  const user = { name: "anna", may: "admin" as const };
  const response = hub.fetch(console.id, user, "x", new Request("http://localhost/api/rest"));
  await until(() => console.frames("open").length > 0);
  console.say({ type: "unused", ticket: console.frames("open")[0].ticket, why: "no" });
  assertEquals((await response).status, 503);
  const other = hub.fetch(console.id, user, "x", new Request("http://localhost/api/rest"));
  await until(() => console.frames("open").length > 1);
  pass(10_100);
  assertEquals((await other).status, 503);
});

Deno.test("a socket that opens once nobody waits for its ticket is closed", async () => {
  const { hub, admin, live, pass } = await openHub({ anonymous: "console" });
  const console = await live();
  /** Begins a session without a user, and dials for it, up to the handshake. */
  const dialling = async (count: number) => {
    const session = hub.session(console.id, undefined, "x", { receive() {}, closed() {} });
    await until(() => console.frames("open").length === count);
    const { ticket } = console.frames("open").at(-1)!;
    return { session, ticket, open: hub.tickets.take(ticket)! };
  };
  const late = await dialling(1);
  assertEquals(hub.tickets.take(late.ticket), undefined);
  for (let second = 0; second <= 10; second++) {
    pass(1000);
    console.beat();
  }
  assertEquals("code" in await late.session, true);
  const removed = await dialling(2);
  expectDone(await hub.remove(console.id, admin) ?? {});
  assertEquals("code" in await removed.session, true);
  for (const { open } of [late, removed]) {
    const played = playedSocket();
    open(played.socket).receive("{}");
    assertEquals([played.closedWith, hub.tickets.count()], [1001, 0]);
  }
});

Deno.test("one console cannot end the ticket of another", async () => {
  const { hub, live } = await openHub();
  const [one, other]: PlayedConsole[] = [await live(), await live()];
  const user = { name: "anna", may: "admin" as const };
  const response = hub.fetch(one!.id, user, "x", new Request("http://localhost/api/rest"));
  await until(() => one!.frames("open").length > 0);
  other!.say({ type: "unused", ticket: one!.frames("open")[0].ticket, why: "no" });
  const line = one!.takeTicket();
  await until(() => line.sent.includes(END));
  line.listener.receive(OK);
  line.listener.receive(END);
  assertEquals((await response).status, 200);
});

Deno.test("a request to a console that is not live is answered at once with 503 and the time since which it is stale", async () => {
  const { hub, live, pass, enrol } = await openHub();
  const console = await live();
  pass(4000);
  const user = { name: "anna", may: "admin" as const };
  const ask = async (id: string) => {
    const response = await hub.fetch(id, user, "x", new Request("http://localhost/api/rest"));
    return [response.status, (await response.json()).error.message];
  };
  const [status, message] = await ask(console.id);
  assertEquals(status, 503);
  assertEquals(message.includes("stale since 2026-01-01T00:00:00.000Z"), true);
  assertEquals((await ask(await enrol()))[0], 503);
  assertEquals((await ask("f".repeat(32)))[0], 404);
});

Deno.test("one user can have at most TICKET_SOCKETS_PER_USER sessions on a console, and others still get theirs", async () => {
  const { hub, admin, live } = await openHub();
  const console = await live();
  for (const name of ["ben", "eve"]) expectDone(await hub.addUser({ name, may: "view" }, admin));
  const session = async (name: string) => {
    const count = console.frames("open").length;
    const user = { name, may: "view" } as const;
    const opened = hub.session(console.id, user, "x", { receive() {}, closed() {} });
    await Promise.resolve();
    if (console.frames("open").length > count) console.takeTicket();
    return await opened;
  };
  let opened = 0;
  while (!("code" in await session("ben"))) opened++;
  assertEquals(opened, TICKET_SOCKETS_PER_USER);
  assertEquals("send" in await session("eve"), true);
});

Deno.test("one user who asks a console for sessions faster than it dials leaves others theirs", async () => {
  const { hub, admin, live } = await openHub();
  const console = await live();
  for (const name of ["ben", "eve"]) expectDone(await hub.addUser({ name, may: "view" }, admin));
  const session = (name: string) =>
    hub.session(console.id, { name, may: "view" }, "x", { receive() {}, closed() {} });
  for (let asked = 0; asked < 300; asked++) void session("ben");
  await until(() => console.frames("open").length > 0);
  assertEquals(console.frames("open").length, TICKET_SOCKETS_PER_USER);
  const own = session("eve");
  await until(() => console.frames("open").length > TICKET_SOCKETS_PER_USER);
  console.takeTicket();
  assertEquals("send" in await own, true);
});

Deno.test("as many requests at once as one user may have on a console are all answered, and leave that user sessions", async () => {
  const { hub, admin, live } = await openHub();
  const console = await live();
  const { user } = admin;
  const responses = Array.from(
    { length: TICKET_SOCKETS_PER_USER },
    () => hub.fetch(console.id, user, "x", new Request("http://localhost/pictures/1")),
  );
  await until(() => console.frames("open").length === responses.length);
  const lines = console.frames("open").map(({ ticket }) => {
    const line = playedSocket();
    return Object.assign(line, { listener: hub.tickets.take(ticket)!(line.socket) });
  });
  await until(() => lines.every(({ sent }) => sent.includes(END)));
  for (const { listener } of lines) {
    listener.receive(OK);
    listener.receive(END);
  }
  const statuses = new Set<number>();
  for (const response of await Promise.all(responses)) {
    statuses.add(response.status);
    await response.text();
  }
  assertEquals([...statuses], [200]);
  // The console closes its ends of the sockets that the hub has closed.
  await until(() =>
    lines.filter(({ closedWith }) => closedWith === undefined).length === IDLE_LINES
  );
  for (const { closedWith, listener } of lines) if (closedWith) listener.closed(closedWith, "");
  assertEquals(hub.tickets.count(), IDLE_LINES);
  const count = console.frames("open").length;
  const session = hub.session(console.id, user, "x", { receive() {}, closed() {} });
  await until(() => console.frames("open").length > count);
  console.takeTicket();
  assertEquals("send" in await session, true);
});
