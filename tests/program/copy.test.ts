/** `faderd copy`: a whole copy of a console while its service runs, and a restore of the copy. */
import { assert, assertEquals, assertStringIncludes, equal } from "@std/assert";
import { hexOf } from "../../core/hex.ts";
import { sha256 } from "../../core/sha256.ts";
import { inspectLog, openLog } from "../../runtimes/deno/log.ts";
import { bytesOf, gunzip, gzip, tarOf } from "../core/backup/archives.ts";
import { FLAGS, outputOf, temporaryFolder } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { adminOf } from "./restores.ts";
import { failure, read, rpc, type Scene, sceneOf, stopped } from "./scene.ts";

const CONFIGURATION = {
  device: { name: "studio-1", serial: "0815" },
  siteKey: "own",
  mixers: [{ faders: 4 }],
  globalLabels: [{ id: 1, label: "Line" }],
  lists: [{ id: 1 }],
  limits: { rest: { burst: 0 } },
};

/** Runs a command that has to succeed, and returns its output. */
async function well(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await faderd(...args);
  assertEquals([code, stderr], [0, ""], args.join(" "));
  return stdout;
}

/** A console with content of all kinds that a copy has, and its running service. */
async function played() {
  const scene = await sceneOf(CONFIGURATION);
  const service = await scene.start();
  const token = adminOf(service);
  const url = `${service.url}/api/rest/audio/mixers/0/faders/1/fader?set=-21&token=${token}`;
  await (await fetch(url)).text();
  const label = `${service.url}/action/setgloballabel?ObjectID=1&Name=News&Token=${token}`;
  await (await fetch(label)).text();
  const saved = { type: 2, id: "", name: "Morning", writegroups: 1 };
  assertEquals((await rpc(service, token, "savesnapshot", saved)).error, undefined);
  // The audit trail is written with a delay, or at once when it is read.
  await rpc(service, token, "getaudit", {});
  return { scene, service, token };
}

/** That console with its service stopped, and a copy that was saved while the service ran. */
async function copied() {
  const { scene, service } = await played();
  const copy = scene.file("a.copy");
  await well("copy", "save", copy, ...scene.options);
  await stopped(service);
  return { scene, copy };
}

/** The visible state of a console, which has to be the same after a restore. */
async function seen(scene: Pick<Scene, "start">, token: string) {
  const service = await scene.start();
  const tree = await read(service, "audio");
  const global = await read(service, "control");
  const snapshots = (await rpc(service, token, "getsnapshotlist", { type: 2 })).payload.result;
  const users = (await rpc(service, token, "getuserlist")).payload.result.length;
  const audit = (await rpc(service, token, "getaudit", {})).payload.result;
  await stopped(service);
  return {
    tree,
    global,
    snapshots,
    users,
    audited: JSON.stringify(audit).includes("savesnapshot"),
  };
}

Deno.test("a copy of a running service, restored on another machine, is the same console", async () => {
  const { scene, service, token } = await played();
  await using _scene = scene;
  await using other = await sceneOf({ mixers: [] });
  await Deno.remove(other.config);
  const said = await well("copy", "save", scene.file("a.copy"), ...scene.options);
  assertStringIncludes(said, "studio-1 (serial number 0815), ");
  assertEquals((await Deno.stat(scene.file("a.copy"))).mode! & 0o777, 0o600);
  await stopped(service);
  await well("copy", "restore", scene.file("a.copy"), ...other.options);
  assertEquals(JSON.parse(await Deno.readTextFile(other.config)), CONFIGURATION);
  const key = (one: Scene) => Deno.readTextFileSync(`${one.data}/site-key`);
  assertEquals(key(other), key(scene));
  const before = await seen(scene, token);
  assertEquals(before.tree.mixers["0"].faders["1"].fader, -21);
  assert(before.audited);
  assertEquals(await seen(other, token), before);
});

