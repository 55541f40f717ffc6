/** Hostile messages have an answer or a close code, and never crash or change the service. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  demoWith,
  heldStore,
  startService,
  stillClock,
  type TestConsole,
  type TestService,
  tokens,
  until,
} from "../service.ts";
import { handshake, opcodes, openRaw } from "./raw-socket.ts";
import { ask, askAsText } from "./requests.ts";

/** Runs a hostile action, then asserts that both interfaces answer and the state is unchanged. */
function hostile(
  name: string,
  run: (service: TestService) => Promise<void>,
  options: TestConsole = {},
) {
  Deno.test(name, async () => {
    await using service = await startService({ clock: stillClock(), ...options });
    const { state } = service.console;
    await run(service);
    assert(service.console.state === state, "the state was changed");
    const get = { method: "get", path: "/audio/mixers/0/_name" };
    assertEquals((await service.post(get)).payload, "On Air");
    const socket = await service.open();
    assertEquals((await socket.ask({ ...get, token: tokens.none })).payload, "On Air");
  });
}

const call = (payload: unknown) => ({ method: "rpc", payload });
const deep = (levels: number, open: string, close: string) =>
  open.repeat(levels) + close.repeat(levels);

/** Messages, as text, and the code of the answer. */
const messages: readonly (readonly [string, number])[] = [
  ["", 1],
  [" ", 1],
  ["hello", 1],
  ["{", 1],
  ["{}", 1],
  ["[]", 1],
  ["null", 1],
  ["true", 1],
  ["1", 1],
  ['"get"', 1],
  ["NaN", 1],
  ["{'method':'get'}", 1],
  ['{"method":"get"}{"method":"get"}', 1],
  ['{"method":null}', 1],
  ['{"method":1}', 1],
  ['{"method":[]}', 1],
  ['{"method":{}}', 1],
  ['{"method":["get"],"path":"/"}', 1],
  ['{"method":"nosuch"}', 2],
  ['{"method":""}', 2],
  ['{"method":"GET","path":"/"}', 2],
  ['{"method":"constructor"}', 2],
  ['{"method":"__proto__"}', 2],
  ['{"method":"update","payload":{"audio":{}}}', 2],
  ['{"method":"event"}', 2],
  [`{"method":${JSON.stringify("x".repeat(10_000))}}`, 2],
  ['{"method":"get"}', 3],
  ['{"method":"get","path":null}', 3],
  ['{"method":"get","path":["audio"]}', 3],
  ['{"method":"get","path":{}}', 3],
  ['{"method":"get","path":"/\\u0000"}', 6],
  ['{"method":"get","path":"/../.."}', 6],
  ['{"method":"get","path":"/audio/__proto__"}', 6],
  ['{"method":"get","path":"/audio/mixers/00"}', 6],
  ['{"method":"get","path":"/audio/mixers/-0"}', 6],
  ['{"method":"get","path":"/audio/mixers/0/sourcelist/length"}', 6],
  [`{"method":"get","path":"${"/a".repeat(512)}"}`, 6],
  [`{"method":"get","path":"${"/a".repeat(513)}"}`, 3],
  [`{"method":"get","path":"${"/".repeat(500_000)}"}`, 3],
  ['{"method":"set","path":"/audio/mixers/0/faders/0"}', 3],
  ['{"method":"set","path":"/audio/mixers/0/faders/0","payload":null}', 3],
  ['{"method":"set","path":"/audio/mixers/0/faders/0","payload":[1]}', 3],
  ['{"method":"set","path":"/audio/mixers/0/faders/0/fader","payload":[1]}', 3],
  ['{"method":"set","path":"/audio/mixers/0/faders/0","payload":{"__proto__":{"on":true}}}', 6],
  ['{"method":"set","path":"/audio/mixers/0/faders/0","payload":{"constructor":1}}', 6],
  ['{"method":"set","path":"/__proto__","payload":{"polluted":true}}', 6],
  ['{"method":"set","path":"/audio/mixers/0/faders/0/label","payload":"\\ud800"}', 3],
  ['{"method":"set","path":"/audio/mixers/0/faders/0/label","payload":"a\\u0000b"}', 3],
  ['{"method":"subscribe"}', 3],
  ['{"method":"subscribe","path":null}', 3],
  ['{"method":"subscribe","path":"/audio/mixers/9"}', 6],
  ['{"method":"unsubscribe","path":1}', 3],
  ['{"method":"auth"}', 4],
  ['{"method":"auth","token":null}', 4],
  ['{"method":"auth","token":{}}', 4],
  ['{"method":"rpc"}', 1],
  ['{"method":"rpc","payload":null}', 1],
  ['{"method":"rpc","payload":[]}', 1],
  ['{"method":"rpc","payload":"getsnapshotlist"}', 1],
  ['{"method":"rpc","payload":{}}', 1],
  ['{"method":"rpc","payload":{"method":"nosuch","params":{}}}', 2],
  ['{"method":"rpc","payload":{"method":"getsnapshotlist"}}', 3],
  ['{"method":"rpc","payload":{"method":"getsnapshotlist","params":[]}}', 3],
  ['{"method":"rpc","payload":{"method":"getsnapshotlist","params":null}}', 3],
  ['{"method":"rpc","payload":{"method":"getsnapshotlist","params":{"type":1e400}}}', 3],
  [
    '{"method":"rpc","payload":{"method":"getsnapshotlist","params":{"type":2,"mixer":9007199254740993}}}',
    3,
  ],
  [
    '{"method":"rpc","payload":{"method":"setsnapshot","params":{"snapshotdata":{"__proto__":{}}}}}',
    10,
  ],
  [`{"method":"get","path":"/","x":${deep(64, "[", "]")}}`, 1],
  [
    `{"method":"set","path":"/","payload":${
      deep(5000, '{"a":', "}").replace('{"a":}', '{"a":1}')
    }}`,
    1,
  ],
  [`{"method":"get","path":"/","x":${deep(100_000, "[", "]")}}`, 1],
];

