/** `"siteKey": "own"`, and the lines of a start about site keys. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { folderTexts } from "../../program/private-file.ts";
import { ownSiteKey } from "../../runtimes/site-key.ts";
import { filesIn, gunzip } from "../core/backup/archives.ts";
import { type Running, temporaryFolder, tokenIn } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { backupOf, restoreTo } from "./restores.ts";
import { rpc, type Scene, sceneOf, stopped } from "./scene.ts";

const mixers = [{ faders: 1 }];
const own = { siteKey: "own", mixers, limits: { rest: { burst: 0 } } };
const keyFile = ({ data }: Scene) => `${data}/site-key`;

/** Adds a user to a folder; returns the token. */
async function added({ onData }: Scene, name: string): Promise<string> {
  const { stdout } = await faderd("user", "add", name, "--groups", "1", "--admin", ...onData);
  return stdout.trim();
}

/** The snapshotdata of a new snapshot. */
async function snapshotOf(service: Running, token: string): Promise<object> {
  const saved = await rpc(service, token, "savesnapshot", { type: 2, id: "", writegroups: 1 });
  assert(saved.success, JSON.stringify(saved));
  const { payload } = await rpc(service, token, "getsnapshotlist", { type: 2 });
  const { id } = payload.result.at(-1);
  return (await rpc(service, token, "getsnapshot", { id })).payload.result.snapshotdata;
}

Deno.test("own: a first start makes a key of 32 bytes in a file that only its owner can read, and prints that; a later start keeps it", async () => {
  await using scene = await sceneOf(own);
  const first = await stopped(await scene.start());
  assert(first.stderr.includes("made a site key"), first.stderr);
  const key = await Deno.readTextFile(keyFile(scene));
  assertMatch(key, /^[0-9a-f]{64}\n$/);
  assertEquals((await Deno.stat(keyFile(scene))).mode! & 0o777, 0o600);
  const { stdout, stderr } = await stopped(await scene.start());
  assert(!/site.?key/i.test(stderr), stderr);
  assert(!(first.stdout + first.stderr + stdout + stderr).includes(key.trim()));
  assertEquals(await Deno.readTextFile(keyFile(scene)), key);
});

Deno.test("own: the key is in force, also after a restart, and consoles with the same key exchange snapshots", async () => {
  await using scene = await sceneOf(own);
  const first = await scene.start();
  const snapshotdata = await snapshotOf(first, tokenIn(first.stdout));
  await stopped(first);
  const siteKey = (await Deno.readTextFile(keyFile(scene))).trim();
  const rows = [
    [{ mixers }, 10],
    [{ mixers, siteKey: "own".repeat(6) }, 10],
    [own, 10],
    [{ mixers, siteKey }, undefined],
  ] as const;
  for (const [configuration, code] of rows) {
    await using other = await sceneOf(configuration);
    await using service = await other.start();
    const { error } = await rpc(service, tokenIn(service.stdout), "setsnapshot", { snapshotdata });
    assertEquals(error?.code, code, JSON.stringify(configuration));
  }
  const token = await added(scene, "again");
  await using again = await scene.start();
  assertEquals((await rpc(again, token, "setsnapshot", { snapshotdata })).error, undefined);
});

Deno.test("own: no backup has the key, offline or not; a restore changes neither the key nor siteKey", async () => {
  await using scene = await sceneOf(own);
  const token = await added(scene, "one");
  const archive = scene.file("a.tgz");
  assertEquals((await faderd("backup", archive, ...scene.options)).code, 0);
  const key = (await Deno.readTextFile(keyFile(scene))).trim();
  const archives = [await Deno.readFile(archive)];
  {
    await using service = await scene.start();
    archives.push(await backupOf(service, "ALL", token));
    // Restored to the running service: the users are sealed under the key.
    assertEquals((await restoreTo(service, archives[0]!, "ALL", token)).Error, undefined);
  }
  for (const packed of archives) {
    const tar = await gunzip(packed);
    assert(!new TextDecoder("latin1").decode(tar).includes(key));
    assert(![...filesIn(tar).keys()].some((name) => /site/.test(name)));
  }
  assertEquals((await Deno.readTextFile(keyFile(scene))).trim(), key);
  assertEquals(JSON.parse(await Deno.readTextFile(scene.config)).siteKey, "own");
  // A console with another key cannot read the users of that archive.
  await using other = await sceneOf(own);
  await added(other, "one");
  const { code, stderr } = await faderd("restore", archive, "--tags", "USERS", ...other.options);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "users.bin");
});

Deno.test("own: an invalid key fails the start with the reason, and is not replaced", async () => {
  await using scene = await sceneOf(own);
  await added(scene, "one");
  for (const text of ["", "short\n", "g".repeat(64)]) {
    await Deno.writeTextFile(keyFile(scene), text);
    await assertRejects(
      () => scene.start(),
      Error,
      `${keyFile(scene)}: expected 64 hexadecimal digits`,
    );
    assertEquals(await Deno.readTextFile(keyFile(scene)), text);
  }
});

Deno.test("without siteKey the published key is in force, and each start prints that; with siteKey it does not", async () => {
  const rows = [[{ mixers }, true], [{ mixers, siteKey: "of this very site" }, false]] as const;
  for (const [configuration, says] of rows) {
    await using scene = await sceneOf(configuration);
    for (let start = 0; start < 2; start++) {
      const { stderr } = await stopped(await scene.start());
      assertEquals(stderr.includes("sealed with the faderd published site key"), says);
    }
  }
});

const excused = () => {};
const refused = (_file: string, _what: string, fault: unknown) => {
  throw fault;
};

Deno.test("a site key that could not be written is written later, and is the key in use", async () => {
  await using folder = await temporaryFolder();
  const texts = folderTexts(`${folder.path}/late`);
  const { key, keep } = await ownSiteKey(texts, excused);
  await assertRejects(keep!, Deno.errors.NotFound);
  await Deno.mkdir(texts.folder);
  await keep!();
  assertEquals(await Deno.readTextFile(`${texts.folder}/site-key`), `${key}\n`);
  assertEquals(await ownSiteKey(texts, refused), { key });
});

Deno.test("a site key that another process has written meanwhile is not replaced by the key in use", async () => {
  await using folder = await temporaryFolder();
  const texts = folderTexts(`${folder.path}/late`);
  const { keep } = await ownSiteKey(texts, excused);
  await Deno.mkdir(texts.folder);
  const { key } = await ownSiteKey(texts, refused);
  await keep!();
  assertEquals(await ownSiteKey(texts, refused), { key });
});
