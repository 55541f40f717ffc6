import { assertEquals, assertMatch } from "@std/assert";
import { MESSAGE_BYTES, WAITING_BYTES } from "../../../fleet/hub/hub-limits.ts";
import { createHubMetrics } from "../../../fleet/hub/hub-metrics.ts";
import { LedgerError } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { UPLINK_PATHS } from "../../../fleet/wire.ts";
import type { MemoryQuota } from "../../../transport/memory-quota.ts";
import { ample } from "../../budgets.ts";
import { until } from "../../service.ts";
import { ask, askAsText, statusOf } from "../../transport/requests.ts";
import { listeningHub } from "../listening-hub.ts";
import { expectDone } from "../open-hub.ts";

const ID = "a".repeat(32);
const PROCESS = {
  version: "1.2.3",
  startedAt: () => 1,
  cpuSeconds: () => 1.5,
  connections: () => 0,
  residentBytes: () => 1,
  certificateExpiry: () => 1_900_000_000,
};
const WRONG = "00000000-00000000-00000000-00000000";

/** Deno's WebSocket takes headers, which the types of browsers do not have. */
const Dialled = WebSocket as unknown as new (url: string, options: object) => WebSocket;

/** Dials, and waits for the handshake or the end. */
function dialled(url: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new Dialled(url, { headers });
  const frames: string[] = [];
  const closed = Promise.withResolvers<number>();
  const opened = Promise.withResolvers<boolean>();
  socket.onopen = () => opened.resolve(true);
  socket.onerror = (event) => event.preventDefault();
  socket.onmessage = ({ data }) => void frames.push(data);
  socket.onclose = ({ code }) => {
    opened.resolve(false);
    closed.resolve(code);
  };
  return { socket, frames, closed: closed.promise, opened: opened.promise };
}

function enrolment(code: string, more: object = {}): RequestInit {
  const body = { code, console: ID, name: "Studio 1", site: "berlin", ...more };
  return { method: "POST", body: JSON.stringify(body) };
}

Deno.test("a console is enrolled over HTTP, welcomed on its control socket, and shown after its birth", async () => {
  await using served = await listeningHub();
  const { hub, admin, url, socketUrl, state } = served;
  const { code } = expectDone(await hub.makeCode(admin));
  const enrolled = await ask(`${url}${UPLINK_PATHS.enrol}`, enrolment(code));
  assertEquals(enrolled.status, 200);
  const { token, organisation } = JSON.parse(enrolled.text);
  assertEquals(organisation, "Radio");
  await hub.approve(ID, admin);
  const { socket, frames, opened, closed } = dialled(`${socketUrl}${UPLINK_PATHS.control}`, token);
  assertEquals(await opened, true);
  await until(() => frames.length > 0);
  assertEquals(JSON.parse(frames[0]!).type, "welcome");
  socket.send(JSON.stringify({
    type: "birth",
    console: ID,
    boot: "b",
    epoch: 1,
    seq: 0,
    t: 1,
    summary: { name: "Studio 1", site: "", may: "view", version: "", tree: {}, alarms: [] },
    digests: {},
  }));
  await until(() => state(ID) === "live");
  socket.send("nonsense");
  assertEquals(await closed, 4400);
  const again = dialled(`${socketUrl}${UPLINK_PATHS.control}`, token);
  assertEquals(await again.opened, false, "it is not listened to for a while");
});

Deno.test("a wrong code, a used code and an invalid request enrol no console", async () => {
  await using served = await listeningHub();
  const { hub, admin, url } = served;
  const at = `${url}${UPLINK_PATHS.enrol}`;
  const { code } = expectDone(await hub.makeCode(admin));
  assertEquals(await statusOf(at), 405);
  assertEquals(await statusOf(at, { method: "POST", body: "{" }), 400);
  assertEquals(await statusOf(at, { method: "POST", body: "x".repeat(5000) }), 400);
  assertEquals(await statusOf(at, enrolment(code, { console: "../../etc" })), 400);
  assertEquals(await statusOf(at, enrolment(code, { name: "x".repeat(1000) })), 400);
  assertEquals(await statusOf(at, enrolment("AAAA-AAAA-AAAA")), 401);
  assertEquals(await statusOf(at, enrolment(code)), 200);
  assertEquals(await statusOf(at, enrolment(code, { console: "b".repeat(32) })), 401);
  const { code: other } = expectDone(await hub.makeCode(admin));
  assertEquals(await statusOf(at, enrolment(other)), 409);
});

Deno.test("a control socket with a wrong token is closed with 4401, and a socket with a wrong ticket is not opened", async () => {
  await using served = await listeningHub();
  const { socketUrl, token } = served;
  for (const wrong of [WRONG, token, undefined]) {
    assertEquals(await dialled(`${socketUrl}${UPLINK_PATHS.control}`, wrong).closed, 4401);
  }
  for (const ticket of ["", "x", "f".repeat(32)]) {
    assertEquals(await dialled(`${socketUrl}${UPLINK_PATHS.ticket}${ticket}`).opened, false);
  }
});

