/** A console in Node that keeps its data in a folder. */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Client, ConnectOptions } from "../../../client/client.ts";
import {
  RequestError,
  type RunningConsole,
  startConsole,
  type StartOptions,
} from "../../../runtimes/node/node.ts";

const FADER = "/audio/mixers/0/faders/0/fader";
const own = { siteKey: "own", mixers: [{ faders: 1 }] };

/** Runs `action` with the path of a folder that does not exist yet, and a list for messages. */
async function inFolder(action: (data: string, said: string[]) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(`${tmpdir()}/faderd-`);
  try {
    await action(`${folder}/data`, []);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Starts a console, runs `action` on it, and stops it. */
async function whileRunning<Result>(
  options: StartOptions,
  action: (desk: RunningConsole) => Promise<Result>,
): Promise<Result> {
  const desk = await startConsole(options);
  try {
    return await action(desk);
  } finally {
    await desk.stop();
  }
}

/** A client of the console, connected. */
async function connected(desk: RunningConsole, options: ConnectOptions = {}): Promise<Client> {
  const client = desk.connect(options);
  await client.ready();
  return client;
}

/** The snapshotdata of a new snapshot. */
async function snapshotOf(options: StartOptions): Promise<object> {
  return await whileRunning(options, async (desk) => {
    const client = await connected(desk);
    const { snapshots } = client.mixer(0);
    await snapshots.save("Morning");
    const { id } = (await snapshots.list()).find(({ name }) => name === "Morning")!;
    const { snapshotdata } = await client.rpc("getsnapshot", { id });
    return snapshotdata;
  });
}

Deno.test("in Node a restart has every acknowledged change, and the same token of its admin", () =>
  inFolder(async (data, said) => {
    const options = { data, say: (line: string) => void said.push(line) };
    const token = await whileRunning(options, async (desk) => {
      await (await connected(desk)).set(FADER, -23);
      return desk.token;
    });
    await whileRunning(options, async (desk) => {
      assertEquals(desk.token, token);
      const client = await connected(desk);
      assertEquals(await client.get(FADER), -23);
      assertEquals((await client.rpc("getuserlist", {})).length, 1);
    });
    assertEquals((await stat(`${data}/admin-token`)).mode & 0o777, 0o600);
    await rm(`${data}/admin-token`);
    await whileRunning(options, async (desk) => {
      assertEquals(desk.token, "");
      assertEquals(await (await connected(desk, { token })).get(FADER), -23);
    });
    const remark =
      "no siteKey is configured: snapshots are sealed with the faderd published site key";
    assertEquals(said, [remark, remark, remark], "each start says so");
  }));

Deno.test("in Node a token of no user, as of an earlier console of the folder, is not that of the admin", () =>
  inFolder(async (data) => {
    const token = await whileRunning({ data }, (desk) => Promise.resolve(desk.token));
    await writeFile(`${data}/admin-token`, `${token.split("-").reverse().join("-")}\n`);
    await whileRunning({ data }, async (desk) => {
      assertEquals(desk.token, "");
      await connected(desk);
    });
  }));

Deno.test("in Node a folder in use is refused with its name, and is free when the console has stopped", () =>
  inFolder(async (data) => {
    await whileRunning({ data }, async () => {
      const fault = await assertRejects(() => startConsole({ data }), Error, `${data} is in use`);
      assertEquals((fault as Error & { readonly fault: string }).fault, "inUse");
    });
    await whileRunning({ data }, () => Promise.resolve());
  }));

Deno.test("in Node a failed start releases the folder", () =>
  inFolder(async (data) => {
    await whileRunning({ data }, async ({ url }) => {
      const port = Number(new URL(url).port);
      await assertRejects(() => startConsole({ data: `${data}-other`, port }), Error);
    });
    await whileRunning({ data: `${data}-other` }, () => Promise.resolve());
  }));

Deno.test("in Node a console whose siteKey is own makes a key in its folder, says so, and keeps it", () =>
  inFolder(async (data, said) => {
    const options = { data, configuration: own, say: (line: string) => void said.push(line) };
    await whileRunning(options, () => Promise.resolve());
    const key = await readFile(`${data}/site-key`, "utf8");
    assertMatch(key, /^[0-9a-f]{64}\n$/);
    assertEquals((await stat(`${data}/site-key`)).mode & 0o777, 0o600);
    assertEquals(said, [
      `made a site key in ${data}/site-key; keep a copy, because backups can only be restored ` +
      "with this key",
    ]);
    const snapshotdata = await snapshotOf(options);
    assertEquals(await readFile(`${data}/site-key`, "utf8"), key);
    assertEquals(said.length, 1);
    // A snapshot sealed under it opens under it, and not under the published key.
    const take = (configuration: StartOptions["configuration"]) =>
      whileRunning(
        { ...configuration && { configuration } },
        async (desk) => await (await connected(desk)).rpc("setsnapshot", { snapshotdata }),
      );
    await take({ ...own, siteKey: key.trim() });
    const fault = await assertRejects(() => take({ mixers: own.mixers }), RequestError);
    assertEquals(fault.code, 10);
  }));

Deno.test("in Node an invalid site key fails the start with the reason, and no other key is used", () =>
  inFolder(async (data) => {
    await mkdir(data);
    await writeFile(`${data}/site-key`, "short\n");
    const start = () => startConsole({ data, configuration: own });
    await assertRejects(start, Error, `${data}/site-key: expected 64 hexadecimal digits`);
    assertEquals(await readFile(`${data}/site-key`, "utf8"), "short\n");
    await whileRunning({ data }, () => Promise.resolve());
  }));

Deno.test("in Node a console without a folder refuses a site key of its own", async () => {
  const fault = await assertRejects(() => startConsole({ configuration: own }), Error, "siteKey: ");
  assertMatch(fault.message, /expected at least 16 characters, or `data`/);
});

Deno.test("in Node the demo console is not started on the data of another console", () =>
  inFolder(async (data, said) => {
    const say = (line: string) => void said.push(line);
    const device = { serial: "A-1", name: "Studio-1" };
    await whileRunning({ data, say, configuration: { ...own, device } }, () => Promise.resolve());
    await assertRejects(() => startConsole({ data }), Error, "is the data of Studio-1");
    said.length = 0;
    const other = { ...own, device: { serial: "A-2", name: "Studio-2" } };
    await whileRunning({ data, say, configuration: other }, () => Promise.resolve());
    assertEquals(said.length, 1);
    assert(said[0]!.includes("was the data of Studio-1"), said[0]);
  }));

/** Flips one bit of the first record in the log of a folder that has been closed. */
async function flipFirstRecord(data: string): Promise<void> {
  const file = `${data}/00000001.log`;
  const bytes = await readFile(file);
  bytes[bytes.indexOf("[{") + 3]! ^= 1;
  await writeFile(file, bytes);
}

Deno.test("in Node a first start that cannot keep the token of the admin rejects with the reason, and the next one makes the admin", () =>
  inFolder(async (data) => {
    // No file can be made by the name of a folder that is not empty.
    await mkdir(`${data}/admin-token.new/x`, { recursive: true });
    const sentence = `the token of the user admin could not be stored in ${data}/admin-token: `;
    const fault = await assertRejects(() => startConsole({ data }), Error, sentence);
    assert(fault.message.length > sentence.length, fault.message);
    await rm(`${data}/admin-token.new`, { recursive: true });
    await whileRunning({ data }, async (desk) => {
      assertEquals(await readFile(`${data}/admin-token`, "utf8"), `${desk.token}\n`);
      assertEquals((await (await connected(desk)).rpc("getuserlist", {})).length, 1);
    });
  }));

Deno.test("in Node a log whose users cannot be read raises the alarm, and leaves the token of the admin as it is", () =>
  inFolder(async (data) => {
    const options = { data, say() {} };
    const token = await whileRunning(options, async (desk) => {
      await (await connected(desk)).set(FADER, -23);
      return desk.token;
    });
    await flipFirstRecord(data);
    await whileRunning(options, async (desk) => {
      assertEquals(desk.token, "");
      assertEquals(await (await connected(desk)).get("/general/_storage"), "damaged");
    });
    assertEquals(await readFile(`${data}/admin-token`, "utf8"), `${token}\n`);
    await flipFirstRecord(data);
    await whileRunning(options, async (desk) => {
      assertEquals(desk.token, token);
      assertEquals(await (await connected(desk)).get(FADER), -23);
    });
  }));

/** Ways in which a folder of data goes. */
const goes: Readonly<Record<string, (data: string) => Promise<void>>> = {
  removed: (data) => rm(data, { recursive: true }),
  moved: (data) => rename(data, `${data}.old`),
};

for (const [how, go] of Object.entries(goes)) {
  Deno.test(`in Node a ${how} folder raises the alarm, which ends once the folder is made again and the state in force is stored`, () =>
    inFolder(async (data, said) => {
      const options = { data, say: (line: string) => void said.push(line) };
      await whileRunning(options, async (desk) => {
        said.length = 0; // of the alarm alone
        const client = await connected(desk);
        const storage = await client.watch("/general/_storage");
        assertEquals(storage.value, "ok");
        await go(data);
        await client.set(FADER, -31);
        await storage.until((value) => value === "readonly");
        await mkdir(data);
        await storage.until((value) => value === "ok");
      });
      assertEquals(said.length, 2);
      await whileRunning({ data }, async (desk) => {
        assertEquals(await (await connected(desk)).get(FADER), -31);
      });
    }));
}

Deno.test("in Node a say that throws keeps nothing from being stored, and its errors go to onFault", () =>
  inFolder(async (data) => {
    const faults: unknown[] = [];
    const options: StartOptions = {
      data,
      configuration: own,
      say(line) {
        throw line.split(" ").slice(0, 3).join(" ");
      },
      onFault: (fault) => void faults.push(fault),
    };
    await whileRunning(options, async (desk) => {
      const client = await connected(desk);
      const storage = await client.watch("/general/_storage");
      await rm(data, { recursive: true });
      await client.set(FADER, -31);
      await storage.until((value) => value === "readonly");
      await mkdir(data);
      await storage.until((value) => value === "ok");
      await client.set(FADER, -32);
    });
    assertEquals(faults, [
      "made a site",
      "STORAGE ALARM (readonly):",
      "made a site",
      "STORAGE ALARM OVER:",
    ]);
    await whileRunning({ data, configuration: own }, async (desk) => {
      assertEquals(await (await connected(desk)).get(FADER), -32);
    });
  }));
