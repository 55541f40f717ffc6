/** `faderd backup` and `faderd restore` of a folder, and the files after a restore. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { filesIn, gunzip } from "../core/backup/archives.ts";
import { type Running, startFaderd as startProcess } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { adminOf, archiveOf, backupOf, restoreTo } from "./restores.ts";
import { failure, hangUp, read, rpc, type Scene, sceneOf, stopped } from "./scene.ts";

const CONFIGURATION = { mixers: [{ name: "Big", faders: 4 }], limits: { rest: { burst: 0 } } };
const OTHER = { mixers: [{ name: "Small", faders: 2 }], limits: { rest: { burst: 0 } } };

const configurationFile = (configuration: object) => ({
  name: "fwconfig.json",
  content: JSON.stringify(configuration),
});
const networkFile = (deviceName: string) => ({
  name: "network.json",
  content: JSON.stringify({ deviceName }),
});

const json = async (path: string) => JSON.parse(await Deno.readTextFile(path));

/** The documents of a backup by their names. */
async function documentsIn(archive: Uint8Array<ArrayBuffer>) {
  const files = filesIn(await gunzip(archive));
  return (name: string) => JSON.parse(new TextDecoder().decode(files.get(name)));
}

/** Adds a user, so that there is a data folder; returns the token. */
async function added({ onData }: Scene, name: string): Promise<string> {
  const { code, stdout } = await faderd(
    "user",
    "add",
    name,
    "--groups",
    "2",
    "--admin",
    ...onData,
  );
  assertEquals(code, 0);
  return stdout.trim();
}

Deno.test("faderd backup and faderd restore carry a stopped console over to another folder", async () => {
  await using from = await sceneOf(CONFIGURATION);
  await using to = await sceneOf(OTHER);
  {
    await using service = await from.start();
    const save = { type: 2, id: "", name: "Morning", writegroups: 1 };
    assert((await rpc(service, adminOf(service), "savesnapshot", save)).success);
  }
  await added(from, "extra");
  const archive = from.file("backup.tgz");
  const made = await faderd("backup", archive, "--tags", "ALL", ...from.options);
  assertEquals([made.code, made.stderr], [0, ""]);
  assertStringIncludes(made.stdout, `${archive}: FWCONFIG, NETWORK, `);
  assertEquals((await Deno.stat(archive)).mode! & 0o777, 0o600);

  await added(to, "gone");
  const restored = await faderd("restore", archive, "--tags", "ALL", ...to.options);
  assertEquals([restored.code, restored.stderr], [0, ""]);
  const users = async (of: Scene) => (await faderd("user", "list", ...of.onData)).stdout;
  const travelling = (await users(from)).replace(/last used \S+/g, "last used never");
  assertEquals(await users(to), travelling);
  assertMatch(await users(to), /^admin\t.*\nextra\tgroups 2\t.*\n$/);
  assertEquals(await json(to.config), CONFIGURATION);
  await using service = await to.start();
  assertEquals(await read(service, "audio/mixers/0/_name"), "Big");
  assertStringIncludes(service.stdout, "1 snapshot, 2 users");
});

Deno.test("offline, a refused backup or restore prints one clear line, and writes nothing", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { data, file, options } = scene;
  await added(scene, "one");
  await Deno.writeFile(file("a.tgz"), await archiveOf({ name: "network.json", content: "{}" }));
  await Deno.writeTextFile(file("no.tgz"), "no archive");
  // The audit trail has the refusals.
  const log = () =>
    [...Deno.readDirSync(data)].filter(({ name }) => name !== "audit.log")
      .map(({ name }) => Deno.readTextFileSync(`${data}/${name}`));
  const before = log();
  const rows: readonly (readonly [line: string, reason: string])[] = [
    [`restore ${file("a.tgz")} --tags X`, "Tags: expected ALL or some of"],
    [`restore ${file("a.tgz")}`, "Tags: the archive has no"],
    [`restore ${file("no.tgz")}`, "file: expected a whole gzip-compressed tar"],
    ["restore /nowhere.tgz", "cannot be read"],
    ["backup /nowhere/a.tgz", "not be written"],
    [`backup ${file("b.tgz")} --tags TLS,TLS`, "Tags: expected each tag once"],
  ];
  for (const [line, reason] of rows) {
    const said = failure(await faderd(...line.split(" "), ...options));
    assertStringIncludes(said, reason);
    assertEquals(log(), before, line);
  }
  const none = failure(await faderd("backup", file("b.tgz"), "--data", "/nowhere"));
  assertStringIncludes(none, "there is no data folder");
  await using _service = await scene.start();
  for (const command of ["backup", "restore"]) {
    assertStringIncludes(failure(await faderd(command, file("a.tgz"), ...options)), "in use");
  }
});