Deno.test("the device view of a console is the hub's own copy, below the path of the console", async () => {
  const gzip = new Uint8Array(
    await new Response(new Blob(["<p>"]).stream().pipeThrough(new CompressionStream("gzip")))
      .arrayBuffer(),
  );
  const file = { type: "text/html", version: "1", isImmutable: false, gzip };
  await using served = await listeningHub({}, { view: new Map([["/", file]]) });
  const { url } = served;
  assertEquals((await ask(`${url}/consoles/${ID}/`)).text, "<p>");
  const bare = await fetch(`${url}/consoles/${ID}`, { redirect: "manual" });
  assertEquals([bare.status, bare.headers.get("location")], [308, `${ID}/`]);
  await bare.body?.cancel();
  for (const path of ["/consoles/", "/consoles/x/", `/consoles/${ID}/etc`, "/nowhere"]) {
    assertEquals(await statusOf(`${url}${path}`), 404, path);
  }
  assertEquals(await statusOf(`${url}/health`), 200);
});

Deno.test("a page of another origin reaches no console through a browser", async () => {
  await using served = await listeningHub({ anonymous: "console" });
  const { url, socketUrl, live } = served;
  const console = await live();
  const headers = { origin: "http://evil.example", "sec-fetch-site": "cross-site" };
  const at = `${url}/consoles/${console.id}`;
  assertEquals(await statusOf(`${at}/api/rest/general`, { headers }), 403);
  const socket = new Dialled(`${socketUrl}/consoles/${console.id}/api/ws`, { headers });
  socket.onerror = (event) => event.preventDefault();
  await new Promise((resolve) => socket.onclose = resolve);
  assertEquals(console.frames("open"), []);
});

Deno.test("with anonymous console a page whose own host name leads to the hub (DNS rebinding) reaches no console", async () => {
  for (const anonymous of ["console", "none"] as const) {
    await using served = await listeningHub({ anonymous }, { hosts: ["hub.example"] });
    const { port, live } = served;
    const console = await live();
    const statusAs = async (host: string) => {
      const text = `GET /consoles/${console.id}/api/ws HTTP/1.1\r\nHost: ${host}\r\n` +
        "Connection: close\r\n\r\n";
      return (await askAsText(`http://127.0.0.1:${port}`, text)).split(" ")[1];
    };
    assertEquals(await statusAs("evil.example"), anonymous === "console" ? "421" : "426");
    assertEquals(await statusAs("hub.example"), "426");
    assertEquals(await statusAs("127.0.0.1"), "426");
  }
});

