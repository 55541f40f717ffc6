/**
 * How much memory it takes, over an idle console, to write down a state of 61 MiB: as many saved
 * snapshots of 128 faders as a console may have.
 *
 * @module
 */
import { readConfiguration } from "../core/configuration/configuration.ts";
import { saveSnapshot } from "../core/snapshots/savesnapshot.ts";
import { set } from "../core/tree/set.ts";
import { addUser } from "../core/users/adduser.ts";
import { DEVICE } from "../core/users/user.ts";
import { machineScheduler } from "../runtimes/clock.ts";
import { openConsole } from "../program/open-console.ts";
import { V8_FLAGS } from "./process.ts";
import { benchOptions, median, print, report } from "./report.ts";

const LIVE_BYTES = 61 * 1024 * 1024;
/** V8 has collected by then what the start left. */
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
    const of = (side: keyof Measured) => median(rounds.map((one) => one[side]));
    const perRound = rounds.map(({ most, idle }) => most - idle);
    const figure = { name: "resident memory", unit: "MiB", ours: of("most"), peer: of("idle") };
    const compared = { compared: median(perRound), target: { atMost: 24 }, perRound };
    const figures = [{ ...figure, ...compared }];
    report("compaction", [{ sides: ["compacting", "idle"], figures }], options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Resident memory in MiB. */
interface Measured {
  readonly idle: number;
  readonly most: number;
}

async function measured(task: string, data: string): Promise<Measured> {
  const args = ["run", V8_FLAGS, "--allow-all", import.meta.filename!, task, data];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

function openBusy(data: string) {
  const read = readConfiguration({ mixers: [{ faders: 128 }] });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return openConsole(read.configuration, data, { scheduler: machineScheduler() });
}

async function fill(data: string): Promise<void> {
  const { console, log, close } = await openBusy(data);
  await console.dispatch(addUser({ name: "admin", groups: 255, admin: true }), DEVICE);
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
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
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
