/**
 * `faderd serve` on a real medium that is full or read-only: a small file system in memory, which
 * only root may mount.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { until } from "../service.ts";
import { faderd, type Running, startFaderd, temporaryFolder, tokenIn } from "./faderd.ts";
import { startHub } from "./hub-process.ts";

const FADER = "/api/rest/audio/mixers/0/faders/0/fader";

async function run(command: string, ...args: string[]): Promise<boolean> {
  const { success } = await new Deno.Command(command, { args, stdout: "null", stderr: "null" })
    .output().catch(() => ({ success: false }));
  return success;
}

/** A medium of 2 MiB, mounted in a folder of its own. */
async function smallMedium() {
  const folder = await temporaryFolder();
  const path = `${folder.path}/medium`;
  await Deno.mkdir(path);
  assert(await run("mount", "-t", "tmpfs", "-o", "size=2m", "faderd-test", path));
  return {
    path,
    remount: (how: "ro" | "rw") => run("mount", "-o", `remount,${how}`, path),
    async [Symbol.asyncDispose]() {
      await run("umount", "--lazy", path);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Whether this process may mount anything. */
async function mayMount(): Promise<boolean> {
  try {
    await using _ = await smallMedium();
    return true;
  } catch {
    return false;
  }
}

const ignore = !await mayMount();

/** Sets the fader; returns whether that was durable. */
async function sets({ url }: Running, dB: number): Promise<boolean> {
  const answer = await fetch(`${url}${FADER}?set=${dB}`);
  assertEquals([answer.status, await answer.json()], [200, dB]);
  return answer.headers.get("durable") === null;
}

async function storageOf({ url }: Running): Promise<string> {
  return (await (await fetch(`${url}/health`)).json()).storage;
}

async function rpc({ url }: Running, token: string, method: string, params: object) {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  return await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
}

async function stopped(service: Running) {
  service.kill("SIGTERM");
  return await service.ended();
}

/** Fills a medium to its last byte. */
async function fill(path: string): Promise<void> {
  const file = await Deno.open(path, { create: true, append: true });
  const page = new Uint8Array(4096);
  while (await file.write(page).then(() => true, () => false));
  file.close();
}

Deno.test({
  name:
    "a full medium: the console continues in degraded mode, and once there is space a restart finds the state in force",
  ignore,
  async fn() {
    await using medium = await smallMedium();
    const data = `${medium.path}/data`;
    {
      await using service = await startFaderd("--data", data);
      const token = tokenIn(service.stdout);
      assert(await sets(service, -1));
      await fill(`${medium.path}/filler`);
      // On a full medium the reserve for small changes is used up first.
      for (let count = 0; await sets(service, count % 2 ? -1 : -99); count++) {
        // The log keeps enough of the space that a compaction frees for the next compaction.
        if (count % 50 === 0) await fill(`${medium.path}/filler`);
      }
      assertEquals(await storageOf(service), "full");
      assertMatch(service.stderr, /STORAGE ALARM \(full\): no space left on the medium/);
      const save = { type: 2, id: "", writegroups: 1 };
      assertEquals((await rpc(service, token, "savesnapshot", save)).error.code, 12);
      assertEquals(await sets(service, -100), false);
      await Deno.remove(`${medium.path}/filler`);
      await until(() => service.stderr.includes("STORAGE ALARM OVER"));
      assertEquals(await storageOf(service), "ok");
      service.kill("SIGKILL");
      await service.ended();
    }
    await using later = await startFaderd("--data", data);
    assertEquals(await (await fetch(later.url + FADER)).json(), -100);
    assert(await sets(later, -50));
  },
});

Deno.test({
  name:
    "a medium that is mounted over the data folder is noticed at the next change, and gets the whole state in force",
  ignore,
  async fn() {
    await using folder = await temporaryFolder();
    const data = `${folder.path}/data`;
    await using service = await startFaderd("--data", data);
    assert(await sets(service, -20));
    assert(await run("mount", "-t", "tmpfs", "-o", "size=2m", "faderd-test", data));
    try {
      assertEquals(await sets(service, -30), false);
      await until(() => service.stderr.includes("STORAGE ALARM OVER"));
      assertMatch(service.stderr, /STORAGE ALARM \(readonly\): the data folder was .*replaced/);
      service.kill("SIGKILL");
      await service.ended();
      await using later = await startFaderd("--data", data);
      assertEquals(await (await fetch(later.url + FADER)).json(), -30);
    } finally {
      await run("umount", "--lazy", data);
    }
  },
});

Deno.test({
  name: "a medium that snapshots have filled: levels are stored and snapshots removed",
  ignore,
  async fn() {
    await using medium = await smallMedium();
    const config = `${medium.path}/console.json`;
    await Deno.writeTextFile(config, JSON.stringify({ mixers: [{ faders: 64 }] }));
    await using service = await startFaderd("--data", `${medium.path}/data`, "--config", config);
    const token = tokenIn(service.stdout);
    const save = { type: 2, id: "", writegroups: 1 };
    let refused;
    while (refused === undefined) refused = (await rpc(service, token, "savesnapshot", save)).error;
    assertEquals([refused.code, await storageOf(service)], [12, "full"]);
    assert(await sets(service, -20));
    const { payload } = await rpc(service, token, "getsnapshotlist", { type: 2 });
    const saved = payload.result.filter(({ id }: { id: string }) => id !== "default");
    assert(saved.length > 2);
    for (const [at, { id }] of saved.entries()) {
      assertEquals((await rpc(service, token, "removesnapshot", { id })).error, undefined);
      assert(await sets(service, -21 - at));
    }
    await until(() => service.stderr.includes("STORAGE ALARM OVER"));
  },
});

Deno.test({
  name: "a read-only medium: the console starts with its stored state, and commands refuse changes",
  ignore,
  async fn() {
    await using medium = await smallMedium();
    const data = `${medium.path}/data`;
    {
      await using service = await startFaderd("--data", data);
      assert(await sets(service, -20));
      assertEquals((await stopped(service)).code, 0);
    }
    assert(await medium.remount("ro"));
    {
      await using service = await startFaderd("--data", data);
      assertMatch(service.stderr, /^faderd: STORAGE ALARM \(readonly\): the medium is read-only/);
      assertEquals(await (await fetch(service.url + FADER)).json(), -20);
      assertEquals([await sets(service, -30), await storageOf(service)], [false, "readonly"]);
      assertMatch((await stopped(service)).stderr, /were not stored, and are lost/);
    }
    const added = await faderd("user", "add", "anna", "--groups", "1", "--data", data);
    assertEquals([added.code, added.stdout], [1, ""]);
    assertEquals(added.stderr.match(/the medium is read-only/g)?.length, 1, added.stderr);
    const listed = await faderd("user", "list", "--data", data);
    assertEquals([listed.code, listed.stdout.split("\t")[0]], [0, "admin"]);
    await using service = await startFaderd("--data", data);
    assertEquals(await sets(service, -40), false);
    assert(await medium.remount("rw"));
    await until(() => service.stderr.includes("STORAGE ALARM OVER"));
    assert(await sets(service, -41));
  },
});

Deno.test({
  name: "a hub on a read-only medium says so in its health from its start on",
  ignore,
  async fn() {
    await using medium = await smallMedium();
    const data = `${medium.path}/data`;
    {
      await using hub = await startHub(data);
      hub.kill("SIGTERM");
      await hub.ended;
    }
    assert(await medium.remount("ro"));
    await using hub = await startHub(data);
    const health = async () => (await (await fetch(`${hub.url}/health`)).json()).ledger;
    assertEquals(await health(), "failed");
    assert(await medium.remount("rw"));
    assertEquals((await hub.fleet("code")).code, 0);
    assertEquals(await health(), "ok");
  },
});

Deno.test({
  name:
    "a data folder that cannot be made: a console starts with the storage alarm, plays or refuses by onFault, and is stored once the folder can be made",
  ignore,
  async fn() {
    await using medium = await smallMedium();
    const config = `${medium.path}/console.json`;
    const refuse = { siteKey: "own", mixers: [{ faders: 1 }], storage: { onFault: "refuse" } };
    await Deno.writeTextFile(config, JSON.stringify({ ...refuse, storage: {} }));
    await Deno.writeTextFile(`${medium.path}/refuse.json`, JSON.stringify(refuse));
    assert(await medium.remount("ro"));
    const data = `${medium.path}/data`;
    {
      await using service = await startFaderd("--data", data, "--config", config);
      assertMatch(service.stderr, /STORAGE ALARM \(readonly\): .*could not be opened/);
      assertMatch(service.stderr, /the site key is in memory only/);
      assertMatch(service.stderr, /admin could not be made/);
      assertEquals([await sets(service, -30), await storageOf(service)], [false, "readonly"]);
      assertMatch((await stopped(service)).stderr, /were not stored, and are lost\n$/);
    }
    {
      await using service = await startFaderd(
        "--data",
        data,
        "--config",
        `${medium.path}/refuse.json`,
      );
      assertMatch(service.stderr, /STORAGE ALARM \(readonly\): .*could not be opened/);
      assertEquals(await storageOf(service), "readonly");
      const fader = `${service.url}/api/rest/audio/mixers/0/faders/0/fader`;
      const before = await (await fetch(fader)).json();
      const { error } = await (await fetch(`${fader}?set=-30`)).json();
      assertEquals([error.code, await (await fetch(fader)).json()], [12, before]);
    }
    {
      await using service = await startFaderd("--data", data, "--config", config);
      assertEquals(await sets(service, -30), false);
      assert(await medium.remount("rw"));
      await until(() => service.stdout.includes("npx"));
      assertMatch(service.stderr, /STORAGE ALARM OVER/);
      assertEquals(await storageOf(service), "ok");
      const token = tokenIn(service.stdout);
      const { success } = await rpc(service, token, "adduser", { name: "anna", groups: 1 });
      assert(success);
      assertMatch(service.stderr, /made a site key in .*STORAGE ALARM OVER/s);
      await until(() => [...Deno.readDirSync(data)].some(({ name }) => name === "console.json"));
      service.kill("SIGKILL");
      await service.ended();
    }
    await using later = await startFaderd("--data", data, "--config", config);
    assert(!later.stderr.includes("made a site key"), later.stderr);
    assertEquals(await (await fetch(later.url + FADER)).json(), -30);
    assertMatch(later.stdout, /2 users/);
  },
});
