/** A console and its hub as processes of their own: enrolment, sessions, and kills of either. */
import { assertEquals, assertMatch } from "@std/assert";
import { until } from "../service.ts";
import { faderd, FLAGS, startFaderd, temporaryFolder } from "./faderd.ts";
import {
  connectThrough,
  enrol,
  idOf,
  listed,
  startConsole,
  startHub,
  untilState,
} from "./hub-process.ts";

const certificates = new URL("./certificates/", import.meta.url).pathname;

Deno.test("a console is enrolled, approved, and operated through its hub as a fleet user", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  await using hub = await startHub(`${folder.path}/hub`);
  await using desk = await startConsole(data);
  const said = await enrol(hub, data, "--site", "berlin");
  assertEquals([said.code, said.stderr], [0, ""]);
  assertMatch(said.stdout, /^demo is enrolled in fleet as [0-9a-f]{32}\n/);
  assertEquals((await Deno.stat(`${data}/fleet.json`)).mode! & 0o777, 0o600);
  desk.kill("SIGHUP");
  await until(() => desk.stderr.includes("somebody has to approve this console"));
  const id = await idOf(data);
  assertEquals((await listed(hub)).map(({ id, name, site, state }) => [id, name, site, state]), [
    [id, "demo", "berlin", "quarantined"],
  ]);
  assertEquals((await hub.fleet("approve", id)).code, 0);
  await untilState(hub, id, "live");
  await using client = connectThrough(hub, id);
  await client.ready();
  await client.set("/audio/mixers/0/faders/0/fader", -12);
  assertEquals(await client.get("/audio/mixers/0/faders/0/fader"), -12);
  assertEquals((await client.rpc("getuser", {})).name, "fleet:admin");
  await client.rpc("setchannellabel", { sourceid: 1, label: "News" });
  const trail = () => Deno.readTextFileSync(`${data}/audit.log`);
  await until(() => trail().includes('"user":"fleet:admin"'));
  assertEquals(trail().includes(hub.token), false);
});

Deno.test("a console and its hub connect again after either is killed", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  const hubData = `${folder.path}/hub`;
  await using first = await startHub(hubData);
  const token = first.token;
  await using before = await startConsole(data);
  await enrol(first, data);
  const id = await idOf(data);
  await first.fleet("approve", id);
  before.kill("SIGKILL");
  await before.ended();
  await using desk = await startConsole(data);
  await untilState(first, id, "live");
  first.kill("SIGKILL");
  await first.ended;
  await until(() => desk.stderr.includes("is lost, and the console connects again"));
  await using second = await startHub(hubData, "--listen", `127.0.0.1:${first.port}`);
  assertEquals(second.token, token);
  await untilState(second, id, "live");
  await using client = connectThrough(second, id);
  await client.ready();
  await client.set("/audio/mixers/0/faders/0/on", true);
  desk.kill("SIGKILL");
  await untilState(second, id, "gone");
});

Deno.test("a hub with a self-signed certificate is trusted only if that is pinned", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  const config = `${folder.path}/hub.json`;
  await Deno.writeTextFile(config, JSON.stringify({ tls: `${certificates}hub.pem` }));
  const options = ["--config", config, "--listen-tls", "127.0.0.1:0"];
  await using hub = await startHub(`${folder.path}/hub`, ...options);
  await using desk = await startConsole(data);
  const refused = await enrol(hub, data);
  assertEquals(refused.code, 1);
  assertMatch(refused.stderr, /does not answer: .*UnknownIssuer/);
  assertEquals((await enrol(hub, data, "--ca", `${certificates}hub-ca.pem`)).code, 0);
  desk.kill("SIGHUP");
  await until(() => desk.stderr.includes("connected to wss://127.0.0.1"));
  const other = `${folder.path}/other.json`;
  await Deno.writeTextFile(
    other,
    JSON.stringify({ mixers: [{ faders: 1 }], fleet: { ca: `${certificates}ca.pem` } }),
  );
  desk.kill("SIGTERM");
  await desk.ended();
  await using stranger = await startConsole(data, "--config", other);
  await until(() => stranger.stderr.includes("connected to no hub"));
  assertMatch(
    stranger.stderr,
    /connected to no hub, .*(UnknownIssuer|BadSignature|certificate).*; see fleet.ca, or enrol with --ca/,
  );
});

Deno.test("a console says that the certificate of its hub is not valid yet, without a time that would differ at each dial", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  const config = `${folder.path}/hub.json`;
  await Deno.writeTextFile(config, JSON.stringify({ tls: `${certificates}future.pem` }));
  const options = ["--config", config, "--listen-tls", "127.0.0.1:0"];
  await using hub = await startHub(`${folder.path}/hub`, ...options);
  const headers = { authorization: `Bearer ${hub.token}` };
  const metrics = await fetch(`${hub.url}/metrics`, { headers });
  assertMatch(await metrics.text(), /^faderd_certificate_expiry_seconds \d+$/m);
  await Deno.mkdir(data);
  const code = (await hub.fleet("code")).stdout.trim();
  assertEquals((await faderd("fleet", "enrol", hub.url, code, "--data", data)).code, 0);
  const own = `${folder.path}/console.json`;
  const hubs = [hub.tlsUrl.replace("https", "wss")];
  await Deno.writeTextFile(
    own,
    JSON.stringify({ fleet: { hubs, ca: `${certificates}future.pem` } }),
  );
  await using desk = await startConsole(data, "--config", own);
  await until(() => desk.stderr.includes("connected to no hub"));
  assertMatch(desk.stderr, /: invalid peer certificate: certificate not valid yet; see fleet.ca/);
});

