import { assert, assertEquals, assertMatch } from "@std/assert";
import { faderd, startFaderd, temporaryFolder } from "./faderd.ts";

/** Writes to a data folder as a service does. */
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
  assertMatch(verified.stdout, /^4 records, \d+ bytes$/m);
  const dumped = await faderd("log", "dump", "--data", data);
  const lines = dumped.stdout.trim().split("\n").map((line) => JSON.parse(line));
  const levels = lines.slice(1).map(({ events }) =>
    events[0].patch.audio.mixers[0].faders[0].fader
  );
  assertEquals(levels, [-10, -20, -30]);
  const compacted = await faderd("log", "compact", "--demo", "--data", data);
  assertEquals([compacted.code, compacted.stderr], [0, ""]);
  const after = await faderd("log", "dump", "--data", data);
  assertEquals(after.stdout.match(/"fader":/g)?.length, 1);
});

Deno.test("damage is said and served around read-only; faderd log repair keeps what was damaged", async () => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  await write(data);
  const log = `${data}/00000001.log`;
  const bytes = await Deno.readFile(log);
  bytes[60]! ^= 1;
  await Deno.writeFile(log, bytes);
  const verified = await faderd("log", "verify", "--data", data);
  assertEquals(verified.code, 1);
  assertMatch(verified.stderr, /00000001\.log is damaged at offset \d+/);
  {
    await using service = await startFaderd("--data", data);
    assertMatch(service.stderr, /damaged at offset \d+: .*nothing can be stored/);
    const url = `${service.url}/api/rest/audio/mixers/0/faders/0/fader`;
    const refused = await fetch(`${url}?set=-5`);
    assertEquals([refused.status, (await refused.json()).error.code], [507, 12]);
    assertEquals((await fetch(url).then((answer) => answer.json())) <= 0, true);
    service.kill("SIGTERM");
    await service.ended();
  }
  const repaired = await faderd("log", "repair", "--data", data);
  assertEquals(repaired.code, 0);
  assert([...Deno.readDirSync(data)].some(({ name }) => name.endsWith(".damaged")));
  assertEquals((await faderd("log", "verify", "--data", data)).code, 0);
});

Deno.test("faderd log compact asks for the console's own configuration", async () => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  const { code, stderr } = await faderd("log", "compact", "--data", data);
  assertEquals(code, 1);
  assertMatch(stderr, /--config FILE or --demo/);
});
