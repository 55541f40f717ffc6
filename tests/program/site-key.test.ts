/** `"siteKey": "own"`, and what a start says of site keys. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { filesIn, gunzip } from "../core/backup/archives.ts";
import { type Running, temporaryFolder, tokenIn } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";

const mixers = [{ faders: 1 }];
const own = { siteKey: "own", mixers, limits: { rest: { burst: 0 } } };

/** A folder for the data of consoles, each by its configuration. */
async function consoles() {
  const folder = await temporaryFolder();
  return {
    path: folder.path,
    async options(name: string, configuration: object): Promise<string[]> {
      const config = `${folder.path}/${name}.json`;
      await Deno.writeTextFile(config, JSON.stringify(configuration));
      return ["--data", `${folder.path}/${name}`, "--config", config];
    },
    keyFile: (name: string) => `${folder.path}/${name}/site-key`,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function rpc({ url }: Running, token: string, method: string, params: object) {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  return await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
}

/** The snapshotdata of a snapshot that is saved for it. */
async function snapshotOf(service: Running, token: string): Promise<object> {
  const saved = await rpc(service, token, "savesnapshot", { type: 2, id: "", writegroups: 1 });
  assert(saved.success, JSON.stringify(saved));
  const { payload } = await rpc(service, token, "getsnapshotlist", { type: 2 });
  const { id } = payload.result.at(-1);
  return (await rpc(service, token, "getsnapshot", { id })).payload.result.snapshotdata;
}

async function stopped(service: Running) {
  service.kill("SIGTERM");
  return await service.ended();
}

Deno.test("own: a first start makes a key of 32 bytes for its owner alone, and says so; a later one keeps it", async () => {
  await using made = await consoles();
  const options = await made.options("a", own);
  await using first = await startFaderd(...options);
  assert((await stopped(first)).stderr.includes("made a site key"), first.stderr);
  const file = made.keyFile("a");
  const key = await Deno.readTextFile(file);
  assertMatch(key, /^[0-9a-f]{64}\n$/);
  assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
  await using later = await startFaderd(...options);
  const { stdout, stderr } = await stopped(later);
  assert(!/site.?key/i.test(stderr), stderr);
  assert(!(first.stdout + first.stderr + stdout + stderr).includes(key.trim()));
  assertEquals(await Deno.readTextFile(file), key);
});

Deno.test("own: the key is in force, also after a restart, and consoles that are given it exchange snapshots", async () => {
  await using made = await consoles();
  const options = await made.options("a", own);
  let data: object;
  {
    await using service = await startFaderd(...options);
    data = await snapshotOf(service, tokenIn(service.stdout));
    await stopped(service);
  }
  const siteKey = (await Deno.readTextFile(made.keyFile("a"))).trim();
  const codes: unknown[] = [];
  for (
    const [name, configuration] of [
      ["published", { mixers }],
      ["literal", { mixers, siteKey: "own".repeat(6) }],
      ["other", own],
      ["given", { mixers, siteKey }],
    ] as const
  ) {
    await using other = await startFaderd(...await made.options(name, configuration));
    const token = tokenIn(other.stdout);
    const { error } = await rpc(other, token, "setsnapshot", { snapshotdata: data });
    codes.push([name, error?.code]);
  }
  assertEquals(codes, [["published", 10], ["literal", 10], ["other", 10], ["given", undefined]]);
  assertEquals(
    (await faderd("user", "add", "again", "--groups", "1", ...options.slice(0, 2))).code,
    0,
  );
  const { stdout } = await faderd("user", "add", "more", "--groups", "1", ...options.slice(0, 2));
  await using again = await startFaderd(...options);
  const back = await rpc(again, stdout.trim(), "setsnapshot", { snapshotdata: data });
  assertEquals(back.error, undefined);
});

Deno.test("own: no backup has the key, offline or not; a restore changes neither it nor the word", async () => {
  await using made = await consoles();
  const options = await made.options("a", own);
  const archive = `${made.path}/a.tgz`;
  assertEquals(
    (await faderd("user", "add", "one", "--groups", "1", "--admin", ...options.slice(0, 2))).code,
    0,
  );
  assertEquals((await faderd("backup", archive, ...options)).code, 0);
  const key = (await Deno.readTextFile(made.keyFile("a"))).trim();
  const archives = [await Deno.readFile(archive)];
  {
    const added = await faderd(
      "user",
      "add",
      "two",
      "--groups",
      "1",
      "--admin",
      ...options.slice(0, 2),
    );
    const token = added.stdout.trim();
    await using service = await startFaderd(...options);
    const url = `${service.url}/action/backup?Tags=ALL`;
    const headers = { authorization: `Bearer ${token}` };
    archives.push(new Uint8Array(await (await fetch(url, { headers })).arrayBuffer()));
    // Restored while it runs: users are sealed under the key, and the configuration is another.
    const form = new FormData();
    form.append("file", new Blob([archives[0] as BlobPart]), "a.tgz");
    form.append("Tags", "ALL");
    const init = { method: "POST", headers, body: form };
    const { Error } = await (await fetch(`${service.url}/action/restore`, init)).json();
    assertEquals(Error, undefined);
    await stopped(service);
  }
  for (const packed of archives) {
    const tar = await gunzip(packed);
    assert(!new TextDecoder("latin1").decode(tar).includes(key));
    assert(![...filesIn(tar).keys()].some((name) => /site/.test(name)));
  }
  assertEquals((await Deno.readTextFile(made.keyFile("a"))).trim(), key);
  assertEquals(JSON.parse(await Deno.readTextFile(options[3]!)).siteKey, "own");
  // On a console with another key the users of that archive mean nothing.
  const other = await made.options("b", own);
  assertEquals((await faderd("user", "add", "one", "--groups", "1", ...other.slice(0, 2))).code, 0);
  const { code, stderr } = await faderd("restore", archive, "--tags", "USERS", ...other);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "users.bin");
});

Deno.test("own: what is no key is said, and no other takes its place", async () => {
  await using made = await consoles();
  const options = await made.options("a", own);
  assertEquals(
    (await faderd("user", "add", "one", "--groups", "1", ...options.slice(0, 2))).code,
    0,
  );
  for (const text of ["", "short\n", "g".repeat(64)]) {
    await Deno.writeTextFile(made.keyFile("a"), text);
    const { code, stderr } = await faderd("serve", "--listen", "127.0.0.1:0", ...options);
    assertEquals(code, 1);
    assertStringIncludes(stderr, `${made.keyFile("a")}: expected 64 hexadecimal digits`);
    assertEquals(await Deno.readTextFile(made.keyFile("a")), text);
  }
});

Deno.test("without a siteKey the published one is in force, and each start says so; with one it says nothing", async () => {
  await using made = await consoles();
  for (
    const [name, configuration, says] of [
      ["none", { mixers }, true],
      ["none", { mixers }, true],
      ["given", { mixers, siteKey: "of this very site" }, false],
    ] as const
  ) {
    await using service = await startFaderd(...await made.options(name, configuration));
    const { stderr } = await stopped(service);
    assertEquals(stderr.includes("sealed with the faderd published site key"), says);
  }
});
