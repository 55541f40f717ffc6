import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { filesIn, gunzip } from "../core/backup/archives.ts";
import { type Running, startFaderd as startProcess, temporaryFolder } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";
import { adminOf, archiveOf, backupOf, restoreTo } from "./restores.ts";

const CONFIGURATION = { mixers: [{ name: "Big", faders: 4 }], limits: { rest: { burst: 0 } } };
const OTHER = { mixers: [{ name: "Small", faders: 2 }], limits: { rest: { burst: 0 } } };

async function folderWith(configuration: object) {
  const folder = await temporaryFolder();
  const config = `${folder.path}/config.json`;
  await Deno.writeTextFile(config, JSON.stringify(configuration));
  const options = ["--data", `${folder.path}/data`, "--config", config];
  return { folder, config, options, data: `${folder.path}/data` };
}

async function read({ url }: Running, path: string): Promise<unknown> {
  return await (await fetch(`${url}/api/rest/${path}`)).json();
}

const configurationFile = (configuration: object) => ({
  name: "fwconfig.json",
  content: JSON.stringify(configuration),
});

const json = async (path: string) => JSON.parse(await Deno.readTextFile(path));

Deno.test("faderd backup and faderd restore carry a stopped console over to another folder", async () => {
  const from = await folderWith(CONFIGURATION);
  const to = await folderWith(OTHER);
  await using _from = from.folder;
  await using _to = to.folder;
  {
    await using service = await startFaderd(...from.options);
    const token = adminOf(service);
    const payload = {
      method: "savesnapshot",
      params: { type: 2, id: "", name: "Morning", writegroups: 1 },
    };
    const body = JSON.stringify({ method: "rpc", token, payload });
    assert(
      (await (await fetch(`${service.url}/api/rest`, { method: "POST", body })).json()).success,
    );
    service.kill("SIGTERM");
    await service.ended();
  }
  assertEquals(
    (await faderd("user", "add", "extra", "--groups", "2", "--data", from.data)).code,
    0,
  );
  const archive = `${from.folder.path}/backup.tgz`;
  const made = await faderd("backup", archive, "--tags", "ALL", ...from.options);
  assertEquals([made.code, made.stderr], [0, ""]);
  assertStringIncludes(made.stdout, `${archive}: FWCONFIG, NETWORK, `);
  assertEquals((await Deno.stat(archive)).mode! & 0o777, 0o600);

  assertEquals((await faderd("user", "add", "gone", "--groups", "2", "--data", to.data)).code, 0);
  const restored = await faderd("restore", archive, "--tags", "ALL", ...to.options);
  assertEquals([restored.code, restored.stderr], [0, ""]);
  const users = async (data: string) => (await faderd("user", "list", "--data", data)).stdout;
  const travelling = (await users(from.data)).replace(/last used \S+/g, "last used never");
  assertEquals(await users(to.data), travelling);
  assertMatch(await users(to.data), /^admin\t.*\nextra\tgroups 2\t.*\n$/);
  assertEquals(await json(to.config), CONFIGURATION);
  await using service = await startFaderd(...to.options);
  assertEquals(await read(service, "audio/mixers/0/_name"), "Big");
  assertStringIncludes(service.stdout, "1 snapshot, 2 users");
});

Deno.test("offline, what will not do is one clear line, and nothing is written", async (t) => {
  const { folder, data, options } = await folderWith(CONFIGURATION);
  await using _ = folder;
  await faderd("user", "add", "one", "--groups", "1", "--data", data);
  const archive = `${folder.path}/a.tgz`;
  await Deno.writeFile(archive, await archiveOf({ name: "network.json", content: "{}" }));
  await Deno.writeTextFile(`${folder.path}/no.tgz`, "no archive");
  const log = async () => {
    const names = await Array.fromAsync(Deno.readDir(data), ({ name }) => name);
    // The audit trail says what was refused.
    const log = names.filter((name) => name !== "audit.log");
    return await Promise.all(log.sort().map((name) => Deno.readTextFile(`${data}/${name}`)));
  };
  const before = await log();
  const cases: Readonly<Record<string, readonly [readonly string[], string]>> = {
    "an unknown tag": [["restore", archive, "--tags", "X", ...options], "Tags: expected ALL or"],
    "a tag that the archive lacks": [["restore", archive, ...options], "Tags: the archive has no"],
    "no archive": [
      ["restore", `${folder.path}/no.tgz`, ...options],
      "file: expected a whole gzip-compressed tar",
    ],
    "an archive that is not there": [["restore", "/nowhere.tgz", ...options], "cannot be read"],
    "a place that cannot be written": [["backup", "/nowhere/a.tgz", ...options], "not be written"],
    "no data folder": [["backup", archive, "--data", "/nowhere"], "there is no data folder"],
    "a tag that does not apply": [
      ["backup", `${folder.path}/b.tgz`, "--tags", "TLS,TLS", ...options],
      "Tags: expected each tag once",
    ],
  };
  for (const [what, [args, reason]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { code, stderr } = await faderd(...args);
      assertEquals(code, 1);
      assertStringIncludes(stderr, reason);
      assertEquals(stderr.trimEnd().split("\n").length, 1);
      assertEquals(await log(), before);
    });
  }
});

