/** What systemd is told, by the real `systemd-notify`, on a socket as systemd's is. */
import { assertEquals, assertMatch } from "@std/assert";
import { until } from "../service.ts";
import { type Running, startFaderd, startFaderdIn, temporaryFolder } from "./faderd.ts";

const LISTENER = new URL("notify-listener.ts", import.meta.url).pathname;
const READS = "--allow-env=NOTIFY_SOCKET,WATCHDOG_USEC";
const RUNS = "--allow-run=systemd-notify";

/** What is told to a socket. */
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

/** Runs a service that may tell systemd. */
async function told(
  env: Record<string, string>,
  run: (running: Running, lines: string[]) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder();
  await using listener = await listenIn(folder.path);
  const surroundings = {
    allowed: [READS, RUNS],
    env: { NOTIFY_SOCKET: listener.socket, ...env },
  };
  await using running = await startFaderdIn(surroundings, "--data", `${folder.path}/data`);
  await run(running, listener.lines);
}

const ignore = !hasSystemdNotify();

Deno.test({
  name: "systemd is told that the service is ready, that it reloads, and that it stops",
  ignore,
  fn: () =>
    told({}, async (running, lines) => {
      await until(() => lines.length === 1);
      running.kill("SIGHUP");
      await until(() => lines.length === 3);
      running.kill("SIGTERM");
      assertEquals((await running.ended()).code, 0);
      await until(() => lines.length === 4);
      assertEquals(lines, ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"]);
    }),
});

Deno.test({
  name: "the watchdog hears of the service twice in its period, and nothing while that is stopped",
  ignore,
  fn: () =>
    told({ WATCHDOG_USEC: "1000000" }, async (running, lines) => {
      const heard = () => lines.filter((line) => line === "WATCHDOG=1").length;
      await until(() => heard() >= 2);
      running.kill("SIGSTOP");
      await until(() => stateOf(running.pid) === "T");
      // What was told before may still be on its way.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const before = heard();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assertEquals(heard(), before);
      running.kill("SIGCONT");
      await until(() => heard() > before);
    }),
});

Deno.test("a service that may not run systemd-notify says so once, and serves", async () => {
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

function stateOf(pid: number): string {
  const { stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/stat`] }).outputSync();
  return /\) (\w)/.exec(new TextDecoder().decode(stdout))![1]!;
}