Deno.test("a token of the fleet in the body, the query or the header stays at the hub", async () => {
  await using served = await listeningHub({ anonymous: "console" });
  const { url, token, live } = served;
  const console = await live();
  const at = `${url}/consoles/${console.id}`;
  const form = new FormData();
  form.append("ObjectID", "3");
  form.append("Token", "");
  form.append("Token", token);
  form.append("file", new Blob([new Uint8Array([255, 0, 13, 10])]), "a.png");
  const answers = [
    fetch(`${at}/api/rest/general?%74oken=${token}&depth=1&set=%ff`),
    fetch(`${at}/api/rest/general?token=&token=${token}`),
    fetch(`${at}/api/rest/general`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${at}/api/rest`, { method: "POST", body: `{"method":"get","token":"${token}"}` }),
    fetch(`${at}/action/setgloballabel`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `Token=&Token=${token}&Name=A`,
    }),
    fetch(`${at}/action/updatepic`, { method: "POST", body: form }),
  ];
  await until(() => console.frames("open").length === answers.length);
  const seen: string[] = [];
  for (const frame of console.frames("open")) {
    assertEquals(frame.as, { name: "anna", may: "admin" });
    const listener = served.hub.tickets.take(frame.ticket)!({
      send: (text) => {
        seen.push(text);
        if (text !== "end") return;
        listener.receive('{"status":204,"headers":[]}');
        listener.receive("end");
      },
      sendBytes: (bytes) => {
        seen.push(new TextDecoder().decode(bytes));
        listener.receive("taken");
      },
      close() {},
      bufferedAmount: 0,
    });
  }
  for (const answer of answers) assertEquals((await answer).status, 204);
  assertEquals(seen.join().includes(token), false);
  assertMatch(seen.join(), /\/api\/rest\/general\?depth=1&set=%ff/);
  assertMatch(seen.join(), /Name=A/);
  assertMatch(seen.join(), /name="ObjectID"\r\n\r\n3\r\n[^]*filename="a.png"/);
});

Deno.test("a message of many values is parsed only for a user, and its bytes count for the quota until the answer", async () => {
  const left: number[] = [];
  const bodies: MemoryQuota = ({ held }) => ({
    grew() {},
    settle() {},
    leave: () => void left.push(held()),
  });
  const budget = { ...ample, bodies };
  await using served = await listeningHub({ anonymous: "console" }, { budget });
  const { url, token, live, hub } = served;
  const console = await live();
  const zeros = new Array(50_000).fill(0);
  const post = (token: string) =>
    fetch(`${url}/consoles/${console.id}/api/rest`, {
      method: "POST",
      // A message is still a message if it has the members of a refusal.
      body: JSON.stringify({
        method: "set",
        path: "/a",
        token,
        payload: zeros,
        code: 1,
        message: 1,
      }),
    });
  const refused = await post(WRONG);
  assertMatch((await refused.json()).error.message, /more than 25000 values/);
  assertEquals([refused.status, console.frames("open").length, left.length], [400, 0, 1]);
  const form = {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "a&".repeat(100),
  };
  assertEquals(await statusOf(`${url}/consoles/${console.id}/action/login`, form), 400);
  const answer = post(token);
  await until(() => console.frames("open").length === 1);
  const listener = hub.tickets.take(console.frames("open")[0].ticket)!({
    send(text) {
      if (text !== "end") return;
      assertEquals(left.length, 1);
      listener.receive('{"status":204,"headers":[]}');
      listener.receive("end");
    },
    sendBytes: () => listener.receive("taken"),
    close() {},
    bufferedAmount: 0,
  });
  assertEquals([(await answer).status, left.length], [204, 2]);
});

Deno.test("a client that stops reading takes at most its quota of the hub's memory, and another client is answered meanwhile", async () => {
  await using served = await listeningHub();
  const { port, token, live, hub } = served;
  const console = await live();
  // This client does not read its socket.
  using client = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = `GET /consoles/${console.id}/api/ws?token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
  await client.write(new TextEncoder().encode(head));
  // A text frame "{}", with a mask of zeros.
  await client.write(new Uint8Array([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]));
  await until(() => console.frames("open").length === 1);
  let closedWith: number | undefined;
  const { ticket } = console.frames("open")[0];
  const session = hub.tickets.take(ticket)!({
    send() {},
    close: (code) => void (closedWith = code),
    bufferedAmount: 0,
  });
  const answer = JSON.stringify({ method: "get", payload: "x".repeat(64 * 1024), success: true });
  let sent = 0;
  let answered: number | undefined;
  await until(async () => {
    session.receive(answer);
    sent += answer.length;
    if (sent > WAITING_BYTES && answered === undefined) {
      const other = await fetch(`${served.url}/health`);
      await other.body?.cancel();
      assertEquals(closedWith, undefined);
      answered = other.status;
    }
    return closedWith !== undefined;
  });
  assertEquals(answered, 200);
  assertEquals(closedWith, 1000);
  // The buffers of the kernel for a loopback connection hold a few MB.
  assertEquals(sent < MESSAGE_BYTES, true, `${sent} bytes`);
});

Deno.test("the metrics of a hub need a right for all consoles, and its health needs no token", async () => {
  const ledger = await openMemoryLedger();
  let isFull = false;
  const full = () => Promise.reject(new LedgerError("unavailable", "no space left"));
  let metrics = () => "";
  await using listening = await listeningHub({
    ledger: {
      ...ledger,
      put: (...given) => isFull ? full() : ledger.put(...given),
      append: (entry) => isFull ? full() : ledger.append(entry),
    },
    onFault() {},
  }, { metrics: () => metrics() });
  metrics = createHubMetrics(listening.hub, PROCESS);
  const { url, admin, token } = listening;
  const rights = [{ site: "berlin", may: "view" as const }];
  const ben = expectDone(await listening.hub.addUser({ name: "ben", rights }, admin));
  await listening.live();
  const read = (path: string, token?: string) =>
    fetch(url + path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  const statuses = [await read("/metrics"), await read("/metrics", ben.token)];
  assertEquals(statuses.map(({ status }) => status), [401, 403]);
  for (const answer of statuses) await answer.body?.cancel();
  const text = await (await read("/metrics", token)).text();
  for (
    const line of [
      'faderd_build_info{version="1.2.3"} 1',
      "faderd_cpu_seconds_total 1.5",
      'faderd_fleet_consoles{state="live"} 1',
      'faderd_fleet_consoles{state="gone"} 0',
      "faderd_fleet_uplinks 1",
      "faderd_fleet_frames_total 1",
      'faderd_fleet_commands_total{outcome="done"} 0',
      "faderd_fleet_stored 1",
      "faderd_certificate_expiry_seconds 1900000000",
    ]
  ) assertEquals(text.split("\n").includes(line), true, line);
  const rules = new URL("../../../tools/packaging/prometheus/faderd.rules.yml", import.meta.url);
  for (const [name] of (await Deno.readTextFile(rules)).matchAll(/faderd_fleet_[a-z_]+/g)) {
    assertEquals(text.includes(`# TYPE ${name} `), true, name);
  }
  assertEquals(await (await read("/health")).json(), { live: true, ready: true, ledger: "ok" });
  isFull = true;
  await listening.hub.addUser({ name: "carl", may: "view" }, admin);
  assertEquals((await (await read("/health")).json()).ledger, "failed");
});