Deno.test("with a pinned certificate an authority that Deno trusts is not enough for a hub", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/hub.json`;
  await Deno.writeTextFile(config, JSON.stringify({ tls: `${certificates}hub.pem` }));
  const options = ["--config", config, "--listen-tls", "127.0.0.1:0"];
  await using hub = await startHub(`${folder.path}/hub`, ...options);
  const code = (await hub.fleet("code")).stdout.trim();
  await Deno.mkdir(`${folder.path}/console`);
  const tried: (readonly [number, boolean])[] = [];
  for (const pinned of [["--ca", `${certificates}ca.pem`], []]) {
    const enrol = ["fleet", "enrol", hub.tlsUrl, code, "--data", `${folder.path}/console`];
    const { code: status, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...FLAGS, ...enrol, ...pinned],
      env: { DENO_TLS_CA_STORE: "system", SSL_CERT_FILE: `${certificates}hub-ca.pem` },
    }).output();
    tried.push([status, new TextDecoder().decode(stderr).includes("does not answer")]);
  }
  assertEquals(tried, [[1, true], [0, false]]);
});

Deno.test("a console whose configuration names other hubs is not enrolled, and no code is used up", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  const config = `${folder.path}/console.json`;
  await Deno.mkdir(data);
  await using hub = await startHub(`${folder.path}/hub`);
  const code = (await hub.fleet("code")).stdout.trim();
  const enrolWith = async (...hubs: string[]) => {
    await Deno.writeTextFile(config, JSON.stringify({ fleet: { hubs } }));
    return await faderd("fleet", "enrol", hub.url, code, "--data", data, "--config", config);
  };
  const refused = await enrolWith("wss://old.example");
  assertEquals([refused.code, await listed(hub)], [1, []]);
  assertMatch(refused.stderr, /fleet\.hubs of the configuration lacks ws:\/\/127/);
  const enrolled = await enrolWith("wss://old.example", hub.url.replace("http", "ws"));
  assertEquals([enrolled.code, enrolled.stderr], [0, ""]);
});

Deno.test("a code enrols one console", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const code = (await hub.fleet("code")).stdout.trim();
  const codes: number[] = [];
  for (const name of ["one", "two"]) {
    const data = `${folder.path}/${name}`;
    await Deno.mkdir(data);
    const { code: status, stderr } = await faderd("fleet", "enrol", hub.url, code, "--data", data);
    codes.push(status);
    if (status !== 0) assertMatch(stderr, /does not enrol this console: .*not used/);
  }
  assertEquals(codes, [0, 1]);
  assertEquals((await listed(hub)).length, 1);
});

Deno.test("if the enrolment cannot be stored, the failure names the console to remove at the hub", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  await Deno.mkdir(data);
  await using hub = await startHub(`${folder.path}/hub`);
  // While the hub is asked, a folder comes to stand at the path of the file.
  await using between = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      await Deno.mkdir(`${data}/fleet.json`);
      const { method, headers } = request;
      const body = await request.text();
      return await fetch(hub.url + new URL(request.url).pathname, { method, headers, body });
    },
  );
  const url = `http://127.0.0.1:${between.addr.port}`;
  const { code, stderr } = await enrol({ ...hub, url }, data);
  const id = (await listed(hub))[0]!.id;
  assertEquals(code, 1);
  assertMatch(stderr, new RegExp(`cannot be written: .*faderd fleet remove ${id}\\)`));
  assertEquals((await hub.fleet("remove", id)).code, 0);
});

Deno.test("an enrolment that cannot be read or replaced fails before the hub is asked, and the code is not spent", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  await using hub = await startHub(`${folder.path}/hub`);
  const code = (await hub.fleet("code")).stdout.trim();
  const enrol = () => faderd("fleet", "enrol", hub.url, code, "--data", data);
  // A folder cannot be read as a file, nor replaced by one.
  for (const name of ["fleet.json", "fleet.json.new"]) {
    await Deno.mkdir(`${data}/${name}`, { recursive: true });
    const { code, stdout, stderr } = await enrol();
    assertEquals([code, stdout], [1, ""], name);
    assertMatch(stderr, /^faderd: \S+\/fleet\.json cannot be read and replaced: [^\n]+\n$/);
    assertEquals(await listed(hub), [], name);
    await Deno.remove(`${data}/${name}`);
  }
  assertEquals((await enrol()).code, 0);
});

Deno.test("a console without its hub works as before", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  await Deno.mkdir(data);
  await using hub = await startHub(`${folder.path}/hub`);
  await enrol(hub, data);
  hub.kill("SIGKILL");
  await hub.ended;
  // As users start it: the task allows it to reach its hub, and no other address.
  await using desk = await startFaderd("--data", data);
  await until(() => desk.stderr.includes("connected to no hub"));
  assertEquals((await (await fetch(`${desk.url}/health`)).json()).ready, true);
  desk.kill("SIGTERM");
  const { code, ms } = await desk.ended();
  assertEquals([code, ms < 2000], [0, true]);
});

Deno.test("a console that the task started before its enrolment prints that it needs a restart", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  await using hub = await startHub(`${folder.path}/hub`);
  await using desk = await startFaderd("--data", data);
  await enrol(hub, data);
  desk.kill("SIGHUP");
  await until(() => desk.stderr.includes("may not reach it before its next start"));
});

Deno.test("an invalid enrolment file is reported, and the console starts without a fleet", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/console`;
  await Deno.mkdir(data);
  await Deno.writeTextFile(`${data}/fleet.json`, "{}");
  await using desk = await startConsole(data);
  await until(() => desk.stderr.includes("fleet.json is no enrolment"));
});
