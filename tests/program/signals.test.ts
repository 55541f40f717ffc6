/** Signals to the service, and to the processes that started it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openSocket, until } from "../service.ts";
import { type Running, startFaderd as startProcess, temporaryFolder } from "./faderd.ts";
import { hangUp, read, sceneOf } from "./scene.ts";

const CONSOLE = { mixers: [{ faders: 2 }], device: { serial: "1" } };

const socketOf = ({ url }: Running) => openSocket(`${url.replace("http", "ws")}/api/ws`);
const fadersOf = async (running: Running) =>
  (await read(running, "audio/mixers/0/faders?flat=true")).length;

Deno.test("SIGHUP puts the configuration file in force as a restore does, and keeps the layout of the file", async () => {
  await using scene = await sceneOf(CONSOLE);
  await using running = await scene.start();
  await read(running, "audio/mixers/0/faders/1/fader?set=-7");
  const socket = await socketOf(running);
  const text = JSON.stringify({ ...CONSOLE, mixers: [{ faders: 3 }] }, null, 7);
  await Deno.writeTextFile(scene.config, text);
  assertMatch(await hangUp(running), /SIGHUP: \S+console\.json is in force\n/);
  assertEquals(await fadersOf(running), 3);
  assertEquals(await read(running, "audio/mixers/0/faders/1/fader"), -7);
  assertEquals(await socket.closed, 1012);
  assertEquals(await Deno.readTextFile(scene.config), text);
  assertMatch(await hangUp(running), /SIGHUP: \S+console\.json has not changed\n/);
});

/** Holds all writes back from the medium until `release` is called. */
function holdMedium() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { syncData } = Deno.FsFile.prototype;
  let waiting = 0;
  Deno.FsFile.prototype.syncData = async function () {
    waiting++;
    await promise;
    return await syncData.call(this);
  };
  return {
    waiting: () => waiting,
    release() {
      Deno.FsFile.prototype.syncData = syncData;
      resolve();
    },
  };
}

Deno.test("a file that is written while SIGHUP stores the one before stays as it is, and its own SIGHUP puts it in force", async () => {
  await using scene = await sceneOf(CONSOLE);
  await using running = await scene.start();
  const text = JSON.stringify({ ...CONSOLE, mixers: [{ faders: 4 }] }, null, 7);
  const medium = holdMedium();
  try {
    scene.configure({ ...CONSOLE, mixers: [{ faders: 3 }] });
    running.kill("SIGHUP");
    await until(() => medium.waiting() > 0);
    await Deno.writeTextFile(scene.config, text);
    running.kill("SIGHUP");
  } finally {
    medium.release();
  }
  const said = () => running.stderr.split("\n").filter((line) => line.includes("SIGHUP: "));
  await until(() => said().length === 2);
  for (const line of said()) assertMatch(line, /SIGHUP: \S+console\.json is in force$/);
  assertEquals(await fadersOf(running), 4);
  assertEquals(await Deno.readTextFile(scene.config), text);
});

Deno.test("SIGHUP puts a new value of anonymous in force at once, also on open connections", async () => {
  await using scene = await sceneOf(CONSOLE);
  await using running = await scene.start();
  const path = `${running.url}/api/rest/audio/mixers/0/faders/0/fader`;
  const statuses = async () => {
    const write = await fetch(`${path}?set=-7`);
    const read = await fetch(path);
    await Promise.all([write.body?.cancel(), read.body?.cancel()]);
    return [write.status, read.status];
  };
  assertEquals(await statuses(), [200, 200]);
  const rows = [["view", [401, 200]], ["none", [401, 401]], ["operate", [200, 200]]] as const;
  for (const [anonymous, expected] of rows) {
    const socket = await socketOf(running);
    scene.configure({ ...CONSOLE, anonymous });
    assertMatch(await hangUp(running), /SIGHUP: \S+console\.json is in force\n/);
    assertEquals([anonymous, await statuses()], [anonymous, expected]);
    assertEquals(await socket.closed, 1012);
    assertEquals(JSON.parse(await Deno.readTextFile(scene.config)).anonymous, anonymous);
  }
});

const WRONG_FILES = [
  ["{", "is not JSON"],
  ['{"mixers":7}', "mixers: "],
  ['{"mixers":[{"faders":3}]}', "changing device needs a restart"],
  [JSON.stringify({ ...CONSOLE, licenses: [] }), "changing licenses needs a restart"],
] as const;

Deno.test("SIGHUP with an invalid file changes nothing, and prints the reason", async () => {
  await using scene = await sceneOf(CONSOLE);
  await using running = await scene.start();
  for (const [text, reason] of WRONG_FILES) {
    await Deno.writeTextFile(scene.config, text);
    const said = await hangUp(running);
    assertStringIncludes(said, "SIGHUP: nothing has changed: ");
    assertStringIncludes(said, reason);
    assertEquals(await fadersOf(running), 2);
    assertEquals(await Deno.readTextFile(scene.config), text);
  }
});

Deno.test("SIGHUP to a demo console prints that there is no file to read", async () => {
  await using scene = await sceneOf();
  await using running = await scene.start();
  assertStringIncludes(await hangUp(running), "there is no configuration file to read");
});

