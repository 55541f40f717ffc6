import { assertEquals, assertMatch } from "@std/assert";
import { connect } from "../../client/client.ts";
import { until } from "../service.ts";
import { faderd, temporaryFolder } from "./faderd.ts";
import {
  connectThrough,
  enrol,
  idOf,
  type RunningHub,
  startConsole,
  startHub,
  untilState,
} from "./hub-process.ts";

const FADER = "/audio/mixers/0/faders/0/fader";

/** Starts an enrolled and approved console, and waits until the hub shows it as live. */
async function startEnrolled(hub: RunningHub, data: string) {
  await Deno.mkdir(data);
  const made = await enrol(hub, data);
  if (made.code !== 0) throw new Error(made.stderr);
  const id = await idOf(data);
  await hub.fleet("approve", id);
  const running = await startConsole(data);
  await untilState(hub, id, "live");
  return { id, running };
}

Deno.test("a console answers HTTP through its hub as it does directly, up to the right of its fleet.may", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using device = running;
  const client = connectThrough(hub, id);
  await client.ready();
  await client.set(FADER, -12);
  await client.close();
  const headers = { authorization: `Bearer ${hub.token}` };
  const at = `${hub.url}/consoles/${id}`;
  const value = await fetch(`${at}/api/rest${FADER}`, { headers });
  assertEquals(await value.json(), -12);
  const tree = await fetch(`${at}/api/rest/audio`, { headers });
  const same = await fetch(`${device.url}/api/rest/audio`);
  // Meters move meanwhile.
  const members = (text: string) => text.match(/"[^"]+":/g);
  assertEquals(members(await tree.text()), members(await same.text()));
  const action = await fetch(`${at}/action/setgloballabel?ObjectID=1&Name=News`, { headers });
  assertEquals(action.status, 200);
  await action.body?.cancel();
  const backup = await fetch(`${at}/action/backup?Tags=ALL`, { headers });
  // The console's fleet.may is "operate", also for an admin of the fleet.
  assertMatch(await backup.text(), /admin/);
  const nobody = await fetch(`${at}/api/rest${FADER}`);
  assertEquals(nobody.status, 401);
  await nobody.body?.cancel();
  const elsewhere = await fetch(`${hub.url}/consoles/${"f".repeat(32)}/api/rest`, { headers });
  assertEquals(elsewhere.status, 404);
  await elsewhere.body?.cancel();

  hub.kill("SIGTERM");
  await hub.ended;
});

Deno.test("a frozen console is stale, and live again when it goes on", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using device = running;
  device.kill("SIGSTOP");
  try {
    await untilState(hub, id, "stale");
    const headers = { authorization: `Bearer ${hub.token}` };
    const refused = await fetch(`${hub.url}/consoles/${id}/api/rest${FADER}`, { headers });
    assertEquals(refused.status, 503);
    assertMatch((await refused.json()).error.message, /stale since 20/);
  } finally {
    device.kill("SIGCONT");
  }
  await untilState(hub, id, "live");
});

Deno.test("a hub that was frozen has the right picture when it goes on", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using device = running;
  hub.kill("SIGSTOP");
  // The console notices it, and its fader has another level by then.
  await until(() => /fleet: .*(lost|unreachable|silent|does not)/.test(device.stderr));
  hub.kill("SIGCONT");
  const body = JSON.stringify({ method: "set", path: FADER, payload: -7, token: hub.token });
  const set = async () => {
    const answer = await fetch(`${hub.url}/consoles/${id}/api/rest`, { method: "POST", body });
    return (await answer.json()).success === true;
  };
  await until(set);
  await untilState(hub, id, "live");
});

Deno.test("a removed user of the fleet is disconnected from all consoles", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using _console = running;
  const added = await hub.fleet("user", "add", "ben", "--may", "view");
  const token = /[0-9a-f]{8}(-[0-9a-f]{8}){3}/.exec(added.stdout)![0];
  const url = `${hub.url.replace("http", "ws")}/consoles/${id}/api/ws`;
  const client = connect(url, { token });
  await client.ready();
  await client.get(FADER);
  const refused = await client.set(FADER, -1).catch((fault) => fault.code);
  assertEquals(refused, 5, "the right of the fleet user counts on the console");
  const ended = Promise.withResolvers<void>();
  client.onState(({ state }) => state === "refused" ? ended.resolve() : undefined);
  await hub.fleet("user", "remove", "ben");
  await ended.promise;
  await client.close();
});

Deno.test("a hub that stops closes its clients with a code, and keeps its enrolled consoles, also after a kill", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/hub`;
  await using hub = await startHub(data);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using _console = running;
  const socket = new WebSocket(`${hub.url.replace("http", "ws")}/consoles/${id}/api/ws`);
  const closed = new Promise<number>((resolve) => socket.onclose = ({ code }) => resolve(code));
  const answered = new Promise((resolve) => socket.onmessage = resolve);
  socket.onopen = () => socket.send(JSON.stringify({ method: "auth", token: hub.token }));
  await answered;
  hub.kill("SIGTERM");
  assertEquals(await closed, 1001);
  await hub.ended;

  await using again = await startHub(data);
  const added = await again.fleet("user", "add", "ben");
  const token = /[0-9a-f]{8}(-[0-9a-f]{8}){3}/.exec(added.stdout)![0];
  again.kill("SIGKILL");
  await again.ended;
  await using third = await startHub(data);
  const headers = { authorization: `Bearer ${token}` };
  const known = await fetch(`${third.url}/api/rest/consoles/${id}/_id`, { headers });
  assertEquals(await known.json(), id);
});

Deno.test("a hub prints the faults of its configuration and of its addresses", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/hub.json`;
  await Deno.writeTextFile(config, '{"ledger":{"kind":"paper"},"staleAfter":1,"unknown":1}');
  const data = `${folder.path}/data`;
  const wrong = await faderd("hub", "--config", config, "--data", data);
  assertEquals(wrong.code, 1);
  for (const member of ["ledger.kind", "staleAfter", "unknown"]) {
    assertEquals(wrong.stderr.includes(member), true, wrong.stderr);
  }
  const bare = await faderd("hub", "--listen-tls", "127.0.0.1:0", "--data", data);
  assertMatch(bare.stderr, /--listen-tls needs a certificate/);
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const busy = await faderd("hub", "--listen", `127.0.0.1:${port}`, "--data", data);
  assertMatch(busy.stderr, /cannot listen/);
  assertEquals(await Deno.stat(data).then(() => true, () => false), false);
});