Deno.test("a folder that a service runs on is neither backed up nor restored to from outside", async () => {
  const { folder, options } = await folderWith(CONFIGURATION);
  await using _ = folder;
  await using service = await startFaderd(...options);
  assert(service.stdout !== "");
  for (const command of ["backup", "restore"]) {
    const { code, stderr } = await faderd(command, `${folder.path}/a.tgz`, ...options);
    assertEquals(code, 1);
    assertStringIncludes(stderr, "in use");
  }
});

Deno.test("a restored configuration is written to the configuration file, whole, and stays after a restart", async () => {
  const { folder, options, config } = await folderWith(CONFIGURATION);
  await using _ = folder;
  await Deno.rename(config, `${folder.path}/real.json`);
  await Deno.symlink(`${folder.path}/real.json`, config);
  {
    await using service = await startFaderd(...options);
    const archive = await archiveOf(configurationFile(OTHER));
    const answer = await restoreTo(service, archive, ["FWCONFIG"], adminOf(service));
    assertEquals(answer.Error, undefined);
    assertEquals(await read(service, "audio/mixers/0/_name"), "Small");
    assertEquals(await json(`${folder.path}/real.json`), OTHER);
    assertEquals((await Deno.lstat(config)).isSymlink, true);
  }
  await using again = await startFaderd(...options);
  assertEquals(await read(again, "audio/mixers/0/_name"), "Small");
});

Deno.test("without --config a restored configuration stands in the data folder, and is used from then on", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  {
    await using service = await startFaderd("--data", data);
    const archive = await archiveOf(configurationFile(OTHER));
    await restoreTo(service, archive, ["FWCONFIG"], adminOf(service));
    const { device, licenses, engine } = demoConfiguration;
    assertEquals(await json(`${data}/configuration.json`), { device, licenses, engine, ...OTHER });
  }
  await using again = await startFaderd("--data", data);
  assertEquals(await read(again, "audio/mixers/0/_name"), "Small");
  assertStringIncludes(again.stdout, `${data}/configuration.json`);
});

Deno.test("a file that could not be written is said, and written at the next start", async () => {
  const { folder, options, config } = await folderWith(CONFIGURATION);
  await using _ = folder;
  await Deno.mkdir(`${config}.new`);
  {
    await using service = await startFaderd(...options);
    const archive = await archiveOf(configurationFile(OTHER));
    const answer = await restoreTo(service, archive, ["FWCONFIG"], adminOf(service));
    assertStringIncludes(
      answer.Error,
      `restored, but the restored configuration could not be written to ${config}: `,
    );
    assertStringIncludes(service.stderr, `could not be written to ${config}`);
    assertEquals(await json(config), CONFIGURATION);
  }
  await Deno.remove(`${config}.new`);
  {
    await using again = await startFaderd(...options);
    assertEquals(await read(again, "audio/mixers/0/_name"), "Small");
    assertEquals(await json(config), OTHER);
  }
  await Deno.writeTextFile(config, JSON.stringify(CONFIGURATION));
  await using edited = await startFaderd(...options);
  assertEquals(await read(edited, "audio/mixers/0/_name"), "Big");
});

Deno.test("offline, a configuration file that cannot be written is said, and written at the next start", async () => {
  const { folder, options, config, data } = await folderWith(CONFIGURATION);
  await using _ = folder;
  assertEquals((await faderd("user", "add", "one", "--groups", "1", "--data", data)).code, 0);
  const archive = `${folder.path}/a.tgz`;
  const network = { name: "network.json", content: '{"deviceName":"studio-1"}' };
  await Deno.writeFile(archive, await archiveOf(configurationFile(OTHER), network));
  await Deno.mkdir(`${config}.new`);
  const restore = ["restore", archive, "--tags", "FWCONFIG,NETWORK", ...options];
  const { code, stdout, stderr } = await faderd(...restore);
  assertEquals([code, stdout], [1, `restored from ${archive}: FWCONFIG, NETWORK\n`]);
  const [why, what, ...more] = stderr.trimEnd().split("\n");
  assertStringIncludes(why!, `the restored configuration could not be written to ${config}: `);
  assertStringIncludes(what!, "restored, but the configuration will be written at the next start");
  assertEquals(more, []);
  assertEquals(await json(config), CONFIGURATION);
  await Deno.remove(`${config}.new`);
  const made = await faderd("backup", `${folder.path}/b.tgz`, "--tags", "ALL", ...options);
  assertEquals([made.code, made.stderr], [0, ""]);
  assertEquals(await json(config), { device: { name: "studio-1" }, ...OTHER });
  const files = filesIn(await gunzip(await Deno.readFile(`${folder.path}/b.tgz`)));
  const text = (name: string) => JSON.parse(new TextDecoder().decode(files.get(name)));
  assertEquals(text("fwconfig.json"), OTHER);
  assertEquals(text("network.json"), { deviceName: "studio-1" });
});