Deno.test("without --config, backup and copy save refuse the data of another console than the demo console", async () => {
  await using scene = await sceneOf({
    ...CONFIGURATION,
    device: { name: "studio-1", serial: "0815" },
  });
  await stopped(await scene.start());
  for (const command of [["backup"], ["copy", "save"]]) {
    assertEquals(
      failure(await faderd(...command, scene.file("written"), ...scene.onData)),
      `faderd: ${scene.data} is the data of studio-1 (serial number 0815), not of the demo ` +
        "console: name its configuration with --config\n",
    );
  }
  const names = [...Deno.readDirSync(scene.path)].map(({ name }) => name).sort();
  assertEquals(names, ["console.json", "data"]);
});

Deno.test("a restored configuration is written whole to the configuration file, and in force after a restart", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  await Deno.rename(scene.config, scene.file("real.json"));
  await Deno.symlink(scene.file("real.json"), scene.config);
  {
    await using service = await scene.start();
    const archive = await archiveOf(configurationFile(OTHER));
    const answer = await restoreTo(service, archive, ["FWCONFIG"], adminOf(service));
    assertEquals(answer.Error, undefined);
    assertEquals(await read(service, "audio/mixers/0/_name"), "Small");
    assertEquals(await json(scene.file("real.json")), OTHER);
    assertEquals((await Deno.lstat(scene.config)).isSymlink, true);
  }
  await using again = await scene.start();
  assertEquals(await read(again, "audio/mixers/0/_name"), "Small");
});

Deno.test("without --config a restored configuration is written to the data folder, and in force from then on", async () => {
  await using scene = await sceneOf();
  const written = `${scene.data}/configuration.json`;
  {
    await using service = await scene.start();
    const archive = await archiveOf(configurationFile(OTHER));
    await restoreTo(service, archive, ["FWCONFIG"], adminOf(service));
    const { device, licenses, engine } = demoConfiguration;
    assertEquals(await json(written), { device, licenses, engine, ...OTHER });
  }
  await using again = await scene.start();
  assertEquals(await read(again, "audio/mixers/0/_name"), "Small");
  assertStringIncludes(again.stdout, written);
});

Deno.test("a configuration file that could not be written is reported, and written at the next start", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { config } = scene;
  await Deno.mkdir(`${config}.new`);
  {
    await using service = await scene.start();
    const archive = await archiveOf(configurationFile(OTHER), networkFile("studio.1"));
    const tags = ["FWCONFIG", "NETWORK"] as const;
    const answer = await restoreTo(service, archive, tags, adminOf(service));
    const why = `restored, but the restored configuration could not be written to ${config}: `;
    assertStringIncludes(answer.Error, why);
    assertStringIncludes(service.stderr, `could not be written to ${config}`);
    assertEquals(await json(config), CONFIGURATION);
  }
  await Deno.remove(`${config}.new`);
  {
    await using again = await scene.start();
    assertEquals(await read(again, "audio/mixers/0/_name"), "Small");
    assertEquals(await read(again, "general/_name"), "studio.1");
    assertEquals(await json(config), { device: { name: "studio.1" }, ...OTHER });
  }
  scene.configure(CONFIGURATION);
  await using edited = await scene.start();
  assertEquals(await read(edited, "audio/mixers/0/_name"), "Big");
});

Deno.test("a restored configuration that its owner wrote to the file is not written again over an earlier one", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { config } = scene;
  await Deno.mkdir(`${config}.new`);
  await using service = await scene.start();
  const archive = await archiveOf(configurationFile(OTHER));
  await restoreTo(service, archive, ["FWCONFIG"], adminOf(service));
  scene.configure(OTHER);
  assertStringIncludes(await hangUp(service), `${config} has not changed`);
  await Deno.remove(`${config}.new`);
  scene.configure(CONFIGURATION);
  assertStringIncludes(await hangUp(service), `${config} is in force`);
  assertEquals(await json(config), CONFIGURATION);
});

