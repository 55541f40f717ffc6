/**
 * What do meters cost? An engine reports all meters of 512 faders 25 times a second, in a process of
 * its own, to a service that 0, 1, 16 and 100 subscribers in a third process hear them from: the
 * CPU time of the service, what it sends, and how late the ticks of 64 fades come meanwhile. The
 * other side is the same without any report.
 *
 * @module
 */
import process from "node:process";
import { startFadeService } from "./fade-service.ts";
import { startClient } from "./process.ts";
import { benchOptions, type Figure, median, print, quantile, report, sleep } from "./report.ts";

const FADERS = 512;
const FADES = 64;
const SUBSCRIBERS = [0, 1, 16, 100] as const;
const WARM_UP_S = 3;

/** In percent of a core. */
const CPU: Readonly<Record<number, { readonly atMost: number }>> = {
  0: { atMost: 2 },
  16: { atMost: 30 },
};
/** In ms. */
const LATENESS = { atMost: 3 };

interface Run {
  /** CPU time of the service, of all its threads, in percent of a core. */
  readonly cpu: number;
  /** Bytes that it sent in a second. */
  readonly bytes: number;
  /** How late each tick was, in ms. */
  readonly late: readonly number[];
}

const options = benchOptions({ rounds: 3, seconds: 4 });
const data = await Deno.makeTempDir();
const service = await startFadeService(data, FADERS);

try {
  await underCondition(1, true, WARM_UP_S);
  const runs = new Map<string, Run[]>();
  for (let round = 0; round < options.rounds; round++) {
    for (const count of SUBSCRIBERS) {
      for (const reported of [true, false]) {
        const key = `${count} ${reported}`;
        const run = await underCondition(count, reported, options.seconds);
        runs.set(key, [...runs.get(key) ?? [], run]);
      }
    }
  }
  const figures = SUBSCRIBERS.flatMap((count) =>
    figuresOf(count, runs.get(`${count} true`)!, runs.get(`${count} false`)!)
  );
  report("engine", [{ sides: ["reported", "not"], figures }], options);
} finally {
  await service.stop();
  await Deno.remove(data, { recursive: true });
}

async function underCondition(count: number, reported: boolean, seconds: number): Promise<Run> {
  const subscribers = await startClient<{ updates: number; characters: number }>(
    "subscribers.ts",
    [service.port, count, "/audio/mixers/1", "meters"],
  );
  const engine = reported
    ? await startClient<{ reports: number; bytes: number }>(
      "engine-reporter.ts",
      [service.port, service.engineToken, FADERS],
    )
    : undefined;
  await sleep(500);
  const before = process.cpuUsage();
  const start = performance.now();
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 10 / (performance.now() - start);
  service.ticks.length = 0;
  service.fade(FADES, seconds);
  while (service.moving > 0) await sleep(10);
  const late = service.ticks.map((tick) => tick.late);
  const took = (performance.now() - start) / 1000 + 0.5;
  const sent = await engine?.end();
  const { updates, characters } = await subscribers.end();
  print(
    `${count} subscribers, ${sent?.reports ?? 0} reports of ${sent?.bytes ?? 0} bytes: ` +
      `CPU ${cpu.toFixed(1)} %, ${updates} updates, lateness p99 ${
        quantile(late, 0.99).toFixed(2)
      } ms`,
  );
  return { cpu, bytes: characters / took, late };
}

function figuresOf(count: number, reported: readonly Run[], not: readonly Run[]): Figure[] {
  const figure = (name: string, unit: string, of: (run: Run) => number): Figure => {
    const perRound = reported.map(of);
    const ours = median(perRound);
    return {
      name: `${count} subscribers: ${name}`,
      unit,
      ours,
      peer: median(not.map(of)),
      compared: ours,
      perRound,
    };
  };
  const cpu = figure("CPU", "% of a core", (run) => run.cpu);
  return [
    CPU[count] === undefined ? cpu : { ...cpu, target: CPU[count] },
    figure("sent", "MB/s", ({ bytes }) => bytes / 1e6),
    {
      ...figure(`lateness of ${FADES} fades, p99`, "ms", ({ late }) => quantile(late, 0.99)),
      target: LATENESS,
    },
  ];
}