Deno.test("two signals at the same time count as one; a later second signal ends the service at once", async () => {
  await using scene = await sceneOf();
  // Signals within 250 ms of the machine's time count as one, which the process tells nobody; it
  // ends by itself after a second.
  for (const [pause, code] of [[0, 0], [600, 1]] as const) {
    await using running = await startProcess(...scene.options);
    const { hostname, port } = new URL(running.url);
    // The service waits up to a second for an unfinished request.
    using half = await Deno.connect({ hostname, port: Number(port) });
    const request = "POST /api/rest HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{";
    await half.write(new TextEncoder().encode(request));
    await (await fetch(`${running.url}/health`)).text();
    running.kill("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, pause));
    running.kill("SIGINT");
    const ended = await running.ended();
    assertEquals(ended.code, code, ended.stderr);
    assertEquals(ended.stderr.includes("SIGINT again: ended at once"), code === 1);
  }
});

/** The task, started as in the README. */
interface Task {
  /** The processes of npx: npx itself first, the service last. */
  readonly pids: readonly number[];
  ended(): Promise<void>;
}

async function startTask(data: string): Promise<Task> {
  const options = ["--listen", "127.0.0.1:0", "--data", data];
  // A session of its own makes it a process group of its own, as at the prompt of a shell.
  const child = new Deno.Command("setsid", {
    args: ["npx", "--yes", "deno@2.9.6", "task", "start", ...options],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let said = "";
  const ready = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += piece;
      if (/^ {2}npx /m.test(said)) ready.resolve();
    }
    ready.reject(new Error(`it ended, having said: ${said}`));
  })();
  await ready.promise;
  const pids = await processesOf(data);
  return {
    pids,
    async ended() {
      try {
        await until(() => !pids.some(isThere));
      } finally {
        for (const pid of pids.filter(isThere)) Deno.kill(pid, "SIGKILL");
      }
      await Promise.all([reading, child.status]);
    },
  };
}

/**
 * The processes with a text in their arguments, sorted by the time of their start, because process
 * ids wrap around.
 */
async function processesOf(text: string): Promise<number[]> {
  const search = `for file in $(grep -la -- '${text}' /proc/[0-9]*/cmdline 2>/dev/null); do
    folder=\${file%/cmdline}
    echo "$(sed 's/.*) //' $folder/stat 2>/dev/null | cut -d' ' -f20) \${folder#/proc/}"
  done | sort -n`;
  const { stdout } = await new Deno.Command("sh", { args: ["-c", search] }).output();
  return new TextDecoder().decode(stdout).split("\n")
    .map((line) => Number(line.split(" ")[1]))
    // The search finds its own processes, too; they have ended by now.
    .filter((pid) => pid > 0 && isThere(pid));
}

function isThere(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGCONT");
    return true;
  } catch {
    return false;
  }
}

const tools = await new Deno.Command("sh", { args: ["-c", "command -v npx && command -v setsid"] })
  .output();

Deno.test({
  name: "SIGTERM to any process of npx … task start ends the service",
  ignore: !tools.success,
  async fn() {
    await using folder = await temporaryFolder();
    const endAt = async (at: number) => {
      const task = await startTask(`${folder.path}/data-${at}`);
      Deno.kill(task.pids[at]!, "SIGTERM");
      await task.ended();
      return task.pids.length;
    };
    const count = await endAt(0);
    assert(count >= 3, `${count} processes`);
    await Promise.all(Array.from({ length: count - 1 }, (_, at) => endAt(at + 1)));
  },
});

Deno.test({
  name: "SIGTERM to npx as soon as its output names the task leaves no process running",
  ignore: !tools.success,
  async fn() {
    await using folder = await temporaryFolder();
    await Promise.all(["view", "start"].map(async (task) => {
      const data = `${folder.path}/${task}`;
      const npx = new Deno.Command("npx", {
        args: ["--yes", "deno@2.9.6", "task", "start", "--listen", "127.0.0.1:0", "--data", data],
        env: { NO_COLOR: "1" },
        stdout: "null",
        stderr: "piped",
      }).spawn();
      let said = "";
      const reading = (async () => {
        for await (const piece of npx.stderr.pipeThrough(new TextDecoderStream())) said += piece;
      })();
      await until(() => said.includes(`Task ${task}`));
      npx.kill("SIGTERM");
      await npx.status;
      let left: number[] = [npx.pid];
      try {
        const from = performance.now();
        while (left.length > 0 && performance.now() - from < 20_000) left = await processesOf(data);
        assertEquals(left, []);
      } finally {
        for (const pid of left.filter(isThere)) Deno.kill(pid, "SIGKILL");
        await reading;
      }
    }));
  },
});

Deno.test({
  name: "SIGINT to all processes of npx … task start, as a terminal sends it, ends the service",
  ignore: !tools.success,
  async fn() {
    await using folder = await temporaryFolder();
    const { pids, ended } = await startTask(`${folder.path}/data`);
    // A negative number names a process group.
    Deno.kill(-pids[0]!, "SIGINT");
    await ended();
  },
});