Deno.test("all files of the data folder are copied, except the reserve and the first token", async () => {
  const { scene, service } = await played();
  await using _scene = scene;
  // As if the console were in a fleet, and its audit trail longer than one file.
  for (const name of ["fleet.json", "audit.1.log"]) {
    await Deno.writeTextFile(`${scene.data}/${name}`, "{}\n");
  }
  await stopped(service);
  await well("copy", "save", scene.file("a.copy"), ...scene.options);
  await well("copy", "restore", scene.file("a.copy"), "--data", scene.file("new"));
  const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);
  const copied = names(scene.file("new"));
  const left = names(scene.data).filter((name) => !copied.includes(name));
  assertEquals(left.sort(), ["admin-token", "reserve"]);
  assertEquals(copied.includes("configuration.json"), true);
});

Deno.test("copy - writes to standard output and reads from standard input, and nothing else", async () => {
  const { scene, service } = await played();
  await using _scene = scene;
  const { success, stdout, stderr } = await outputOf("copy", "save", "-", ...scene.options);
  assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
  await stopped(service);
  await Deno.writeFile(scene.file("b.copy"), stdout);
  assertStringIncludes(await well("copy", "check", scene.file("b.copy")), "is whole: studio-1");
});

Deno.test("existing data stay unless --replace moves them aside, and a folder in use is not touched", async () => {
  const { scene, service, token } = await played();
  await using _scene = scene;
  const copy = scene.file("a.copy");
  await well("copy", "save", copy, ...scene.options);
  const busy = failure(await faderd("copy", "restore", copy, "--replace", ...scene.options));
  assertStringIncludes(busy, "is in use by another process: stop the service first");
  await (await fetch(
    `${service.url}/api/rest/audio/mixers/0/faders/1/fader?set=-3&token=${token}`,
  )).text();
  await stopped(service);
  const there = failure(await faderd("copy", "restore", copy, ...scene.options));
  assertStringIncludes(there, "holds a console already: with --replace it is moved aside");
  const said = await well("copy", "restore", copy, "--replace", ...scene.options);
  const aside = /what was there before is in (.*)\n/.exec(said)![1]!;
  assert((await Deno.stat(`${aside}/00000001.log`)).isFile);
  assertEquals((await seen(scene, token)).tree.mixers["0"].faders["1"].fader, -21);
});

Deno.test("the first token of the console that a copy replaces is moved aside with its data", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  await using other = await sceneOf(CONFIGURATION);
  await stopped(await other.start());
  const token = await Deno.readTextFile(`${other.data}/admin-token`);
  const said = await well("copy", "restore", copy, "--replace", ...other.options);
  const names = [...Deno.readDirSync(other.data)].map(({ name }) => name);
  assertEquals(names.includes("admin-token"), false);
  const aside = /what was there before is in (.*)\n/.exec(said)![1]!;
  assertEquals(await Deno.readTextFile(`${aside}/admin-token`), token);
});

Deno.test("the configuration that --config names is replaced only with --replace, and is moved aside", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  await using other = await sceneOf({ siteKey: "another one", mixers: [] });
  const before = await Deno.readTextFile(other.config);
  const there = failure(await faderd("copy", "restore", copy, ...other.options));
  assertStringIncludes(there, "console.json holds another configuration: with --replace it is");
  assertEquals(await Deno.readTextFile(other.config), before);
  assertEquals([...Deno.readDirSync(other.data)], []);
  const said = await well("copy", "restore", copy, "--replace", ...other.options);
  const aside = /what was there before is in (.*)\n/.exec(said)![1]!;
  assertEquals(await Deno.readTextFile(`${aside}/configuration.json`), before);
  assertEquals(JSON.parse(await Deno.readTextFile(other.config)), CONFIGURATION);
});

Deno.test("an empty file that --config names is another configuration", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  await using other = await sceneOf({});
  await Deno.writeTextFile(other.config, "");
  assertEquals(
    failure(await faderd("copy", "restore", copy, ...other.options)),
    `faderd: ${other.config} holds another configuration: with --replace it is moved aside\n`,
  );
});

