/** Backups of a fleet, with a hub and consoles as processes of their own. */
import { assertEquals, assertMatch } from "@std/assert";
import { faderd, outputOf, temporaryFolder } from "./faderd.ts";
import {
  connectThrough,
  enrol,
  idOf,
  type RunningHub,
  startConsole,
  startHub,
  untilState,
} from "./hub-process.ts";

/** Starts a console with `fleet.may` admin, and approves it at the hub. */
async function member(hub: RunningHub, folder: string, name: string) {
  const data = `${folder}/${name}`;
  await Deno.mkdir(data);
  const config = `${folder}/${name}.json`;
  const written = { device: { name }, mixers: [{ faders: 2 }], fleet: { may: "admin" } };
  await Deno.writeTextFile(config, JSON.stringify(written));
  await enrol(hub, data, "--config", config);
  const desk = await startConsole(data, "--config", config);
  const id = await idOf(data);
  await hub.fleet("approve", id);
  await untilState(hub, id, "live");
  return { desk, id };
}

Deno.test("the backup of a lost console is restored to its replacement through the hub", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const backups = `${path}/backups`;
  await Deno.mkdir(`${backups}/unfinished`, { recursive: true });
  await Deno.writeTextFile(`${backups}/unfinished/left`, "half an archive");
  await Deno.writeTextFile(`${path}/hub.json`, JSON.stringify({ backup: { folder: backups } }));
  await using hub = await startHub(`${path}/hub`, "--config", `${path}/hub.json`);
  const lost = await member(hub, path, "studio");
  await using desk = lost.desk;
  await using client = connectThrough(hub, lost.id);
  await client.ready();
  await client.rpc("setviewdocument", { name: "pages", document: { evening: 1 } });
  const made = await hub.fleet("backup", "now", "studio");
  assertEquals([made.code, made.stderr], [0, ""]);
  const content = made.stdout.trim().split("\t").at(-1)!;
  const archive = `${backups}/archives/${content}.tgz`;
  assertEquals((await Deno.stat(archive)).mode! & 0o777, 0o600);
  assertEquals([...Deno.readDirSync(`${backups}/unfinished`)], []);
  assertEquals((await hub.fleet("backup", "now", "studio")).code, 0);
  const listed = (...of: string[]) =>
    hub.fleet("backup", "list", ...of).then(({ stdout }) => stdout);
  const newest = new RegExp(`^${lost.id}\\tstudio\\tsite none\\t\\S+\\t\\d+ bytes\\t\\w+\\n$`);
  assertMatch(await listed(), newest);
  assertEquals((await listed("studio")).split("\n").length, 3, "both backups");
  desk.kill("SIGKILL");
  await untilState(hub, lost.id, "gone");
  assertMatch((await hub.fleet("backup", "now", "studio")).stderr, /studio: .* is gone since /);
  const spare = await member(hub, path, "spare");
  await using other = spare.desk;
  const file = `${path}/studio.tgz`;
  assertEquals((await hub.fleet("backup", "get", "studio", file)).code, 0);
  assertEquals(await Deno.readFile(file), await Deno.readFile(archive));
  const ofHub = ["--url", hub.url, "--token", hub.token];
  const piped = await outputOf("fleet", "backup", "get", "studio", "-", ...ofHub);
  assertEquals([piped.code, new TextDecoder().decode(piped.stderr)], [0, ""]);
  assertEquals(piped.stdout, await Deno.readFile(archive));
  const url = `${hub.url}/consoles/${spare.id}`;
  const restored = await faderd("restore", file, "--url", url, "--token", hub.token);
  assertEquals([restored.code, restored.stderr], [0, ""]);
  await using through = connectThrough(hub, spare.id);
  await through.ready();
  const { document } = await through.rpc("getviewdocument", { name: "pages" });
  assertEquals(document, { evening: 1 });
  other.kill("SIGTERM");
  const anybody = await fetch(`${hub.url}/backups/${lost.id}/${content}`);
  assertEquals(anybody.status, 401);
  await anybody.body?.cancel();
});