hostile("any text over a WebSocket is answered without a close", async (service) => {
  const socket = await service.open();
  for (const [text, code] of messages) {
    const { success, error } = await socket.ask(text);
    assertEquals([success, error?.code], [false, code], text.slice(0, 80));
    assert(error.message.length < 400, "a message quotes what is wrong cut short");
  }
});

hostile("any text by POST is answered", async (service) => {
  for (const [text, code] of messages) {
    if (/"(un)?subscribe"|"auth"/.test(text)) continue;
    const url = `${service.url}/api/rest/?token=${tokens.admin}`;
    const response = await fetch(url, { method: "POST", body: text });
    const answer = await response.json();
    const isPath = text === '{"method":"get"}';
    if (!isPath) {
      assertEquals([answer.success, answer.error?.code], [false, code], text.slice(0, 80));
    }
    assert([200, 400].includes(response.status));
  }
});

/** Members that no request has, some with names that the service gives to messages of its own. */
const others = [
  '"limit":1',
  '"refusal":{"code":1,"message":"x"},"message":{},"isObject":false',
  '"code":1,"message":"x"',
  '"__proto__":{"limit":1}',
  '"toString":1,"then":1,"toJSON":1',
];

hostile("other members of a message are ignored, whatever their names", async (service) => {
  const url = `${service.url}/api/rest?token=${tokens.admin}`;
  const socket = await service.open();
  for (const other of others) {
    const get = `{"method":"get","path":"/general/_name",${other}}`;
    const answer = await Promise.race([socket.ask(get), socket.closed]);
    assertEquals(answer.payload, "demo", other);
    const posted = await ask(url, { method: "POST", body: get });
    assertEquals([posted.status, JSON.parse(posted.text).payload], [200, "demo"], other);
  }
});

hostile("an echoed payload of a malformed call does no harm", async (service) => {
  const socket = await service.open();
  const payload = { method: { deep: [1] }, params: [null] };
  const answer = await socket.ask(call(payload));
  assertEquals([answer.success, answer.error.code], [false, 1]);
});

const MIB = 1024 * 1024;

hostile("a message of 10 MiB closes a WebSocket with 1009", async (service) => {
  const socket = await service.open();
  socket.send(`{"method":"get","path":"/","x":"${"x".repeat(10 * MIB)}"}`);
  assertEquals(await socket.closed, 1009);
});

hostile("the limit of a message counts bytes, not characters", async (service) => {
  const socket = await service.open();
  const message = (length: number) =>
    `{"method":"get","path":"/general/_api_version","x":"${"€".repeat(length)}"}`;
  assert((await socket.ask(message(300))).success);
  socket.send(message(700));
  assertEquals(await socket.closed, 1009);
}, { configuration: demoWith({ limits: { maxMessageBytes: 2048 } }) });

