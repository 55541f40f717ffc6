/** Messages to systemd, by the real `systemd-notify`, on a socket like that of systemd. */
import { assertEquals, assertMatch } from "@std/assert";
import { until } from "../service.ts";
import { startFaderdIn, temporaryFolder } from "./faderd.ts";
import { startFaderd } from "./in-process.ts";

const LISTENER = new URL("notify-listener.ts", import.meta.url).pathname;
const READS = "--allow-env=NOTIFY_SOCKET,WATCHDOG_USEC";
const RUNS = "--allow-run=systemd-notify";

/** The messages to a socket. */
interface Told extends AsyncDisposable {
  readonly socket: string;
  readonly lines: string[];
}

async function listenIn(folder: string): Promise<Told> {
  const socket = `${folder}/notify`;
  const args = [
    "run",
    "--unstable-net",
    "--allow-net",
    "--allow-read",
    "--allow-write",
    LISTENER,
    socket,
  ];
  const process = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  const lines: string[] = [];
  const collected = (async () => {
    for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
      lines.push(...chunk.split("\n").filter((line) => line !== "" && line !== "BARRIER=1"));
    }
  })();
  await until(() => lines.shift() === "listening");
  return {
    socket,
    lines,
    async [Symbol.asyncDispose]() {
      process.kill("SIGKILL");
      await process.status;
      await collected;
    },
  };
}

function hasSystemdNotify(): boolean {
  try {
    return new Deno.Command("systemd-notify", { args: ["--version"] }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test({
  name:
    "systemd is told that the service is ready, reloads and stops, and twice in a watchdog period that it is alive",
  ignore: !hasSystemdNotify(),
  async fn() {
    await using folder = await temporaryFolder();
    await using listener = await listenIn(folder.path);
    const env = { NOTIFY_SOCKET: listener.socket, WATCHDOG_USEC: "400000" };
    const surroundings = { allowed: [READS, RUNS], env };
    await using running = await startFaderdIn(surroundings, "--data", `${folder.path}/data`);
    const isAlive = (line: string) => line === "WATCHDOG=1";
    const told = () => listener.lines.filter((line) => !isAlive(line));
    await until(() => told().length === 1);
    await until(() => listener.lines.filter(isAlive).length >= 2);
    running.kill("SIGHUP");
    await until(() => told().length === 3);
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    await until(() => told().length === 4);
    assertEquals(told(), ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"]);
  },
});

Deno.test("a service that may not run systemd-notify prints that once, and serves", async () => {
  await using folder = await temporaryFolder();
  const surroundings = { allowed: [READS], env: { NOTIFY_SOCKET: `${folder.path}/nobody` } };
  await using running = await startFaderdIn(surroundings, "--data", `${folder.path}/data`);
  await until(() => running.stderr.includes("systemd"));
  assertMatch(running.stderr, /systemd cannot be told READY=1: .*allow-run/);
  assertEquals((await (await fetch(`${running.url}/health`)).json()).ready, true);
});

Deno.test("a service without the right to read the environment tells systemd nothing", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", `${folder.path}/data`);
  running.kill("SIGTERM");
  assertEquals((await running.ended()).stderr.includes("systemd"), false);
});
