import { demoConfiguration } from "../../core/configuration/demo.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import type { ConsoleEvent } from "../../core/events.ts";
import { encodeRecord } from "../../core/record.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { temporaryFolder } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";

/** Writes records to a data folder as a service does. */
async function write(data: string): Promise<void> {
  await using service = await startFaderd("--data", data);
  for (const level of [-10, -20, -30]) {
    const answer = await fetch(
      `${service.url}/api/rest/audio/mixers/0/faders/0/fader?set=${level}`,
    );
    assertEquals(await answer.json(), level);
  }
  service.kill("SIGTERM");
  await service.ended();
}

Deno.test("faderd log verify counts records, dump prints them as JSON lines, compact drops history", async () => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  await write(data);
  const verified = await faderd("log", "verify", "--data", data);
  assertEquals(verified.code, 0);
  assertMatch(verified.stdout, /^5 records, \d+ bytes$/m);
  const dumped = await faderd("log", "dump", "--data", data);
  const lines = dumped.stdout.trim().split("\n").map((line) => JSON.parse(line));
  const levels = lines.slice(2).map(({ events }) =>
    events[0].patch.audio.mixers[0].faders[0].fader
  );
  assertEquals(levels, [-10, -20, -30]);
  const compacted = await faderd("log", "compact", "--data", data);
  assertEquals([compacted.code, compacted.stderr], [0, ""]);
  const after = await faderd("log", "dump", "--data", data);
  assertEquals(after.stdout.match(/"fader":-30/g)?.length, 1);
  assertEquals(after.stdout.match(/"fader":-[12]0/g), null);
});

for (const onFault of ["play", "refuse"] as const) {
  Deno.test(`a damaged log raises the alarm and the service still starts, with onFault ${onFault}; faderd log repair keeps the damaged file`, async () => {
    await using folder = await temporaryFolder();
    const data = `${folder.path}/data`;
    await write(data);
    const log = `${data}/00000001.log`;
    const bytes = await Deno.readFile(log);
    const dumped = await faderd("log", "dump", "--data", data);
    bytes[JSON.parse(dumped.stdout.split("\n")[0]!).offset + 30]! ^= 1;
    await Deno.writeFile(log, bytes);
    const verified = await faderd("log", "verify", "--data", data);
    assertEquals(verified.code, 1);
    assertMatch(verified.stderr, /00000001\.log is damaged at offset \d+/);
    const added = await faderd("user", "add", "anna", "--groups", "1", "--data", data);
    assertEquals([added.code, added.stdout], [1, ""], "no user is added to what is damaged");
    assertMatch(added.stderr, /could not be stored: .*damaged/);
    for (const command of [["user", "list"], ["backup", `${folder.path}/a.bin`]]) {
      const { code, stderr } = await faderd(...command, "--data", data);
      assertEquals(code, 0);
      assertMatch(stderr, /^faderd: .*00000001\.log is damaged at offset \d+: .*log repair/);
    }
    {
      const config = `${folder.path}/console.json`;
      const written = { mixers: [{ faders: 1 }], storage: { onFault } };
      await Deno.writeTextFile(config, JSON.stringify(written));
      await using service = await startFaderd("--data", data, "--config", config);
      assertMatch(service.stderr, /STORAGE ALARM \(damaged\): .*damaged at offset \d+/);
      const health = await fetch(`${service.url}/health`);
      assertEquals(await health.json(), {
        live: true,
        ready: true,
        storage: "damaged",
        engine: "none",
      });
      const url = `${service.url}/api/rest/audio/mixers/0/faders/0/fader`;
      const answer = await fetch(`${url}?set=-5`);
      if (onFault === "refuse") {
        assertEquals([answer.status, (await answer.json()).error.code], [507, 12]);
      } else {
        assertEquals([answer.headers.get("durable"), await answer.json()], ["false", -5]);
        assertEquals(await fetch(url).then((answer) => answer.json()), -5);
      }
      service.kill("SIGTERM");
      assertEquals((await service.ended()).stderr.includes("are lost"), onFault === "play");
    }
    const repaired = await faderd("log", "repair", "--data", data);
    assertEquals(repaired.code, 0);
    assert([...Deno.readDirSync(data)].some(({ name }) => name.endsWith(".damaged")));
    assertEquals((await faderd("log", "verify", "--data", data)).code, 0);
  });
}