hostile("a body over the limit is 413, one at the limit is read", async (service) => {
  const url = `${service.url}/api/rest?token=${tokens.admin}`;
  const get = '{"method":"get","path":"/general/_api_version"}';
  for (const [length, status] of [[MIB, 200], [MIB + 1, 413], [10 * MIB, 413]] as const) {
    const response = await fetch(url, { method: "POST", body: get.padEnd(length) });
    const answer = await response.json();
    assertEquals([response.status, answer.success], [status, status === 200]);
    if (status === 413) assertEquals(answer.error.code, 11);
  }
});

hostile("an endless body is cut off with 413", async ({ url }) => {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const head = "POST /api/rest HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
  await connection.write(new TextEncoder().encode(head));
  const chunk = new TextEncoder().encode(`10000\r\n${" ".repeat(65_536)}\r\n`);
  let sent = 0;
  const sending = (async () => {
    for (; sent < 20 * MIB; sent += chunk.length) {
      for (let at = 0; at < chunk.length;) at += await connection.write(chunk.subarray(at));
    }
  })().catch(() => {});
  const answer = new Uint8Array(1024);
  const count = await connection.read(answer) ?? 0;
  assertStringIncludes(new TextDecoder().decode(answer.subarray(0, count)), "HTTP/1.1 413 ");
  await sending;
});

hostile("a body that is not UTF-8 is 400", async (service) => {
  for (const bytes of [[0xff], [0xc3, 0x28], [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]]) {
    const body = new Uint8Array(bytes);
    const response = await fetch(`${service.url}/api/rest`, { method: "POST", body });
    const { success, error } = await response.json();
    assertEquals([response.status, success, error.code], [400, false, 1]);
  }
});

hostile("a body with a byte order mark, or with a literal U+FFFD, is read", async (service) => {
  const envelope = JSON.stringify({ method: "get", path: "/\ufffd" });
  for (const body of [envelope, `\ufeff${envelope}`]) {
    const answer = await fetch(`${service.url}/api/rest`, { method: "POST", body });
    const { path } = await answer.json();
    assertEquals([answer.status, path], [200, "/\ufffd"]);
  }
});

hostile("a text frame that is not UTF-8 ends the connection", async (service) => {
  using socket = await openRaw(`${service.url}/api/ws`);
  await socket.send(opcodes.text, new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]));
  const code = await socket.closeCode();
  assert(code === undefined || code === 1007 || code === 1002, `closed with ${code}`);
});

hostile("binary frames are answered with code 1", async (service) => {
  const socket = await service.open();
  const request = new TextEncoder().encode('{"method":"get","path":"/"}');
  for (const data of [request, new Uint8Array(), new Uint8Array(100_000)]) {
    socket.socket.send(data);
    const { success, error } = await socket.next();
    assertEquals([success, error.code], [false, 1]);
  }
  assert((await socket.ask({ method: "get", path: "/general" })).success);
});

hostile("a binary frame of 10 MiB is refused, or closes with 1009", async (service) => {
  const socket = await service.open();
  socket.socket.send(new Uint8Array(10 * MIB));
  const outcome = await Promise.race([socket.closed, socket.next()]);
  assertEquals(outcome.error?.code ?? outcome, outcome.error ? 1 : 1009);
});

hostile("frames that break the protocol end the connection", async (service) => {
  for (
    const [opcode, payload] of [[0x3, "reserved"], [0xb, "reserved"], [opcodes.close, "x"], [
      0x0,
      "a continuation of nothing",
    ], [opcodes.ping, "x".repeat(200)]] as const
  ) {
    using socket = await openRaw(`${service.url}/api/ws`);
    assertEquals(socket.status, 101);
    await socket.send(opcode, payload);
    await socket.closeCode();
  }
});