Deno.test("without --config a link to the configuration is moved aside, and the file behind it stays", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  await using other = await sceneOf({ siteKey: "another one", mixers: [] });
  const before = await Deno.readTextFile(other.config);
  await Deno.mkdir(other.data);
  const link = `${other.data}/configuration.json`;
  await Deno.symlink(other.config, link);
  const said = await well("copy", "restore", copy, "--replace", "--data", other.data);
  assertEquals(JSON.parse(await Deno.readTextFile(link)), CONFIGURATION);
  assertEquals((await Deno.lstat(link)).mode! & 0o777, 0o600);
  assertEquals(await Deno.readTextFile(other.config), before);
  const aside = /what was there before is in (.*)\n/.exec(said)![1]!;
  assertEquals(await Deno.readLink(`${aside}/configuration.json`), other.config);
});

Deno.test("a restore of a demo console says that the file of --config stays, and a start uses it", async () => {
  await using demo = await sceneOf();
  await stopped(await demo.start());
  await using other = await sceneOf(CONFIGURATION);
  const copy = demo.file("a.copy");
  await well("copy", "save", copy, ...demo.options);
  const stays = `${other.config} was left as it is: a start with it has its configuration\n`;
  assertStringIncludes(await well("copy", "restore", copy, ...other.options), stays);
  assertEquals(JSON.parse(await Deno.readTextFile(other.config)), CONFIGURATION);
  const own = await well("copy", "restore", copy, "--data", demo.file("new"));
  assert(own.endsWith("its configuration is that of the demo console\n"), own);
});

Deno.test("a restore whose configuration cannot be written changes nothing", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  const names = () => [...Deno.readDirSync(scene.data)].map(({ name }) => name).sort();
  const before = names();
  const into = ["--data", scene.data, "--config", scene.file("missing/console.json")];
  const refused = failure(await faderd("copy", "restore", copy, "--replace", ...into));
  assertStringIncludes(refused, "missing/console.json could not be written: ");
  assertEquals(names(), before);
});

Deno.test("a copy that is made while the log is written and compacted has every change acknowledged before it", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  const numberIn = (record: Uint8Array) =>
    Number(/\d+(?=\D*$)/.exec(new TextDecoder().decode(record))![0]);
  const recordOf = (number: number) => {
    const json = `[{"type":"valueskept","patch":{"general":{"number":${number}}}}]`;
    return new TextEncoder().encode(json.padStart(512));
  };
  let acknowledged = 0;
  const log = await openLog(data, {
    checkpoint: () => [recordOf(acknowledged)],
    segmentBytes: 64 * 1024,
  });
  await log.append(recordOf(0));
  let isOver = false;
  const writing = (async () => {
    for (let number = 1; !isOver; number++) {
      await log.append(recordOf(number));
      acknowledged = number;
      if (number % 50 === 0) await log.compact();
    }
  })();
  try {
    for (let copy = 0; copy < 25; copy++) {
      const before = acknowledged;
      await well("copy", "save", `${folder.path}/a.copy`, "--data", data);
      const restored = `${folder.path}/restored-${copy}`;
      await well("copy", "restore", `${folder.path}/a.copy`, "--data", restored);
      let latest = 0;
      const { recovery } = await inspectLog(restored, (record) => {
        latest = Math.max(latest, numberIn(record));
      });
      assertEquals(recovery.damage, undefined);
      assert(latest >= before, `${latest} of ${before}`);
    }
  } finally {
    isOver = true;
    await writing;
    await log.close();
  }
});