Deno.test("faderd log repair --skip goes on behind the damage, and prints what it skipped", async () => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  await write(data);
  const log = `${data}/00000001.log`;
  const bytes = await Deno.readFile(log);
  const third = JSON.parse((await faderd("log", "dump", "--data", data)).stdout.split("\n")[2]!);
  bytes[third.offset + 30]! ^= 1;
  await Deno.writeFile(log, bytes);
  const repaired = await faderd("log", "repair", "--skip", "--data", data);
  assertEquals([repaired.code, repaired.stderr], [0, ""]);
  assertMatch(repaired.stdout, /00000001\.log: skipped \d+ bytes at offset \d+: the bytes here/);
  assertMatch(repaired.stdout, /the log has 4 records now; .* kept as 00000001\.log\.damaged/);
  const dumped = (await faderd("log", "dump", "--data", data)).stdout;
  assertEquals([...dumped.matchAll(/"fader":(-\d0)/g)].map(([, level]) => level), ["-20", "-30"]);
});

Deno.test("faderd log verify names the records that the service cannot read, and dump prints the others", async () => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  await write(data);
  const log = await openLog(data);
  for (const text of ["no JSON", '[{"type":"fromalaterversion"}]']) {
    await log.append(new TextEncoder().encode(text));
  }
  await log.close();
  const verified = await faderd("log", "verify", "--data", data);
  assertEquals(verified.code, 1);
  assertMatch(
    verified.stdout,
    /00000001\.log: the record at offset \d+ cannot be read: .*not JSON/,
  );
  assertMatch(verified.stdout, /cannot be read: a record holds "fromalaterversion"/);
  assertMatch(verified.stderr, /2 records cannot be read by this version/);
  const dumped = await faderd("log", "dump", "--data", data);
  assertEquals(dumped.code, 0);
  assertMatch(dumped.stdout, /"unreadable":"a record is not JSON"/);
  assertEquals([...dumped.stdout.matchAll(/"fader":(-\d0)/g)].map(([, level]) => Number(level)), [
    -10,
    -20,
    -30,
  ]);
});

Deno.test("a command on a stopped console compacts its log if that is due: restores do not add up files", async () => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  await write(data);
  const names = () => [...Deno.readDirSync(data)].map(({ name }) => name);
  for (let count = 0; count < 3; count++) {
    const log = await openLog(data);
    // Large records without events, as large as those of restores.
    for (let part = 0; part < 3; part++) {
      await log.append(new TextEncoder().encode(`[${" ".repeat(5_000_000)}]`));
    }
    await log.close();
    assertEquals((await faderd("user", "list", "--data", data)).code, 0);
    assertEquals(names().filter((name) => name.endsWith(".log") && name !== "audit.log").length, 1);
  }
});

Deno.test("a command that only reads a stopped console does not change its files", async () => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  await write(data);
  const log = await openLog(data);
  const picture = { type: "picturewritten", id: 1, version: "a", bytes: new Uint8Array(4_000_000) };
  await log.append(encodeRecord([picture as ConsoleEvent]));
  await log.close();
  const files = () =>
    [...Deno.readDirSync(data)].map(({ name }) => {
      const bytes = Deno.readFileSync(`${data}/${name}`);
      return `${name} ${createHash("sha256").update(bytes).digest("hex")}`;
    }).sort();
  assertEquals((await faderd("log", "compact", "--data", data)).code, 0);
  const before = files();
  assertEquals((await faderd("user", "list", "--data", data)).code, 0);
  assertEquals(files(), before);
});

/** A console with some of the ids of the demo console, but other defaults. */
const studio = {
  mixers: [
    { faders: [{ channel: 8, label: "Cart" }, { channel: 1, label: "Desk" }] },
    { faders: 1 },
    { faders: 12 },
  ],
  pots: [{ id: 1, min: -100, max: 20, value: 3 }, { id: 9 }],
  globalLabels: [{ id: 1, label: "Lobby" }, { id: 50, label: "Roof" }],
  resources: [{ id: 4 }],
};

/** Values set on that console; for some the demo console has the same default, or another range. */
const values = {
  "audio/mixers/0/faders/0/label": "Host",
  "audio/mixers/0/faders/1/fader": -9,
  "audio/mixers/2/faders/11/fader": -7.5,
  "audio/mixers/2/faders/11/label": "Far",
  "audio/pots/1/value": 15,
  "audio/pots/9/value": -4,
  "control/labels/1/label": "Studio 1",
  "control/labels/50/label": "Cellar",
};