Deno.test("without --config SIGHUP writes a restored configuration that could not be written before", async () => {
  await using scene = await sceneOf();
  const written = `${scene.data}/configuration.json`;
  await using service = await scene.start();
  await Deno.mkdir(`${written}.new`);
  const archive = await archiveOf(configurationFile(OTHER));
  await restoreTo(service, archive, ["FWCONFIG"], adminOf(service));
  await Deno.remove(`${written}.new`);
  assertStringIncludes(
    await hangUp(service),
    `the restored configuration is in ${written} now`,
  );
  assertEquals((await json(written)).mixers, OTHER.mixers);
});

Deno.test("after a configuration file could not be written, SIGHUP tries again, and puts in force a file that was changed meanwhile", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { config } = scene;
  await Deno.mkdir(`${config}.new`);
  await using service = await scene.start();
  const restore = async () => {
    const archive = await archiveOf(configurationFile(OTHER));
    await restoreTo(service, archive, ["FWCONFIG"], adminOf(service));
  };
  await restore();
  assertMatch(
    await hangUp(service),
    /^faderd: SIGHUP: nothing has changed: the restored .*: File exists/,
  );
  await Deno.remove(`${config}.new`);
  assertStringIncludes(await hangUp(service), `the restored configuration is in ${config} now`);
  assertEquals(await json(config), OTHER);
  scene.configure(CONFIGURATION);
  assertStringIncludes(await hangUp(service), `${config} is in force`);
  await Deno.mkdir(`${config}.new`);
  await restore();
  await Deno.remove(`${config}.new`);
  scene.configure({ ...CONFIGURATION, mixers: [{ name: "Edited", faders: 3 }] });
  assertStringIncludes(await hangUp(service), `${config} is in force`);
  assertEquals(await read(service, "audio/mixers/0/_name"), "Edited");
});

Deno.test("offline, a configuration file that cannot be written is reported, and written at the next start", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { config, file, options } = scene;
  await added(scene, "one");
  const archive = file("a.tgz");
  const files = [configurationFile(OTHER), networkFile("studio-1")];
  await Deno.writeFile(archive, await archiveOf(...files));
  await Deno.mkdir(`${config}.new`);
  const restored = await faderd("restore", archive, "--tags", "FWCONFIG,NETWORK", ...options);
  const { code, stdout, stderr } = restored;
  assertEquals([code, stdout], [1, `restored from ${archive}: FWCONFIG, NETWORK\n`]);
  const [why, what, ...more] = stderr.trimEnd().split("\n");
  assertStringIncludes(why!, `the restored configuration could not be written to ${config}: `);
  assertStringIncludes(what!, "restored, but the configuration will be written at the next start");
  assertEquals(more, []);
  assertEquals(await json(config), CONFIGURATION);
  await Deno.remove(`${config}.new`);
  const made = await faderd("backup", file("b.tgz"), "--tags", "ALL", ...options);
  assertEquals([made.code, made.stderr], [0, ""]);
  assertEquals(await json(config), { device: { name: "studio-1" }, ...OTHER });
  const document = await documentsIn(await Deno.readFile(file("b.tgz")));
  assertEquals(document("fwconfig.json"), OTHER);
  assertEquals(document("network.json"), { deviceName: "studio-1" });
});

Deno.test("offline, the hook is run for every settings document, also after it failed for another", async () => {
  const hook = "/nowhere/at/all";
  await using scene = await sceneOf({ ...CONFIGURATION, hooks: { applied: hook } });
  await added(scene, "one");
  const archive = scene.file("a.tgz");
  const files = ["network", "log"].map((name) => ({ name: `${name}.json`, content: "{}" }));
  await Deno.writeFile(archive, await archiveOf(...files));
  const ended = await faderd("restore", archive, "--tags", "NETWORK,LOG", ...scene.options);
  assertEquals(ended.code, 1);
  const said = ended.stderr.trimEnd().split("\n");
  assertEquals(said.length, 3, ended.stderr);
  for (const [at, tag] of ["NETWORK", "LOG"].entries()) {
    assertStringIncludes(said[at]!, `hooks.applied: ${tag}: ${hook} could not be started`);
  }
  assertStringIncludes(said[2]!, "restored, but hooks.applied failed");
});

