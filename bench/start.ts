/**
 * The time and the memory of a start that reads 1,000,000 changes, compared with a start on an
 * empty folder. The changes set labels and levels of a console of 128 faders, as the service stores
 * them when nothing is compacted.
 *
 * `--records N`: another number of changes.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import type { WrittenConfiguration } from "../core/configuration/schema.ts";
import { createConsole } from "../core/console.ts";
import { beginReplay } from "../core/replay.ts";
import { set } from "../core/tree/set.ts";
import { DEVICE } from "../core/users/user.ts";
import { machine } from "../runtimes/clock.ts";
import { openLog } from "../runtimes/deno/log.ts";
import { startFaderd } from "./process.ts";
import { benchOptions, figureOf, report } from "./report.ts";
import { configured } from "./service.ts";

const FADERS = 128;
/** Number of changes that are under way together. */
const TOGETHER = 1000;

const options = benchOptions({ rounds: 3, seconds: 1 });
const records = Number(parseArgs(Deno.args, { string: ["records"] }).records ?? 1_000_000);
const configuration: WrittenConfiguration = { mixers: [{ faders: FADERS }] };

const folder = await Deno.makeTempDir({ prefix: "bench-start-" });
try {
  await run();
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function run(): Promise<void> {
  const config = `${folder}/console.json`;
  await Deno.writeTextFile(config, JSON.stringify(configuration));
  await fill(`${folder}/full`);
  const full: Start[] = [];
  const empty: Start[] = [];
  for (let round = 0; round < options.rounds; round++) {
    empty.push(await start(`${folder}/empty-${round}`, config));
    full.push(await start(`${folder}/full`, config));
  }
  const over = (name: string, unit: string, of: keyof Start, atMost: number) => {
    const [ours, peer] = [full, empty].map((starts) => starts.map((one) => one[of]));
    return figureOf(name, unit, ours!, peer!, "difference", { atMost });
  };
  const sides = [`${records.toLocaleString("en")} changes`, "empty"] as const;
  const figures = [
    over("to the first answer", "s", "seconds", 2.5),
    over("CPU until then", "s", "cpuSeconds", 2.5),
    over("memory then", "MiB", "mebibytes", 40),
  ];
  report("start", [{ sides, figures }], options);
}

/** Fills a log, which is never compacted meanwhile. */
async function fill(data: string): Promise<void> {
  const log = await openLog(data);
  const console = createConsole({
    ...machine,
    state: beginReplay(configured(configuration)).end(),
    store: log,
  });
  for (let number = 0; number < records; number += TOGETHER) {
    const changes = Array.from({ length: Math.min(TOGETHER, records - number) }, (_, index) => {
      const at = number + index;
      const fader = `/audio/mixers/0/faders/${at % FADERS}`;
      return at % 2 === 0
        ? set(`${fader}/label`, `Label ${at}`)
        : set(`${fader}/fader`, -(at % 1000) / 10);
    });
    await Promise.all(changes.map((change) => console.dispatch(change, DEVICE)));
  }
  await log.close();
}

/** The cost of a start. */
interface Start {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly mebibytes: number;
}

async function start(data: string, config: string): Promise<Start> {
  const began = performance.now();
  const service = await startFaderd(data, config);
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = service.cpuSeconds();
  const mebibytes = service.residentMegabytes() * 1e6 / 1024 ** 2;
  await service.stop();
  return { seconds, cpuSeconds, mebibytes };
}
