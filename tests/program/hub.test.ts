import { assertEquals, assertMatch } from "@std/assert";
import { type Client, connect } from "../../client/client.ts";
import { faderd, startFaderd, temporaryFolder } from "./faderd.ts";
import { done, type RunningHub, startEnrolled, startHub } from "./hub-process.ts";

const FADER = "/audio/mixers/0/faders/0/fader";

/** Asks for a value until it is as it should be. */
async function until<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean) {
  while (true) {
    const value = await read();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the state of a console at a hub. */
async function stateOf({ url, token }: RunningHub, id: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(`${url}/api/rest/consoles/${id}/_state`, { headers });
    return response.ok ? await response.json() : (await response.body?.cancel(), undefined);
  } catch {
    return undefined;
  }
}

const live = (hub: RunningHub, id: string) =>
  until(() => stateOf(hub, id), (state) => state === "live");

async function clientOf({ url, token }: RunningHub, id: string, as = token): Promise<Client> {
  const client = connect(`${url.replace("http", "ws")}/consoles/${id}/api/ws`, { token: as });
  await client.ready();
  return client;
}

Deno.test("a console is enrolled, approved and operated by the typed client through a hub", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using console = running;
  await live(hub, id);
  const client = await clientOf(hub, id);
  const heard = Promise.withResolvers<unknown>();
  const look = (value: unknown) => value === -12 ? heard.resolve(value) : undefined;
  await client.subscribe(FADER, { whole: look, change: look, ended: heard.reject });
  await client.set(FADER, -12);
  await heard.promise;
  assertEquals(await client.get(FADER), -12);
  await client.close();

  const direct = await fetch(`${console.url}/api/rest${FADER}`);
  assertEquals(await direct.json(), -12);
  const trail = () => Deno.readTextFile(`${folder.path}/console/audit.log`).catch(() => "");
  await until(trail, (text) => /"user":"fleet:admin".*"what":"set"/.test(text));

  // Over HTTP: a value, a large one, and actions.
  const headers = { authorization: `Bearer ${hub.token}` };
  const at = `${hub.url}/consoles/${id}`;
  const value = await fetch(`${at}/api/rest${FADER}`, { headers });
  assertEquals(await value.json(), -12);
  const tree = await fetch(`${at}/api/rest/audio`, { headers });
  const same = await fetch(`${console.url}/api/rest/audio`);
  // Meters move meanwhile.
  const members = (text: string) => text.match(/"[^"]+":/g);
  assertEquals(members(await tree.text()), members(await same.text()));
  const action = await fetch(`${at}/action/setgloballabel?ObjectID=1&Name=News`, { headers });
  assertEquals(action.status, 200);
  await action.body?.cancel();
  const backup = await fetch(`${at}/action/backup?Tags=ALL`, { headers });
  // The console's fleet.may is "operate", whatever the hub says.
  assertMatch(await backup.text(), /admin/);
  const nobody = await fetch(`${at}/api/rest${FADER}`);
  assertEquals(nobody.status, 401);
  await nobody.body?.cancel();
  const elsewhere = await fetch(`${hub.url}/consoles/${"f".repeat(32)}/api/rest`, { headers });
  assertEquals(elsewhere.status, 404);
  await elsewhere.body?.cancel();

  hub.kill("SIGTERM");
  assertEquals((await hub.ended()).code, 0);
});

Deno.test("a hub and a console that are killed find each other again, and the picture is right", async () => {
  await using folder = await temporaryFolder();
  let hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  let console = running;
  try {
    await live(hub, id);
    console.kill("SIGKILL");
    await until(() => stateOf(hub, id), (state) => state === "stale");
    await until(() => stateOf(hub, id), (state) => state === "gone");
    console = await startFaderd("--data", `${folder.path}/console`);
    await live(hub, id);

    hub.kill("SIGKILL");
    await hub.ended();
    hub = await startHub(`${folder.path}/hub`, "--listen", new URL(hub.url).host);
    await live(hub, id);
    const client = await clientOf(hub, id);
    await client.set(FADER, -3);
    assertEquals(await client.get(FADER), -3);
    await client.close();
  } finally {
    await console[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
  }
});

Deno.test("a console that is frozen is stale, and live again when it goes on", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using console = running;
  await live(hub, id);
  console.kill("SIGSTOP");
  try {
    await until(() => stateOf(hub, id), (state) => state === "stale");
    const headers = { authorization: `Bearer ${hub.token}` };
    const refused = await fetch(`${hub.url}/consoles/${id}/api/rest${FADER}`, { headers });
    assertEquals(refused.status, 503);
    assertMatch((await refused.json()).error.message, /stale since 20/);
  } finally {
    console.kill("SIGCONT");
  }
  await live(hub, id);
});

Deno.test("a hub that is frozen for a while has the right picture when it goes on", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using console = running;
  await live(hub, id);
  hub.kill("SIGSTOP");
  // The console notices, and has another fader by then.
  await until(
    () => Promise.resolve(console.stderr),
    (said) => /fleet: .*(lost|unreachable|silent|does not)/.test(said),
  );
  hub.kill("SIGCONT");
  const body = JSON.stringify({ method: "set", path: FADER, payload: -7, token: hub.token });
  const set = async () => {
    const answer = await fetch(`${hub.url}/consoles/${id}/api/rest`, { method: "POST", body });
    return (await answer.json()).success === true;
  };
  await until(set, (isSet) => isSet);
  assertEquals(await stateOf(hub, id), "live");
});

Deno.test("a user of the fleet who is removed has no connection to any console any more", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const { id, running } = await startEnrolled(hub, `${folder.path}/console`);
  await using _console = running;
  await live(hub, id);
  const at = ["--url", hub.url, "--token", hub.token];
  const added = await done("fleet", "user", "add", "ben", "--may", "view", ...at);
  const token = /[0-9a-f]{8}(-[0-9a-f]{8}){3}/.exec(added)![0];
  const client = await clientOf(hub, id, token);
  await client.get(FADER);
  const refused = await client.set(FADER, -1).catch((fault) => fault.code);
  assertEquals(refused, 5, "the right of the fleet user counts on the console");
  const ended = Promise.withResolvers<void>();
  client.onState(({ state }) => state === "refused" ? ended.resolve() : undefined);
  await done("fleet", "user", "remove", "ben", ...at);
  await ended.promise;
  await client.close();
});

Deno.test("a hub says what is wrong with its configuration, and with where it is to listen", async () => {
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
