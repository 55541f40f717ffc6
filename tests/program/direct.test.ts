/** A direct console: the hub dials it, and its configuration has no fleet. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startService, tokens } from "../service.ts";
import { faderd, temporaryFolder } from "./faderd.ts";
import { connectThrough, enrol, idOf, listed, startHub, untilState } from "./hub-process.ts";

Deno.test("a direct console is listed with the other consoles, and operated through the hub", async () => {
  await using folder = await temporaryFolder();
  await using service = await startService();
  const config = `${folder.path}/hub.json`;
  const url = `${service.url.replace("http", "ws")}/api/ws`;
  const direct = [{ name: "van", site: "Berlin", url, token: tokens.one }];
  await Deno.writeTextFile(config, JSON.stringify({ organisation: "Radio", direct }));
  await using hub = await startHub(`${folder.path}/hub`, "--config", config);
  const { id } = (await listed(hub))[0]!;
  await untilState(hub, id, "live");
  const [van] = await listed(hub);
  assertEquals([van!.name, van!.site], ["van", "Berlin"]);

  const label = ["--set", "/audio/mixers/0/faders/0/label=Host"];
  const preview = await hub.fleet("do", "--all", ...label, "--preview");
  assertMatch(
    preview.stdout,
    /^van\tsite Berlin\tno preview: the hub asks this console as a client/,
  );
  assertMatch(preview.stderr, /1 of 1 consoles have no preview/);

  await using client = connectThrough(hub, id);
  await client.ready();
  await client.set("/audio/mixers/0/faders/0/fader", -12);
  assertEquals((await client.rpc("getuser", {})).name, "one");
  const headers = { authorization: `Bearer ${hub.token}` };
  const rest = `${hub.url}/consoles/${id}/api/rest/audio/mixers/0/faders/0/fader`;
  assertEquals(await (await fetch(rest, { headers })).json(), -12);
  const body = JSON.stringify({ method: "set", payload: -20 });
  const ofHub = `${hub.url}/api/rest/consoles/${id}/audio/mixers/0/faders/0/fader`;
  const set = await fetch(ofHub, { method: "POST", headers, body });
  assertEquals((await set.json()).payload, -20);

  const viewer = (await hub.fleet("user", "add", "vera", "--may", "view")).stdout.trim();
  const refused = await fetch(ofHub, {
    method: "POST",
    headers: { authorization: `Bearer ${viewer}` },
    body,
  });
  assertMatch((await refused.json()).error.message, /right to operate, which user vera/);

  const ops = (await hub.fleet("user", "add", "ops", "--may", "admin")).stdout.trim();
  const opened = `${hub.url.replace("http", "ws")}/consoles/${id}/api/ws?token=${ops}`;
  const ofOps = new WebSocket(opened);
  const [heard, revoked] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  ofOps.onopen = () => ofOps.send(JSON.stringify({ method: "get", path: "/general" }));
  ofOps.onmessage = heard.resolve;
  ofOps.onclose = revoked.resolve;
  await heard.promise;
  await hub.fleet("user", "remove", "ops");
  await revoked.promise;

  await service[Symbol.asyncDispose]();
  await untilState(hub, id, "gone");
  const late = await fetch(ofHub, { method: "POST", headers, body });
  assertMatch((await late.json()).error.message, /is gone since .*: nothing was sent/);
  const closed = Promise.withResolvers<CloseEvent>();
  const path = `/consoles/${id}/api/ws?token=${hub.token}`;
  const socket = new WebSocket(`${hub.url.replace("http", "ws")}${path}`);
  socket.onopen = () => socket.send(JSON.stringify({ method: "get", path: "/general" }));
  socket.onclose = closed.resolve;
  const { code, reason } = await closed.promise;
  assertEquals(code, 4503);
  assertMatch(reason, /"van" is gone since/);
});

Deno.test("a hub does not start with two direct consoles of one id, or with one that is enrolled", async () => {
  await using folder = await temporaryFolder();
  const [config, data, desk] = ["hub.json", "hub", "desk"].map((name) => `${folder.path}/${name}`);
  /** Starts a hub that ends at once, with these ids at two addresses; returns what it prints. */
  async function refused(ids: readonly (string | undefined)[], hosts: readonly string[]) {
    const direct = ids.map((id, at) => ({ id, url: `ws://${hosts[at]}/api/ws`, token: "x" }));
    await Deno.writeTextFile(config!, JSON.stringify({ direct }));
    const { code, stderr } = await faderd(
      ...["hub", "--config", config!, "--data", data!, "--listen", "127.0.0.1:0"],
    );
    assertEquals(code, 1, stderr);
    return stderr;
  }
  const hosts = ["127.0.0.1:1", "127.0.0.1:2"];
  const one = "a".repeat(32);
  const twice = await refused([one, one], hosts);
  assertStringIncludes(twice, `direct.1.id: "${one}" is already the id of direct.0`);
  const derived = await refused([undefined, undefined], [hosts[0]!, hosts[0]!]);
  assertMatch(derived, /direct\.1\.id: "[0-9a-f]{32}" is already the id of direct\.0/);

  await Deno.mkdir(desk!);
  await using hub = await startHub(data!);
  await enrol(hub, desk!);
  hub.kill("SIGTERM");
  await hub.ended;
  const enrolled = await idOf(desk!);
  assertStringIncludes(
    await refused([one, enrolled], hosts),
    `direct.1.id: console ${enrolled} is enrolled: remove it from the fleet, or from direct`,
  );
});
