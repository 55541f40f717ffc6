/** The memory that all clients together can make the service hold: `limits.memory`. */
import { connect } from "node:http2";
import { assert, assertEquals } from "@std/assert";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { isBranch } from "../../core/tree/tree.ts";
import {
  demoWith,
  type Json,
  realClock,
  serviceOf,
  startService,
  testConsole,
  tokens,
  until,
} from "../service.ts";
import { opcodes, openRaw } from "./raw-socket.ts";
import { createBudget } from "../../transport/budget.ts";
import { createSessions } from "../../transport/websocket/sessions.ts";
import { passingTime } from "../timers.ts";

const MiB = 1024 * 1024;
/** The smallest allowed configuration: five MiB and a third for each part. */
const memory = 32 * MiB;

/** Begins a POST of a number of MiB that stops before its last byte. */
async function beginBody(
  url: string,
  { path = "/api/rest", type = "application/json", size = 1 } = {},
): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\n` +
    `content-length: ${size * MiB}\r\n\r\n`;
  const bytes = new Uint8Array(size * MiB - 1).fill(0x20);
  for (const piece of [new TextEncoder().encode(head), bytes]) {
    for (let at = 0; at < piece.length;) at += await connection.write(piece.subarray(at));
  }
  return connection;
}

async function statusOf(connection: Deno.TcpConn): Promise<string> {
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, count ?? 0)).split("\r\n", 1)[0]!;
}

Deno.test("when incomplete bodies exceed their quota one is evicted with 503, and others are answered", async () => {
  await using service = await startService({ configuration: demoWith({ limits: { memory } }) });
  const connections: Deno.TcpConn[] = [];
  for (let count = 0; count < 7; count++) connections.push(await beginBody(service.url));
  const first = await Promise.any(connections.map(statusOf));
  assertEquals(first, "HTTP/1.1 503 Service Unavailable");
  const { success } = await service.rpc("getsnapshotlist", { type: 2 });
  assertEquals(success, true);
  for (const connection of connections) connection.close();
});

Deno.test("bodies that exceed their quota do not evict the bodies of restores, which have a larger one", async () => {
  await using service = await startService({ configuration: demoWith({ limits: { memory } }) });
  const type = "multipart/form-data; boundary=end";
  using connections = new DisposableStack();
  const begin = async (options?: Parameters<typeof beginBody>[1]) =>
    connections.use(await beginBody(service.url, options));
  const restores = [];
  for (let count = 0; count < 2; count++) {
    const connection = await begin({ path: "/action/restore", type, size: 6 });
    restores.push({ connection, answer: statusOf(connection) });
  }
  const others: Deno.TcpConn[] = [];
  for (let count = 0; count < 7; count++) others.push(await begin());
  const evicted = others.map(async (connection) => ["of another", await statusOf(connection)]);
  const ofRestores = restores.map(async ({ answer }) => ["of restore", await answer]);
  const first = await Promise.any([...ofRestores, ...evicted]);
  assertEquals(first, ["of another", "HTTP/1.1 503 Service Unavailable"]);
  for (const { connection, answer } of restores) {
    await connection.write(new Uint8Array(1));
    assertEquals(await answer, "HTTP/1.1 200 OK", "its error is in the body");
  }
});

Deno.test("when bodies of restore exceed the largest one, one of them is evicted with 503", async () => {
  await using service = await startService({ configuration: demoWith({ limits: { memory } }) });
  const type = "multipart/form-data; boundary=end";
  using connections = new DisposableStack();
  const answers = [];
  for (const size of [33, 32]) {
    const options = { path: "/action/restore", type, size };
    answers.push(statusOf(connections.use(await beginBody(service.url, options))));
  }
  assertEquals(await Promise.any(answers), "HTTP/1.1 503 Service Unavailable");
});

Deno.test("the client with the most waiting messages over all its connections is closed with 1013", async () => {
  const turns: (() => void)[] = [];
  const scheduler = { ...withoutPauses, pause: () => new Promise<void>((go) => turns.push(go)) };
  const sessions = createSessions(await testConsole(), {
    timer: passingTime().timer,
    scheduler,
    budget: createBudget(() => memory),
  });
  const closed: [string, number][] = [];
  const open = (name: string) => {
    const socket = {
      bufferedAmount: 0,
      send() {},
      close: (code: number) => void closed.push([name, code]),
    };
    return sessions.open(socket, { address: "192.0.2.1", since: 0 });
  };
  const honest = open("honest");
  const greedy = open("greedy");
  const others = open("others");
  const message = " ".repeat(900_000);
  honest.receive('{"method":"get","path":"/general"}');
  for (let count = 0; count < 4; count++) greedy.receive(message);
  for (let count = 0; count < 3; count++) others.receive(message);
  assertEquals(closed, [["greedy", 1013]]);
});

/** Deno's WebSocket sends headers; the types of browsers, which are checked here, have none. */
function socketWith(headers: Record<string, string>, address: string): WebSocket {
  return new WebSocket(address, { headers } as unknown as string[]);
}

const from = (address: string) => ({ "x-forwarded-for": address });

Deno.test("an address has at most limits.connectionsPerAddress connections; an admin is still admitted", async () => {
  const configuration = demoWith({
    limits: { connectionsPerAddress: 2, rest: { trustProxy: true, burst: 0 } },
  });
  await using service = await startService({ configuration });
  const address = `${service.url.replace("http", "ws")}/api/ws`;
  const open = async (headers: Record<string, string>) => {
    const socket = socketWith(headers, address);
    return await new Promise<WebSocket | undefined>((resolve) => {
      socket.onopen = () => resolve(socket);
      socket.onerror = () => resolve(undefined);
    });
  };
  const first = await open(from("192.0.2.1"));
  const second = await open(from("192.0.2.1"));
  // A connection that has sent a message is evicted only for an admin.
  for (const socket of [first, second]) await said(socket!);
  assertEquals(await open(from("192.0.2.1")), undefined);
  const closed = new Promise((resolve) => second!.onclose = ({ code }) => resolve(code));
  const other = await open(from("192.0.2.2"));
  assert(other !== undefined);
  const get = (headers: Record<string, string>) =>
    fetch(`${service.url}/api/rest/general`, { headers })
      .then(async (response) => [response.status, Object.keys(await response.json())[0]]);
  assertEquals(await get(from("192.0.2.1")), [503, "error"]);
  assertEquals((await get(from("192.0.2.2")))[0], 200);
  const bearer = { authorization: `Bearer ${tokens.admin}` };
  assertEquals((await get({ ...from("192.0.2.1"), ...bearer }))[0], 200);
  const admin = await open({ ...from("192.0.2.1"), ...bearer });
  assert(admin !== undefined);
  assertEquals(await closed, 1013, "the newest made place");
  for (const socket of [first, other, admin]) socket!.close();
});

/** Sends a request, and waits for the answer. */
function said(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.onmessage = () => resolve();
    socket.send('{"method":"get","path":"/general/_name"}');
  });
}

Deno.test("at the limit of an address its oldest connection without a message is evicted, and none of another address", async () => {
  const configuration = demoWith({
    limits: { connectionsPerAddress: 3, rest: { trustProxy: true, burst: 0 } },
  });
  await using service = await startService({ configuration });
  const address = `${service.url.replace("http", "ws")}/api/ws`;
  const closed: string[] = [];
  const open = (name: string, from: string) => {
    const socket = socketWith({ "x-forwarded-for": from }, address);
    return new Promise<WebSocket | undefined>((resolve) => {
      socket.onopen = () => resolve(socket);
      socket.onerror = () => resolve(undefined);
      socket.onclose = ({ code }) => closed.push(`${name} ${code}`);
    });
  };
  const innocent = (await open("innocent", "192.0.2.2"))!;
  const spoken = (await open("spoken", "192.0.2.1"))!;
  await said(spoken);
  const second = (await open("second", "192.0.2.1"))!;
  const third = (await open("third", "192.0.2.1"))!;
  const fourth = (await open("fourth", "192.0.2.1"))!;
  await until(() => closed.length > 0);
  assertEquals(closed, ["second 1013"]);
  const general = await fetch(`${service.url}/api/rest/general/_name`, {
    headers: from("192.0.2.1"),
  });
  assertEquals([general.status, await general.json()], [200, "demo"]);
  await until(() => closed.length > 1);
  assertEquals(closed, ["second 1013", "third 1013"]);
  const fifth = (await open("fifth", "192.0.2.1"))!;
  for (const socket of [fourth, fifth]) await said(socket);
  assertEquals(await open("sixth", "192.0.2.1"), undefined, "all have sent something");
  for (const socket of [innocent, spoken]) await said(socket);
  for (const socket of [innocent, spoken, second, third, fourth, fifth]) socket.close();
});

Deno.test("at most 8 connections of an address are evicted at a time, whatever the number of new ones", async () => {
  const console = await testConsole({
    configuration: demoWith({ limits: { connectionsPerAddress: 64 } }),
  });
  const { sessions } = serviceOf(console, {
    clock: realClock,
    timer: passingTime().timer,
    scheduler: withoutPauses,
  });
  const closed: number[] = [];
  const listeners = Array.from({ length: 64 }, (_, index) => {
    const socket = { bufferedAmount: 0, send() {}, close: () => void closed.push(index) };
    return sessions.open(socket, { address: "192.0.2.1", since: 0 });
  });
  const given = Array.from({ length: 20 }, () => sessions.giveWay("192.0.2.1"));
  assertEquals(given.filter((gave) => gave).length, 8);
  assertEquals([closed, sessions.countFrom("192.0.2.1")], [[0, 1, 2, 3, 4, 5, 6, 7], 56]);
  listeners[3]!.closed();
  assertEquals([sessions.giveWay("192.0.2.1"), closed.at(-1)], [true, 8]);
  for (const listener of listeners) listener.closed();
  assertEquals([sessions.count, sessions.countFrom("192.0.2.1")], [0, 0]);
});

Deno.test("a request over the limit is refused at once, without waiting for its turn", async () => {
  const console = await testConsole({
    configuration: demoWith({ limits: { connectionsPerAddress: 2 } }),
  });
  const turns: (() => void)[] = [];
  const scheduler = { ...withoutPauses, pause: () => new Promise<void>((go) => turns.push(go)) };
  const { service } = serviceOf(console, {
    clock: realClock,
    timer: passingTime().timer,
    scheduler,
  });
  const get = (client: string) =>
    service({
      request: new Request("http://localhost/api/rest/general"),
      client,
      upgrade: () => new Response(),
    });
  const first = get("192.0.2.1");
  const second = get("192.0.2.1");
  const third = get("192.0.2.1");
  assertEquals(third instanceof Response && third.status, 503);
  const other = get("192.0.2.2");
  assertEquals(turns.length, 3);
  for (const go of turns) go();
  const statuses = (await Promise.all([first, second, other])).map(({ status }) => status);
  assertEquals(statuses, [200, 200, 200]);
});

Deno.test("a large answer takes a place of its address until it is read", async () => {
  const configuration = demoWith({
    limits: { connectionsPerAddress: 1, rest: { trustProxy: true, burst: 0 } },
  });
  // More than the buffers of the system hold for a client that does not read.
  const content = new Blob([new Uint8Array(32 * MiB)]).stream();
  const packed = new Response(content.pipeThrough(new CompressionStream("gzip")));
  const gzip = new Uint8Array(await packed.arrayBuffer());
  const file = { type: "text/plain", version: "1", isImmutable: false, gzip, brotli: gzip };
  await using service = await startService({ configuration, view: new Map([["/large", file]]) });
  const { hostname, port } = new URL(service.url);
  using reader = await Deno.connect({ hostname, port: Number(port) });
  const head = "GET /large HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 192.0.2.1\r\n\r\n";
  await reader.write(new TextEncoder().encode(head));
  assertEquals(await statusOf(reader), "HTTP/1.1 200 OK");
  const get = async (address: string) => {
    const response = await fetch(`${service.url}/api/rest/general`, { headers: from(address) });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals([await get("192.0.2.1"), await get("192.0.2.2")], [503, 200]);
  const buffer = new Uint8Array(MiB);
  for (let left = 32 * MiB - 64 * 1024; left > 0;) left -= await reader.read(buffer) ?? left;
  // One request after the other, as each takes a place itself.
  while (await get("192.0.2.1") === 503);
});

Deno.test("an admin is admitted even if all connections are taken", async () => {
  const configuration = demoWith({ limits: { connections: 1 } });
  await using service = await startService({ configuration });
  const one = await service.open();
  const bearer = { authorization: `Bearer ${tokens.admin}` };
  const socket = socketWith(bearer, `${service.url.replace("http", "ws")}/api/ws`);
  await new Promise((resolve) => socket.onopen = resolve);
  assertEquals(await one.closed, 1013);
  socket.close();
  await new Promise((resolve) => socket.onclose = resolve);
});

Deno.test("a connection that the service closes is gone soon, also if its client does not answer the close", async () => {
  await using service = await startService();
  using socket = await openRaw(`${service.url}/api/ws`);
  await socket.send(opcodes.text, "x".repeat(MiB + 1));
  assertEquals(await socket.closeCode(), 1009);
  await until(() => service.closedWith.length === 1);
  assertEquals(await socket.read(), undefined, "its end, which only we can have made");
});

Deno.test("the content of binary frames is discarded, whatever their number and size", async () => {
  const turns: (() => void)[] = [];
  const scheduler = { ...withoutPauses, pause: () => new Promise<void>((go) => turns.push(go)) };
  const closed: number[] = [];
  const sent: string[] = [];
  const socket = {
    bufferedAmount: 0,
    send: (text: string) => void sent.push(text),
    close: (code: number) => void closed.push(code),
  };
  const sessions = createSessions(await testConsole(), {
    timer: passingTime().timer,
    scheduler,
    budget: createBudget(() => memory),
  });
  const session = sessions.open(socket, { address: "192.0.2.1", since: 0 });
  for (let count = 0; count < 100; count++) session.receive(new ArrayBuffer(8));
  assertEquals(closed, []);
  turns.shift()!();
  await until(() => sent.length === 1);
  assertEquals(JSON.parse(sent[0]!).error.message, "expected a text frame, got a binary one");
});

Deno.test("subscriptions beyond the share of an address, over all its connections, are refused (11), and those of another are not", async () => {
  const sessions = createSessions(await testConsole(), {
    timer: passingTime().timer,
    scheduler: withoutPauses,
    budget: createBudget(() => memory),
  });
  const open = (address: string) => {
    const sent: Json[] = [];
    const send = (text: string) => void sent.push(JSON.parse(text));
    const socket = { bufferedAmount: 0, send, close() {} };
    return { session: sessions.open(socket, { address, since: 0 }), sent };
  };
  const paths = pathsOf((await testConsole()).state.tree).slice(0, 300);
  const subscribeAll = async ({ session, sent }: ReturnType<typeof open>) => {
    for (const path of paths) session.receive(JSON.stringify({ method: "subscribe", path }));
    await until(() => sent.length === paths.length);
    return sent.filter(({ success }) => success).length;
  };
  const culprits = Array.from({ length: 10 }, () => open("192.0.2.1"));
  const taken: number[] = [];
  for (const culprit of culprits) taken.push(await subscribeAll(culprit));
  // With 32 MiB an address has 1,365 subscriptions, and each connection at least 32.
  assertEquals(taken, [300, 300, 300, 300, 165, 32, 32, 32, 32, 32]);
  assertEquals(culprits.at(-1)!.sent.at(-1).error.code, 11);
  assertEquals(await subscribeAll(open("192.0.2.2")), 300);
  for (const { session } of culprits) session.closed();
  assertEquals(await subscribeAll(open("192.0.2.1")), 300);
});

/** The paths of all nodes of a tree. */
function pathsOf(node: unknown, path = ""): string[] {
  if (!isBranch(node)) return [path];
  const below = Object.entries(node).flatMap(([member, value]) =>
    pathsOf(value, `${path}/${member}`)
  );
  return [path, ...below];
}

Deno.test("HTTP/2 without TLS is refused with 505, and its bodies are not read", async () => {
  await using service = await startService();
  const session = connect(service.url);
  const stream = session.request({ ":method": "POST", ":path": "/api/rest" });
  stream.write(new Uint8Array(1000));
  const status = await new Promise((resolve) =>
    stream.on("response", (headers) => resolve(headers[":status"]))
  );
  assertEquals(status, 505);
  session.destroy();
});
