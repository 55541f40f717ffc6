/**
 * The cost of a backup of 1,000 snapshots of 32 KiB: its throughput, compared with `tar` and `gzip`
 * (level 6) on the same files; its memory over idle; and the longest time for which it, or a
 * restore of it, blocks the event loop while 64 faders move, compared with the same fade alone.
 *
 * @module
 */
import { type ServerProcess, startServer } from "./process.ts";
import { benchOptions, type Figure, figureOf, report, sleep } from "./report.ts";

const TOKEN = "aaaaaaaa-00000000-00000000-00000001";
const FADERS = 64;
const FADE_S = 30;
const SETTLE_MS = 1000;
const SAMPLE_MS = 2;

/** The measurements of both sides, round by round. */
type Sides = [ours: number[], peer: number[]];

const options = benchOptions({ rounds: 5, seconds: 1 });
const process = await startServer("backup-service.ts", [TOKEN]);
const folder = await Deno.makeTempDir({ prefix: "faderd-bench-" });
try {
  const url = `http://127.0.0.1:${process.port}`;
  const address = `${url}/action/backup?Tags=MXSNAPS&Token=${TOKEN}`;
  await sleep(SETTLE_MS);
  // In a process that has never made a backup: memory that the first backup leaves behind counts as
  // well.
  const idle = process.residentMegabytes();
  await run("sh", "-c", `curl -sf '${address}' | tar xz -C '${folder}'`);
  const speeds: Sides = [[], []];
  const memories: Sides = [[], []];
  const stalls: Sides = [[], []];
  const restoreStalls: Sides = [[], []];
  const archive = `${folder}/backup.bin`;
  await run("curl", "-sf", "-o", archive, address);
  const bytes = await sizeOf(`${folder}/mxsnaps`);
  for (let round = 0; round < options.rounds; round++) {
    await sleep(SETTLE_MS);
    const watch = watchMemory(process);
    speeds[0].push(bytes / 1e6 / await seconds("curl", "-sf", "-o", "/dev/null", address));
    memories[0].push(watch());
    memories[1].push(idle);
    const pack = `tar cf - -C '${folder}' mxsnaps | gzip -6 > /dev/null`;
    speeds[1].push(bytes / 1e6 / await seconds("sh", "-c", pack));
    await fade(url);
    await stall(url);
    await sleep(SETTLE_MS);
    stalls[1].push(await stall(url));
    await run("curl", "-sf", "-o", "/dev/null", address);
    stalls[0].push(await stall(url));
  }
  // Only now, so that memory that a restore leaves behind does not count for the backup.
  for (let round = 0; round < options.rounds; round++) {
    await fade(url);
    await stall(url);
    await sleep(SETTLE_MS);
    restoreStalls[1].push(await stall(url));
    await restore(url, archive);
    restoreStalls[0].push(await stall(url));
  }
  report("backup", [
    {
      sides: ["faderd", "tar, gzip -6"],
      figures: [figureOf("throughput", "MB/s", ...speeds, "ratio", { atLeast: 0.7 })],
    },
    {
      sides: ["backing up", "idle"],
      figures: [
        figureOf("resident memory", "MB", ...memories, "difference", { atMost: 24 }),
        longestStall(stalls),
      ],
    },
    {
      sides: ["restoring", "idle"],
      figures: [longestStall(restoreStalls)],
    },
  ], options);
} finally {
  await process.stop();
  await Deno.remove(folder, { recursive: true });
}

/**
 * Makes the figure of the longest stall, which has an absolute bound, whatever the stall when idle.
 */
function longestStall([ours, idle]: Sides): Figure {
  const figure = figureOf("longest stall, 64 faders moving", "ms", ours, idle, "difference");
  return { ...figure, compared: figure.ours, perRound: ours, target: { atMost: 5 } };
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(`${program} ${args.join(" ")} failed`);
}

async function seconds(program: string, ...args: string[]): Promise<number> {
  const start = performance.now();
  await run(program, ...args);
  return (performance.now() - start) / 1000;
}

async function sizeOf(path: string): Promise<number> {
  let bytes = 0;
  for await (const { name } of Deno.readDir(path)) {
    bytes += (await Deno.stat(`${path}/${name}`)).size;
  }
  return bytes;
}

/**
 * Watches the memory of a process; the returned function ends that, and returns the maximum in MB.
 */
function watchMemory(process: ServerProcess): () => number {
  let most = process.residentMegabytes();
  const timer = setInterval(() => most = Math.max(most, process.residentMegabytes()), SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Fades each fader to a random level. */
async function fade(url: string): Promise<void> {
  for (let fader = 0; fader < FADERS; fader++) {
    const params = { fader, time: FADE_S, value: -160 + Math.random() * 170 };
    const body = JSON.stringify({
      method: "rpc",
      token: TOKEN,
      payload: { method: "fadetovalue", params },
    });
    const answer = await fetch(`${url}/api/rest`, { method: "POST", body });
    if (!(await answer.json()).success) throw new Error("a fade was refused");
  }
}

async function restore(url: string, archive: string): Promise<void> {
  const form = ["-F", `file=@${archive}`, "-F", "Tags=MXSNAPS", "-F", `Token=${TOKEN}`];
  const command = new Deno.Command("curl", { args: ["-s", ...form, `${url}/action/restore`] });
  const { stdout } = await command.output();
  const { Error: refused } = JSON.parse(new TextDecoder().decode(stdout));
  if (refused !== undefined) throw new Error(refused);
}

async function stall(url: string): Promise<number> {
  return await (await fetch(`${url}/stall`)).json();
}