const paths = Object.keys(values);
const read = async (url: string) =>
  Object.fromEntries(
    await Promise.all(paths.map(async (path) => {
      const answer = await fetch(`${url}/api/rest/${path}`);
      return [path, await answer.json()];
    })),
  );

/**
 * A data folder of that console with its configuration file, and a backup of the demo console.
 */
async function studioFolder(folder: string) {
  const data = `${folder}/data`;
  const config = `${folder}/studio.json`;
  const archive = `${folder}/demo.bin`;
  await Deno.writeTextFile(config, JSON.stringify(studio));
  await using service = await startFaderd("--data", data, "--config", config);
  for (const [path, value] of Object.entries(values)) {
    const set = encodeURIComponent(String(value));
    assertEquals((await fetch(`${service.url}/api/rest/${path}?set=${set}`)).status, 200);
  }
  assertEquals(await read(service.url), values);
  service.kill("SIGTERM");
  await service.ended();
  const demo = `${folder}/demo`;
  await Deno.mkdir(demo);
  assertEquals((await faderd("user", "add", "anna", "--groups", "1", "--data", demo)).code, 0);
  assertEquals((await faderd("backup", archive, "--data", demo)).code, 0);
  return { data, config, archive };
}

/** The values that a start with the configuration of the studio finds. */
async function found(data: string, config: string) {
  await using service = await startFaderd("--data", data, "--config", config);
  assertEquals(/no place for/.test(service.stderr), false, service.stderr);
  return await read(service.url);
}

Deno.test("faderd restore and log compact without --config lose no value of the console", async () => {
  await using folder = await temporaryFolder();
  const { data, config, archive } = await studioFolder(folder.path);
  for (const tags of ["MXSNAPS", "TIMEZONE,LOG"]) {
    const restored = await faderd("restore", archive, "--tags", tags, "--data", data);
    assertEquals([restored.code, restored.stderr], [0, ""]);
  }
  assertEquals((await faderd("log", "compact", "--data", data)).code, 0);
  assertEquals(await found(data, config), values);
});

Deno.test("a start with the configuration of another console names the values of unknown resources, and keeps them", async () => {
  await using folder = await temporaryFolder();
  const { data, config } = await studioFolder(folder.path);
  {
    const demo = `${folder.path}/demo.json`;
    await Deno.writeTextFile(demo, JSON.stringify(demoConfiguration));
    await using service = await startFaderd("--data", data, "--config", demo);
    assertMatch(service.stderr, /no place for: .*\/audio\/mixers\/2, .*log drop-unknown/);
    // A value that both consoles have is set, the others stay.
    const set = await fetch(`${service.url}/api/rest/audio/mixers/0/faders/1/fader?set=-20`);
    assertEquals(set.status, 200);
    service.kill("SIGTERM");
    await service.ended();
  }
  assertEquals((await faderd("log", "compact", "--data", data)).code, 0);
  assertEquals(await found(data, config), { ...values, "audio/mixers/0/faders/1/fader": -20 });
});

Deno.test("faderd log drop-unknown removes the values of resources that the configuration does not have, and no others", async () => {
  await using folder = await temporaryFolder();
  const { data, config } = await studioFolder(folder.path);
  const unsaid = await faderd("log", "drop-unknown", "--data", data);
  assertEquals(unsaid.code, 2);
  assertMatch(unsaid.stderr, /--config FILE or --demo/);
  const smaller = `${folder.path}/smaller.json`;
  await Deno.writeTextFile(
    smaller,
    JSON.stringify({ ...studio, mixers: studio.mixers.slice(0, 2), pots: [{ id: 1, max: 10 }] }),
  );
  const dropped = await faderd("log", "drop-unknown", "--config", smaller, "--data", data);
  assertEquals(dropped.code, 0);
  assertMatch(
    dropped.stdout,
    /^dropped \/audio\/channels\/15\ndropped \/audio\/mixers\/2\ndropped \/audio\/pots\/9$/m,
  );
  assertEquals(await found(data, config), {
    ...values,
    "audio/mixers/2/faders/11/fader": -160,
    "audio/mixers/2/faders/11/label": "Fader 12",
    "audio/pots/9/value": 0,
  });
});