Deno.test("a copy that is read so slowly that the log is compacted twice meanwhile ends with a failure, and is refused", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  // Noise, which gzip does not shrink, and more of it than is read ahead of the output.
  const records = Array.from({ length: 384 }, () => crypto.getRandomValues(new Uint8Array(65536)));
  const log = await openLog(data, { checkpoint: () => records });
  await log.append(records[0]!);
  await log.compact();
  const args = [...FLAGS, "copy", "save", "-", "--data", data];
  const saving = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "piped" })
    .spawn();
  const said = new Response(saving.stderr).text();
  const pieces = saving.stdout.values();
  const written = [(await pieces.next()).value!];
  await log.compact();
  await log.compact();
  await log.close();
  written.push(...await Array.fromAsync(pieces));
  assertEquals((await saving.status).code, 1);
  assertStringIncludes(await said, "was compacted while it was copied: save it again");
  await Deno.writeFile(`${folder.path}/a.copy`, new Uint8Array(await new Blob(written).bytes()));
  failure(await faderd("copy", "check", `${folder.path}/a.copy`));
});

Deno.test("an encrypted copy is opened only by its secret key or passphrase", async () => {
  const { scene, service } = await played();
  await using _scene = scene;
  await stopped(service);
  const { file, options } = scene;
  await well("copy", "keys", file("key"));
  await well("copy", "keys", file("other"));
  assertEquals((await Deno.stat(file("key"))).mode! & 0o777, 0o600);
  assertStringIncludes(failure(await faderd("copy", "keys", file("key"))), "is never replaced");
  await Deno.writeTextFile(file("words"), "correct horse battery\n");
  await Deno.writeTextFile(file("wrong"), "wrong horse battery\n");
  await Deno.writeTextFile(file("short"), "short\n");
  const save = (name: string, ...how: string[]) =>
    well("copy", "save", file(name), ...options, ...how);
  assertStringIncludes(await save("by-key", "--to", file("key.pub")), ", encrypted\n");
  await save("by-words", "--passphrase-file", file("words"));
  for (const name of ["by-key", "by-words"]) {
    const text = new TextDecoder("latin1").decode(await Deno.readFile(file(name)));
    assertEquals(text.startsWith("faderd sealed 1 "), true);
    assertEquals(text.includes("copy.json"), false);
  }
  const check = (name: string, ...how: string[]) => ["copy", "check", file(name), ...how];
  await well(...check("by-key", "--key", file("key")));
  await well(...check("by-words", "--passphrase-file", file("words")));
  const rows: readonly (readonly [string[], string])[] = [
    [check("by-key"), "it is sealed for a public key: name the file of its secret key with --key"],
    [check("by-key", "--key", file("other")), "it is sealed for another key than that of --key"],
    [check("by-key", "--key", file("key.pub")), "does not hold a secret key"],
    [check("by-words"), "it is sealed with a passphrase: name its file"],
    [check("by-words", "--passphrase-file", file("wrong")), "the passphrase is wrong, or"],
    [
      ["copy", "save", file("c"), ...options, "--passphrase-file", file("short")],
      "expected at least 12 letters",
    ],
    [["copy", "save", file("c"), ...options, "--to", file("key")], "does not hold a public key"],
  ];
  for (const [args, sentence] of rows) {
    assertStringIncludes(failure(await faderd(...args)), sentence);
  }
  const both = ["--to", file("key.pub"), "--passphrase-file", file("words")];
  assertStringIncludes(
    failure(await faderd("copy", "save", file("c"), ...options, ...both), 2),
    "got both",
  );
});

