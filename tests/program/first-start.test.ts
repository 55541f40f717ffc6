/** The first start on a data folder: the first token, commands to try, the owner of the data. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import type { Enrolments } from "../../fleet/hub/enrolments.ts";
import { followPeople } from "../../fleet/hub/people.ts";
import { openMemoryLedger } from "../../fleet/ledger/memory.ts";
import { TOKEN_FILE } from "../../program/first-token.ts";
import { greet } from "../../program/hub-greeting.ts";
import { machine } from "../../runtimes/clock.ts";
import { demoWith } from "../service.ts";
import { temporaryFolder, tokenIn } from "./faderd.ts";
import { startFaderd } from "./in-process.ts";
import { read, rpc, sceneOf, stopped } from "./scene.ts";

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("without a terminal the first token is in a file that only its owner can read, and is not printed", async () => {
  await using scene = await sceneOf();
  await using running = await scene.start();
  const file = `${scene.data}/${TOKEN_FILE}`;
  const token = tokenIn(running.stdout);
  assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
  assertEquals(await Deno.readTextFile(file), `${token}\n`);
  assert(!`${running.stdout}${running.stderr}`.includes(token));
  assertStringIncludes(running.stdout, `is in ${file}, for the owner alone`);
  assertEquals((await rpc(running, token, "getuserlist")).success, true);
});

Deno.test("a first start prints the file of the token and three commands to try; a later start prints the data that it found", async () => {
  await using scene = await sceneOf();
  const first = await scene.start();
  const token = tokenIn(first.stdout);
  const [before, tries] = first.stdout.split("Try:\n");
  const setting = before!.split("\n").find((line) => line.includes("TOKEN="))!.trim();
  const [set, list, listen, ...more] = tries!.trimEnd().split("\n");
  assertEquals(more, []);
  assertEquals(await curl(set!, token), -20);
  assertEquals((await curl(list!, token)).success, true);
  const heard = await shell(`${setting}; ${asHere(listen!)}`);
  const told = heard.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(told.map(({ method, success }) => [method, success]), [
    ["auth", true],
    ["subscribe", true],
  ]);
  for (const id of [1, 2]) {
    const save = { type: 2, id: "", name: `Saved ${id}`, writegroups: 255 };
    assert((await rpc(first, token, "savesnapshot", save)).success);
  }
  await stopped(first);
  await using later = await scene.start();
  assert(!/[0-9a-f]{8}-[0-9a-f]{8}/.test(later.stdout), "no token is shown");
  assertStringIncludes(later.stdout, `data in ${scene.data}: 2 snapshots, 1 user`);
  assertEquals(await read(later, `audio/mixers/0/faders/0/fader?token=${token}`), -20);
});

/** Does the request of a printed curl command, as in a shell with the token. */
async function curl(command: string, token: string): Promise<ReturnType<typeof JSON.parse>> {
  const pattern = /^ {2}curl -H "Authorization: (.+)" '?(http[^ ']+)'?(?: -d '(.+)')?$/;
  const [, authorization, url, body] = pattern.exec(command)!;
  const headers = { authorization: authorization!.replace("$TOKEN", token) };
  const init = body === undefined ? { headers } : { headers, body, method: "POST" };
  return await (await fetch(url!, init)).json();
}

/** The output of shell commands. */
async function shell(commands: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", commands] }).output();
  return new TextDecoder().decode(stdout);
}

/** The printed command that listens, with this Deno, until it has received two lines. */
function asHere(command: string): string {
  const once = "(console.log(m.data), self.heard ? s.close() : self.heard = 1)";
  return command.replace(/npx --yes deno@\S+/, Deno.execPath())
    .replace("console.log(m.data)", once);
}