hostile("a GET of /api/ws is 426, an unknown path 404, a wrong method 405", async ({ url }) => {
  const status = async (path: string, method = "GET") => {
    const response = await fetch(url + path, { method });
    const allow = response.headers.get("allow");
    const text = await response.text();
    if (method !== "HEAD") assertEquals(typeof JSON.parse(text).error.message, "string");
    return [response.status, allow];
  };
  for (const path of ["/api/ws", "/api/ws/"]) assertEquals(await status(path), [426, null]);
  const unknown = ["/", "/api", "/api/restaurant", "/api/ws/x", "/nowhere", "/../etc/passwd"];
  for (const path of [...unknown, "/api/%72est%00"]) {
    assertEquals(await status(path), [404, null], path);
  }
  for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
    assertEquals(await status("/api/rest/audio", method), [405, "GET, POST"], method);
  }
});

hostile("a path is compared as sent: no other spelling is an action", async ({ url }) => {
  const ask = async (target: string, host = "localhost") => {
    const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    return Number((await askAsText(url, head)).slice("HTTP/1.1 ".length, 12));
  };
  assertEquals(await ask("/action/getgloballabel?ObjectID=0"), 200);
  assertEquals(await ask("/api/rest/general", "LocalHost:80"), 200);
  for (
    const target of [
      "/api/rest/../../action/getgloballabel?ObjectID=0",
      "/api/rest/%2e%2e/%2E%2E/action/getgloballabel?ObjectID=0",
      "/./action/getgloballabel?ObjectID=0",
      "/api\\rest/general",
    ]
  ) assertEquals(await ask(target), 404, target);
  assertEquals(await ask("/api/rest/general", "a b"), 400);
});

hostile("a connection over the limit is 503, until another is closed", async (service) => {
  const open = () => openRaw(`${service.url}/api/ws`);
  {
    using one = await open();
    using two = await open();
    using third = await open();
    assertEquals([one.status, two.status, third.status], [101, 101, 503]);
    assertStringIncludes(third.head.toLowerCase(), "retry-after:");
  }
  const status = async () => {
    using socket = await open();
    return socket.status;
  };
  const end = performance.now() + 60_000;
  while (await status() !== 101) assert(performance.now() < end, "no connection is admitted yet");
}, { configuration: demoWith({ limits: { connections: 2 } }) });

hostile("after many concurrent upgrades at most limits.connections stay open", async (service) => {
  const get = JSON.stringify({ method: "get", path: "/general/_api_version" });
  const sockets = await Promise.all(
    Array.from({ length: 20 }, () => openRaw(`${service.url}/api/ws`)),
  );
  const opened = sockets.filter(({ status }) => status === 101);
  const answered = await Promise.all(opened.map(async ({ send, read }) => {
    await send(opcodes.text, get);
    return (await read())?.opcode === opcodes.text;
  }));
  assertEquals(answered.filter((was) => was).length, 3);
  assertEquals(service.closedWith, Array.from({ length: opened.length - 3 }, () => 1013));
  assert(sockets.every(({ status }) => status === 101 || status === 503));
  for (const socket of sockets) socket[Symbol.dispose]();
}, { configuration: demoWith({ limits: { connections: 3 } }) });

hostile("a message sent together with the handshake is answered", async ({ url }) => {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const get = new TextEncoder().encode('{"method":"get","path":"/audio/mixers/0/_name"}');
  const head = new TextEncoder().encode(handshake("127.0.0.1", "/api/ws"));
  await connection.write(new Uint8Array([...head, 0x81, 0x80 | get.length, 0, 0, 0, 0, ...get]));
  let answer = "";
  const chunk = new Uint8Array(1024);
  while (!answer.includes('"success"')) {
    const count = await connection.read(chunk);
    if (count === null) throw new Error(`the connection ended: ${answer}`);
    answer += new TextDecoder().decode(chunk.subarray(0, count));
  }
  assertStringIncludes(answer, '"payload":"On Air"');
});

hostile("a flood on one connection is answered in order, others meanwhile", async (service) => {
  const flood = await service.open();
  const other = await service.open();
  const COUNT = 2000;
  for (let msgID = 0; msgID < COUNT; msgID++) {
    flood.send({ msgID, method: "get", path: "/general/_api_version" });
  }
  assert((await other.ask({ method: "get", path: "/general/_api_version" })).success);
  for (let msgID = 0; msgID < COUNT; msgID++) assertEquals((await flood.next()).msgID, msgID);
});