Deno.test("a copy that is cut off or altered anywhere is refused, and the folder stays empty", async () => {
  const { scene, service } = await played();
  await using _scene = scene;
  await stopped(service);
  const { file, options } = scene;
  await well("copy", "keys", file("key"));
  await well("copy", "save", file("sealed"), ...options, "--to", file("key.pub"));
  await well("copy", "save", file("plain"), ...options);
  for (const name of ["sealed", "plain"]) {
    const whole = await Deno.readFile(file(name));
    const tar = name === "plain" ? await gunzip(whole) : undefined;
    const step = Math.ceil(whole.length / 24);
    const places = Array.from({ length: 24 }, (_, at) => at * step)
      .filter((at) => at < whole.length - 8);
    // The last bytes of gzip are its checksum and length.
    for (const at of [...places, ...Array.from({ length: 8 }, (_, at) => whole.length - 1 - at)]) {
      const altered = whole.slice();
      altered[at]! ^= 1;
      for (const [how, bytes] of [["cut", whole.subarray(0, at)], ["altered", altered]] as const) {
        // Some bytes of gzip have no meaning, or the same meaning with another value.
        const unpacked = name === "plain" ? await gunzip(bytes.slice()).catch(() => {}) : undefined;
        if (unpacked !== undefined && equal(unpacked, tar)) continue;
        await Deno.writeFile(file("bad"), bytes);
        const into = ["--data", file("empty"), "--key", file("key")];
        const { code, stdout } = await faderd("copy", "restore", file("bad"), ...into);
        assertEquals([code, stdout], [1, ""], `${name} ${how} at ${at}`);
        assertEquals([...Deno.readDirSync(file("empty"))], [], `${name} ${how} at ${at}`);
      }
    }
  }
});

Deno.test("a damaged log is not copied, and a file that is not a copy is not restored", async () => {
  const { scene, service } = await played();
  await using _scene = scene;
  await stopped(service);
  const log = `${scene.data}/00000001.log`;
  const backup = scene.file("backup.tgz");
  await well("backup", backup, ...scene.options, "--tags", "USERS");
  const strange = await faderd("copy", "restore", backup, "--data", scene.file("new"));
  assertStringIncludes(failure(strange), "the first file is manifest.json and not copy.json");
  await Deno.writeFile(log, (await Deno.readFile(log)).fill(0, 0, 8192));
  const damaged = await faderd("copy", "save", scene.file("a.copy"), ...scene.options);
  assertStringIncludes(failure(damaged), "00000001.log is damaged at offset");
});

Deno.test("a folder without a console, as of an unmounted disk, is neither copied nor backed up, and the earlier file stays", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { file, options, data } = scene;
  await Deno.mkdir(data);
  await Deno.writeTextFile(file("nightly"), "that of yesterday");
  for (const command of [["copy", "save"], ["backup"], ["copy", "save"]]) {
    const said = failure(await faderd(...command, file("nightly"), ...options));
    assertEquals(said, `faderd: ${data} holds no console\n`, command.join(" "));
  }
  assertEquals(await Deno.readTextFile(file("nightly")), "that of yesterday");
});

Deno.test("a copy without a record is neither whole nor restored", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  const origin = { format: 1, faderd: "0.2.0", device: "studio-1", serial: "0815", records: 0 };
  const content = bytesOf(JSON.stringify({ ...origin, time: new Date().toISOString() }));
  const sums = [{ name: "copy.json", bytes: content.length, sha256: hexOf(sha256(content)) }];
  const tar = tarOf([
    { name: "copy.json", content },
    { name: "sums.json", content: JSON.stringify(sums) },
  ]);
  await Deno.writeFile(copy, await gzip(tar));
  const said = `faderd: ${copy} cannot be read as a copy: it holds no console\n`;
  assertEquals(failure(await faderd("copy", "check", copy)), said);
  const log = await Deno.readFile(`${scene.data}/00000001.log`);
  const replaced = await faderd("copy", "restore", copy, "--replace", ...scene.options);
  assertEquals(failure(replaced), said);
  assertEquals(await Deno.readFile(`${scene.data}/00000001.log`), log);
});

Deno.test("a copy with a record that this version cannot read is not restored, and nothing is moved", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  await using other = await sceneOf(CONFIGURATION);
  await stopped(await other.start());
  const log = await openLog(scene.data);
  await log.append(new TextEncoder().encode(`[{"type":"fromthefuture"}]`));
  await log.close();
  await well("copy", "save", copy, ...scene.options);
  const names = () => [...Deno.readDirSync(other.data)].map(({ name }) => name).sort();
  const before = names();
  assertEquals(
    failure(await faderd("copy", "restore", copy, "--replace", ...other.options)),
    `faderd: ${copy} holds what this version cannot read: a record holds "fromthefuture", which ` +
      "this version does not know\n",
  );
  assertEquals(names(), before);
});