Deno.test("the token of the first user exists when a first start reports that it is ready", async () => {
  await using scene = await sceneOf();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const started = scene.start("--listen", `127.0.0.1:${port}`);
  const ready = async () => {
    while (true) {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
      if (answer !== undefined) return await answer.json();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  assertEquals((await ready()).ready, true);
  assert(await isThere(`${scene.data}/${TOKEN_FILE}`));
  await stopped(await started);
});

const script = await new Deno.Command("sh", { args: ["-c", "command -v script"] }).output();

Deno.test({
  name: "on a terminal the first token is printed, and written to no file",
  ignore: !script.success,
  async fn() {
    await using scene = await sceneOf();
    const main = new URL("../../main.ts", import.meta.url).pathname;
    const serve = `echo PID=$$; exec ${Deno.execPath()} run --no-prompt --allow-net --allow-read ` +
      `--allow-write ${main} serve --listen 127.0.0.1:0 --data ${scene.data}`;
    const child = new Deno.Command("script", {
      args: ["-qfec", serve, scene.file("typescript")],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    let said = "";
    let pid: number | undefined;
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += piece;
      if (pid !== undefined || !said.includes("Try:")) continue;
      // The signal goes to the service: its terminal ends with it, but not the other way round.
      pid = Number(/PID=(\d+)/.exec(said)![1]);
      Deno.kill(pid, "SIGTERM");
    }
    await child.status;
    assertMatch(said, /shown only now:\s+TOKEN=[0-9a-f]{8}(-[0-9a-f]{8}){3}\s/);
    assertEquals(await isThere(`${scene.data}/${TOKEN_FILE}`), false);
  },
});

Deno.test("the demo console does not start on the data of another console, and nothing is written", async () => {
  await using scene = await sceneOf(demoWith({ device: { name: "studio-1", serial: "0815" } }));
  await stopped(await scene.start());
  const names = () => [...Deno.readDirSync(scene.data)].map(({ name }) => name).sort();
  const before = names();
  const asDemo = () => startFaderd("--data", scene.data);
  const why =
    `${scene.data} is the data of studio-1 (serial number 0815), not of the demo console: ` +
    "name its configuration with --config";
  await assertRejects(asDemo, Error, `ended with code 1: faderd: ${why}\n`);
  assertEquals(names(), before);
});

Deno.test("a start on the data of another console prints it, once", async () => {
  await using scene = await sceneOf({});
  const { data } = scene;
  const line =
    `${data} was the data of faderd (serial number 1), and is that of faderd (2) from now on`;
  for (const [serial, isSaid] of [["1", false], ["1", false], ["2", true], ["2", false]] as const) {
    scene.configure(demoWith({ device: { serial } }));
    const { stderr } = await stopped(await scene.start());
    assertEquals(stderr.includes(line), isSaid);
  }
});

Deno.test("of two hubs that first start at the same time on one ledger, one makes the user admin, and the other one goes on", async () => {
  await using folder = await temporaryFolder();
  const ledger = { ...await openMemoryLedger(), close: () => Promise.resolve() };
  const tellers: unknown[] = [];
  const hubs = [];
  for (const name of ["one", "two"]) {
    const people = await followPeople(ledger, machine);
    const enrolments = { consoles: new Map() } as unknown as Enrolments;
    hubs.push({ name, hub: { people, enrolments, tell: () => void tellers.push(name) } });
  }
  const address = { hostname: "127.0.0.1", port: 8090 };
  const printed: string[] = [];
  const { writeSync } = Deno.stdout;
  Deno.stdout.writeSync = (bytes) => printed.push(new TextDecoder().decode(bytes));
  try {
    await Promise.all(hubs.map(({ name, hub }) => greet(hub, `${folder.path}/${name}`, address)));
  } finally {
    Deno.stdout.writeSync = writeSync;
  }
  const data = printed.filter((line) => line.startsWith("data in "));
  assertEquals(tellers, ["one"]);
  assertMatch(data[0]!, /two: another hub has just made the user admin, and has the token$/m);
  assertMatch(data[1]!, /one: new. The token of the user admin of the fleet/);
});
