/**
 * The memory that the compaction of a state of 61 MiB takes in addition to that of an idle console.
 * The state consists of snapshots of a mixer of 128 faders.
 *
 * @module
 */
import { saveSnapshot } from "../core/snapshots/savesnapshot.ts";
import { set } from "../core/tree/set.ts";
import { DEVICE } from "../core/users/user.ts";
import { machineScheduler } from "../runtimes/clock.ts";
import { openConsole } from "../program/open-console.ts";
import { printedBy, V8_FLAGS } from "./process.ts";
import { benchOptions, figureOf, print, report, sleep } from "./report.ts";
import { configured, withUser } from "./service.ts";

const LIVE_BYTES = 61 * 1024 * 1024;
/** Time in ms after which V8 has collected the garbage of the start. */
const IDLE_MS = 3000;

const [task, data] = Deno.args;
if (task === "fill") await fill(data!);
else if (task === "compact") await compact(data!);
else await run();

async function run(): Promise<void> {
  const options = benchOptions({ rounds: 3, seconds: 1 });
  const folder = await Deno.makeTempDir({ prefix: "bench-compaction-" });
  try {
    await measured("fill", folder);
    const rounds: Measured[] = [];
    for (let round = 0; round < options.rounds; round++) {
      rounds.push(await measured("compact", folder));
    }
    const most = rounds.map((one) => one.most);
    const idle = rounds.map((one) => one.idle);
    const target = { atMost: 24 };
    const figure = figureOf("resident memory", "MiB", most, idle, "difference", target);
    report("compaction", [{ sides: ["compacting", "idle"], figures: [figure] }], options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Resident memory in MiB. */
interface Measured {
  readonly idle: number;
  readonly most: number;
}

function measured(task: string, data: string): Promise<Measured> {
  return printedBy("compaction.ts", [task, data], [V8_FLAGS]);
}

function openBusy(data: string) {
  const configuration = configured({ mixers: [{ faders: 128 }] });
  return openConsole(configuration, data, { scheduler: machineScheduler() });
}

async function fill(data: string): Promise<void> {
  const { console, log, close } = await openBusy(data);
  await withUser(console, { name: "admin", admin: true });
  const user = console.state.users.get("admin")!;
  let bytes = 0;
  for (let number = 0; bytes < LIVE_BYTES; number++) {
    await console.dispatch(set("/audio/mixers/0/faders/1/fader", -number / 10), DEVICE);
    const name = `Snapshot ${number}`;
    const saved = { type: 2, id: "", name, writegroups: 1, readgroups: 0 } as const;
    const outcome = await console.dispatch(saveSnapshot(saved), { user });
    if ("code" in outcome) throw new Error(outcome.message);
    bytes += [...console.state.snapshots.values()].at(-1)!.content.length;
  }
  await log.compact();
  await close();
  print("{}");
}

async function compact(data: string): Promise<void> {
  const { log, close } = await openBusy(data);
  await sleep(IDLE_MS);
  const idle = mebibytes("VmRSS");
  // The peak counts from here on.
  await Deno.writeTextFile("/proc/self/clear_refs", "5");
  await log.compact();
  print(JSON.stringify({ idle, most: mebibytes("VmHWM") }));
  await close();
}

function mebibytes(member: string): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return Number(new RegExp(`${member}:\\s+(\\d+) kB`).exec(status)![1]) / 1024;
}