Deno.test("after kill -9 at any moment of a restore all of it is in force, or nothing", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const tags = ["FWCONFIG", "USERS", "NETWORK"] as const;
  const first = await scene.start();
  const token = adminOf(first);
  const whole = await backupOf(first, tags, token);
  await stopped(first);
  for (const delay of [0, 2, 8]) {
    scene.configure({ ...OTHER, device: { name: "small" } });
    await faderd("user", "add", "late", "--groups", "3", ...scene.onData);
    await using service = await startProcess(...scene.options);
    const answer = restoreTo(service, whole, tags, token)
      .then((json) => json.Error === undefined, () => false);
    // The moment is what is tested: a process that is killed cannot tell how far it is.
    await new Promise((resolve) => setTimeout(resolve, delay));
    service.kill("SIGKILL");
    const acknowledged = await answer;
    await service.ended();
    const again = await scene.start();
    const mixer = await read(again, "audio/mixers/0/_name");
    const device = await read(again, "general/_name");
    await stopped(again);
    const { stdout } = await faderd("user", "list", ...scene.onData);
    const found = [mixer, device, stdout.includes("late")];
    const isAll = acknowledged || mixer === "Big";
    const expected = isAll ? ["Big", "faderd", false] : ["Small", "small", true];
    assertEquals(found, expected, `after ${delay} ms`);
  }
});

Deno.test("faderd settings schema publishes the members of each settings document, and which of them have no effect", async () => {
  const schemas = JSON.parse((await faderd("settings", "schema")).stdout);
  const tags = ["NETWORK", "TIMEZONE", "SERVICES", "LOG", "SNMP", "AES67CONFIG"];
  assertEquals(Object.keys(schemas), tags);
  for (const tag of tags) assertEquals(schemas[tag].type, "object", tag);
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

/** A console that differs from all others here, on which no REST action works. */
const FOREIGN = {
  device: { name: "foreign", serial: "FOREIGN", kind: "core", firmware: "9.0.0" },
  licenses: [],
  ...OTHER,
};

Deno.test("a restore does not change the identity of a console: REST and restore still work, also after a restart", async () => {
  await using from = await sceneOf(FOREIGN);
  const own = { device: { serial: "0815", firmware: "10.2.0" }, licenses: ["52-8577"] };
  await using to = await sceneOf({ ...own, ...CONFIGURATION });
  await added(from, "root");
  const backup = from.file("backup.tgz");
  const made = await faderd("backup", backup, "--tags", "ALL", ...from.options);
  assertEquals([made.code, made.stderr], [0, ""]);
  const token = await added(to, "anna");

  async function isItself(service: Running): Promise<void> {
    assertEquals(await read(service, "general/_name"), "foreign");
    assertEquals(await read(service, "general/_hardwareserial"), "0815");
    assertEquals(await read(service, "general/_firmware_version"), "10.2.0.0");
    assertEquals(await read(service, "audio/mixers/0/_name"), "Small");
    const label = await fetch(`${service.url}/action/setchannellabel?ObjectID=1&Name=Anna`);
    assertEquals([label.status, (await label.json()).Error], [200, undefined]);
  }

  const tags = ["FWCONFIG", "NETWORK", "MXSNAPS", "CHSNAPS", "SNAPZERO"] as const;
  {
    await using service = await to.start();
    const whole = await Deno.readFile(backup);
    assertEquals((await restoreTo(service, whole, tags, token)).Error, undefined);
    await isItself(service);
    const device = { ...own.device, name: "foreign" };
    assertEquals(await json(to.config), { ...OTHER, ...own, device });
  }
  await using again = await to.start();
  await isItself(again);
});

Deno.test("a device name from NETWORK is in the configuration file and the next backup, and stays after a restart", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const network = await archiveOf(networkFile("studio.1"));
  {
    await using service = await scene.start();
    const token = adminOf(service);
    assertEquals((await restoreTo(service, network, ["NETWORK"], token)).Error, undefined);
    assertEquals(await read(service, "general/_name"), "studio.1");
    assertEquals(await json(scene.config), { ...CONFIGURATION, device: { name: "studio.1" } });
    const document = await documentsIn(await backupOf(service, "ALL", token));
    assertEquals(document("network.json"), { deviceName: "studio.1" });
  }
  await using again = await scene.start();
  assertEquals(await read(again, "general/_name"), "studio.1");
});