Deno.test("offline, the hook is run for every settings document, whatever became of those before", async () => {
  const hook = "/nowhere/at/all";
  const { folder, options, data } = await folderWith({
    ...CONFIGURATION,
    hooks: { applied: hook },
  });
  await using _ = folder;
  assertEquals((await faderd("user", "add", "one", "--groups", "1", "--data", data)).code, 0);
  const archive = `${folder.path}/a.tgz`;
  const files = ["network", "log"].map((name) => ({ name: `${name}.json`, content: "{}" }));
  await Deno.writeFile(archive, await archiveOf(...files));
  const ended = await faderd("restore", archive, "--tags", "NETWORK,LOG", ...options);
  assertEquals(ended.code, 1);
  const said = ended.stderr.trimEnd().split("\n");
  assertEquals(said.length, 3, ended.stderr);
  for (const [at, tag] of ["NETWORK", "LOG"].entries()) {
    assertStringIncludes(said[at]!, `hooks.applied: ${tag}: ${hook} could not be started`);
  }
  assertStringIncludes(said[2]!, "restored, but hooks.applied failed");
});

Deno.test("kill -9 at any moment of a restore leaves all of it or nothing", async () => {
  const { folder, options, config } = await folderWith(CONFIGURATION);
  await using _ = folder;
  const users = async () => (await faderd("user", "list", ...options.slice(0, 2))).stdout;
  let token = "";
  let whole: Uint8Array<ArrayBuffer>;
  {
    await using service = await startFaderd(...options);
    token = adminOf(service);
    whole = await backupOf(service, ["FWCONFIG", "USERS", "NETWORK"], token);
  }
  for (const delay of [0, 2, 8]) {
    await Deno.writeTextFile(config, JSON.stringify({ ...OTHER, device: { name: "small" } }));
    await faderd("user", "add", "late", "--groups", "3", ...options.slice(0, 2));
    await using service = await startProcess(...options);
    const answer = restoreTo(service, whole, ["FWCONFIG", "USERS", "NETWORK"], token)
      .then((json) => json.Error === undefined, () => false);
    await new Promise((resolve) => setTimeout(resolve, delay));
    service.kill("SIGKILL");
    const acknowledged = await answer;
    await service.ended();
    await using again = await startFaderd(...options);
    const mixer = await read(again, "audio/mixers/0/_name");
    const device = await read(again, "general/_name");
    again.kill("SIGTERM");
    await again.ended();
    const found = [mixer, device, (await users()).includes("late")];
    const all = ["Big", "faderd", false];
    if (acknowledged || mixer === "Big") assertEquals(found, all, `after ${delay} ms`);
    else assertEquals(found, ["Small", "small", true], `after ${delay} ms`);
  }
});

Deno.test("faderd settings schema publishes a JSON Schema of each settings document", async () => {
  const { code, stdout } = await faderd("settings", "schema");
  assertEquals(code, 0);
  const schemas = JSON.parse(stdout);
  const tags = ["NETWORK", "TIMEZONE", "SERVICES", "LOG", "SNMP", "AES67CONFIG"];
  assertEquals(Object.keys(schemas), tags);
  for (const tag of tags) assertEquals(schemas[tag].type, "object", tag);
});

Deno.test("what of the settings documents has no effect says so in its schema, the rest what it does", async () => {
  const schemas = JSON.parse((await faderd("settings", "schema")).stdout);
  const { NETWORK, TIMEZONE, ...others } = schemas;
  const { deviceName, ...network } = NETWORK.properties;
  const { zone, ...time } = TIMEZONE.properties;
  assertEquals(Object.keys({ ...network, ...time }), ["interfaces", "dns", "dst", "ntp"]);
  for (const [what, schema] of Object.entries({ ...network, ...time, ...others })) {
    const { description } = schema as { description?: string };
    assertStringIncludes(description ?? "", "no effect on this service", what);
  }
  assertStringIncludes(deviceName.description, "name of the device");
  assertStringIncludes(zone.description, "default snapshot names");
  assertEquals([deviceName.default, zone.default], [undefined, undefined]);
});