Deno.test("requests that wait past 4 MiB close their connection with 1013; others are answered", async () => {
  const store = heldStore();
  await using service = await startService({ store, clock: stillClock() });
  const flood = await service.open();
  const other = await service.open();
  store.hold();
  const { state } = service.console;
  flood.send({ method: "set", path: "/audio/mixers/0/faders/0/on", payload: true });
  const long = "x".repeat(500_000);
  for (let at = 0; at < 10; at++) flood.send({ method: "get", path: "/general", long });
  // A client that is still sending may not read the code.
  await flood.closed;
  assertEquals(service.closedWith, [1013]);
  assert((await other.ask({ method: "get", path: "/general" })).success);
  assert(service.console.state === state);
  store.store();
  await until(() => service.console.state !== state);
});

Deno.test("endless waiting empty frames close their connection with 1013", async () => {
  const store = heldStore();
  await using service = await startService({ store, clock: stillClock() });
  const flood = await service.open();
  store.hold();
  const { state } = service.console;
  flood.send({ method: "set", path: "/audio/mixers/0/faders/0/on", payload: true });
  for (let at = 0; at < 20_000; at++) {
    flood.send("");
    flood.socket.send(new Uint8Array());
  }
  await until(() => flood.socket.readyState === WebSocket.CLOSED);
  // A client that is slow to read earlier answers is cut off without the code.
  assertEquals(service.closedWith, [1013]);
  store.store();
  await until(() => service.console.state !== state);
});

hostile("messages after a too long message are not carried out", async (service) => {
  using socket = await openRaw(`${service.url}/api/ws`);
  const set = { method: "set", path: "/audio/mixers/0/faders/0/on", payload: true };
  const sending = socket.send(opcodes.text, "x".repeat(2 * 1024 * 1024))
    .then(() => socket.send(opcodes.text, JSON.stringify(set))).catch(() => {});
  assertEquals(await socket.closeCode(), 1009);
  await sending;
});

hostile(
  "messages after the limit of unread bytes was exceeded are not carried out",
  async (service) => {
    using socket = await openRaw(`${service.url}/api/ws`);
    const get = JSON.stringify({ method: "get", path: "/" });
    const set = { method: "set", path: "/audio/mixers/0/faders/0/on", payload: true };
    const sending = (async () => {
      for (let at = 0; at < 300; at++) await socket.send(opcodes.text, get);
      await socket.send(opcodes.text, JSON.stringify(set));
    })().catch(() => {});
    await sending;
    await until(() => service.closedWith.length > 0);
    assert((await service.post({ method: "get", path: "/general" })).success);
    assertEquals(await socket.closeCode(), 1013);
  },
);

hostile("an upgrade without a valid handshake is 400, naming its fault", async ({ url }) => {
  const status = async (headers: Readonly<Record<string, string | undefined>>) => {
    const { hostname, port } = new URL(url);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const request = handshake("localhost", "/api/ws", headers);
    await connection.write(new TextEncoder().encode(request));
    const answer = new Uint8Array(2048);
    const count = await connection.read(answer) ?? 0;
    const [head, body] = new TextDecoder().decode(answer.subarray(0, count)).split("\r\n\r\n");
    const code = Number(head!.split(" ")[1]);
    return [code, code === 400 ? JSON.parse(body!).error.message : undefined];
  };
  const key = "Sec-WebSocket-Key: expected 16 bytes as base64, it is missing";
  for (
    const [headers, message] of [
      [{ connection: undefined }, 'Connection: expected "Upgrade", got ""'],
      [{ connection: "keep-alive" }, 'Connection: expected "Upgrade", got "keep-alive"'],
      [{ "sec-websocket-version": undefined }, 'Sec-WebSocket-Version: expected 13, got ""'],
      [{ "sec-websocket-version": "8" }, 'Sec-WebSocket-Version: expected 13, got "8"'],
      [{ "sec-websocket-key": undefined }, key],
    ] as const
  ) assertEquals(await status(headers), [400, message]);
  for (const headers of [{}, { connection: "keep-alive, upgrade" }]) {
    assertEquals(await status(headers), [101, undefined]);
  }
});

hostile("connections that end at any moment do no harm", async (service) => {
  for (const text of ["{", '{"method":"get","path":"/"}', '{"method":"subscribe","path":"/"}']) {
    for (let at = 0; at < 5; at++) {
      const socket = await openRaw(`${service.url}/api/ws`);
      for (let count = 0; count < at * 10; count++) await socket.send(opcodes.text, text);
      socket[Symbol.dispose]();
    }
  }
});