Deno.test("where the medium does not let a folder be read or made, copy save and copy restore say so", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  const { config, data, options } = scene;
  await Deno.symlink("fleet.json", `${data}/fleet.json`);
  const saved = failure(await faderd("copy", "save", copy, ...options));
  assertStringIncludes(saved, `the medium of ${data} does not allow that: `);
  const restored = failure(await faderd("copy", "restore", copy, "--data", `${config}/data`));
  assertStringIncludes(restored, `the medium of ${config}/data does not allow that: `);
});

Deno.test("a restore on a full medium does not say that the copy is at fault", async () => {
  const { scene, copy } = await copied();
  await using _scene = scene;
  const data = scene.file("full");
  const { open } = Deno;
  const full = async (path: string, options?: Deno.OpenOptions) => {
    const file = await open(path, options);
    const writeSync = () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    return path.startsWith(`${data}/restoring/`) ? Object.assign(file, { writeSync }) : file;
  };
  Object.assign(Deno, { open: full });
  try {
    assertEquals(
      failure(await faderd("copy", "restore", copy, "--data", data)),
      `faderd: the medium of ${data} does not allow that: no space left on the medium\n`,
    );
  } finally {
    Object.assign(Deno, { open });
  }
});

Deno.test("a restore names the files of the configuration that the copy lacks and the device does not have", async () => {
  const { scene, service } = await played();
  await using _scene = scene;
  await stopped(service);
  const { config, data, file, options } = scene;
  const hook = file("hook");
  const ca = file("ca.pem");
  scene.configure({ ...CONFIGURATION, hooks: { applied: hook }, fleet: { ca } });
  await well("copy", "save", file("a.copy"), ...options);
  const restored = () => well("copy", "restore", file("a.copy"), "--replace", ...options);
  const said = await restored();
  assertStringIncludes(
    said,
    `${config}: hooks.applied: expected the absolute path of a program that may be run, ${hook} ` +
      "is not there: the service does not start before that is mended\n",
  );
  const noHub = `${config}: fleet.ca: ${ca} is not there: the console dials no hub without it\n`;
  assertStringIncludes(said, noHub);
  await Deno.writeTextFile(hook, "#!/bin/sh\n", { mode: 0o700 });
  await Deno.writeTextFile(ca, "");
  assert(!/hooks|fleet/.test(await restored()));
  await Deno.remove(hook);
  assertStringIncludes(
    await well("copy", "restore", file("a.copy"), "--replace", "--data", data),
    `${data}/configuration.json: hooks.applied: `,
  );
});

Deno.test("backups of a folder and of a service are encrypted and restored in the same way", async () => {
  const { scene, service } = await played();
  await using _scene = scene;
  const { file, options, data } = scene;
  await well("copy", "keys", file("key"));
  const by = ["--url", service.url, "--token-file", `${data}/admin-token`];
  const tags = ["--tags", "USERS,MXSNAPS"];
  await well("backup", file("a.tgz"), ...by, ...tags, "--to", file("key.pub"));
  const closed = failure(await faderd("restore", file("a.tgz"), ...by, ...tags));
  assertStringIncludes(closed, "it is sealed for a public key");
  await well("restore", file("a.tgz"), ...by, ...tags, "--key", file("key"));
  await stopped(service);
  await well("backup", file("b.tgz"), ...options, ...tags, "--to", file("key.pub"));
  assertStringIncludes(
    failure(await faderd("restore", file("b.tgz"), ...options, ...tags)),
    "it is sealed for a public key",
  );
  await well("restore", file("b.tgz"), ...options, ...tags, "--key", file("key"));
});