/** A console unlike all others here, on which no REST action works. */
const FOREIGN = {
  device: { name: "foreign", serial: "FOREIGN", kind: "core", firmware: "9.0.0" },
  licenses: [],
  ...OTHER,
};

Deno.test("a restore does not change who a console is: REST and restore still work, also after a restart", async () => {
  const from = await folderWith(FOREIGN);
  const own = { device: { serial: "0815", firmware: "10.2.0" }, licenses: ["52-8577"] };
  const to = await folderWith({ ...own, ...CONFIGURATION });
  await using _from = from.folder;
  await using _to = to.folder;
  await faderd("user", "add", "root", "--groups", "1", "--admin", "--data", from.data);
  const backup = `${from.folder.path}/backup.tgz`;
  const made = await faderd("backup", backup, "--tags", "ALL", ...from.options);
  assertEquals([made.code, made.stderr], [0, ""]);
  const whole = await Deno.readFile(backup);
  const added = await faderd("user", "add", "anna", "--groups", "1", "--admin", "--data", to.data);
  const token = added.stdout.trim();

  async function isItself(service: Running): Promise<void> {
    assertEquals(await read(service, "general/_hardwareserial"), "0815");
    assertEquals(await read(service, "general/_firmware_version"), "10.2.0.0");
    assertEquals(await read(service, "audio/mixers/0/_name"), "Small");
    const label = await fetch(`${service.url}/action/setchannellabel?ObjectID=1&Name=Anna`);
    assertEquals([label.status, (await label.json()).Error], [200, undefined]);
  }

  const tags = ["FWCONFIG", "NETWORK", "MXSNAPS", "CHSNAPS", "SNAPZERO"] as const;
  {
    await using service = await startFaderd(...to.options);
    assertEquals((await restoreTo(service, whole, tags, token)).Error, undefined);
    assertEquals(await read(service, "general/_name"), "foreign");
    await isItself(service);
    const device = { ...own.device, name: "foreign" };
    assertEquals(await json(to.config), { ...OTHER, ...own, device });
  }
  await using again = await startFaderd(...to.options);
  assertEquals(await read(again, "general/_name"), "foreign");
  await isItself(again);
});

Deno.test("a device name that NETWORK brought is in the configuration file, and stays after a restart", async () => {
  const { folder, options, config } = await folderWith(CONFIGURATION);
  await using _ = folder;
  const network = await archiveOf({ name: "network.json", content: '{"deviceName":"studio.1"}' });
  {
    await using service = await startFaderd(...options);
    const { Error } = await restoreTo(service, network, ["NETWORK"], adminOf(service));
    assertEquals(Error, undefined);
    assertEquals(await read(service, "general/_name"), "studio.1");
    assertEquals(await json(config), { ...CONFIGURATION, device: { name: "studio.1" } });
  }
  await using again = await startFaderd(...options);
  assertEquals(await read(again, "general/_name"), "studio.1");
});

Deno.test("a device name whose configuration file could not be written is said, and in force after a restart", async () => {
  const { folder, options, config } = await folderWith(CONFIGURATION);
  await using _ = folder;
  await Deno.mkdir(`${config}.new`);
  const network = await archiveOf({ name: "network.json", content: '{"deviceName":"studio.1"}' });
  {
    await using service = await startFaderd(...options);
    const { Error } = await restoreTo(service, network, ["NETWORK"], adminOf(service));
    assertStringIncludes(Error, "restored, but the restored configuration could not be written");
  }
  await Deno.remove(`${config}.new`);
  await using again = await startFaderd(...options);
  assertEquals(await read(again, "general/_name"), "studio.1");
  assertEquals(await json(config), { ...CONFIGURATION, device: { name: "studio.1" } });
});

Deno.test("a restored NETWORK document is in the next backup", async () => {
  const { folder, options } = await folderWith(CONFIGURATION);
  await using _ = folder;
  await using service = await startFaderd(...options);
  const token = adminOf(service);
  const content = '{"deviceName":"studio-1"}';
  await restoreTo(service, await archiveOf({ name: "network.json", content }), ["NETWORK"], token);
  const files = filesIn(await gunzip(await backupOf(service, "ALL", token)));
  assertEquals(
    JSON.parse(new TextDecoder().decode(files.get("network.json"))),
    JSON.parse(content),
  );
});
