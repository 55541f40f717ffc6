/**
 * What do meters cost? An engine in a process of its own reports all meters of 512 faders 25 times
 * a second to a service with 0, 16 and 100 subscribers in a third process: the CPU time of the
 * service, the bytes that it sends, and the lateness of the ticks of 64 fades meanwhile. The other
 * side is the same without any report; there, and with 400 subscribers, the CPU time of those fades
 * is the cost of their updates.
 *
 * @module
 */
import process from "node:process";
import { startFadeService } from "./fade-service.ts";
import { startClient } from "./process.ts";
import {
  benchOptions,
  type Figure,
  figureOf,
  median,
  print,
  quantile,
  report,
  sleep,
} from "./report.ts";

const FADERS = 512;
const FADES = 64;
const SUBSCRIBERS = [0, 16, 100] as const;
/** Number of subscribers that receive only fades. */
const MOST_SUBSCRIBERS = 400;
const WARM_UP_S = 3;

/**
 * The targets for meters, and for updates of moving faders, by the number of subscribers: percent
 * of a core.
 */
const METERS = { 0: { atMost: 1.5 }, 16: { atMost: 15 }, 100: { atMost: 40 } } as const;
const MOVING = {
  0: undefined,
  16: { atMost: 4 },
  100: { atMost: 9 },
  400: { atMost: 25 },
} as const;
/** Maximum lateness, as a multiple of the lateness without reports. */
const LATENESS = { atMost: 1.5 };

interface Run {
  /**
   * CPU time of the service, of all its threads, in percent of a core; and the same while faders
   * move.
   */
  readonly cpu: number;
  readonly moving: number;
  /** Bytes that it sent in a second. */
  readonly bytes: number;
  /** The lateness of each tick, in ms. */
  readonly late: readonly number[];
}

const options = benchOptions({ rounds: 3, seconds: 4 });
const data = await Deno.makeTempDir();
const service = await startFadeService(data, FADERS);

try {
  await underCondition(1, true, WARM_UP_S);
  const runs = new Map<string, Run[]>();
  const note = (count: number, reported: boolean, run: Run) => {
    const key = `${count} ${reported}`;
    runs.set(key, [...runs.get(key) ?? [], run]);
  };
  for (let round = 0; round < options.rounds; round++) {
    for (const count of SUBSCRIBERS) {
      for (const reported of [true, false]) {
        note(count, reported, await underCondition(count, reported, options.seconds));
      }
    }
    note(MOST_SUBSCRIBERS, false, await underCondition(MOST_SUBSCRIBERS, false, options.seconds));
  }
  const meters = SUBSCRIBERS.flatMap((count) =>
    meterFigures(count, runs.get(`${count} true`)!, runs.get(`${count} false`)!)
  );
  const moving = ([...SUBSCRIBERS, MOST_SUBSCRIBERS] as const).map((count) =>
    movingFigure(count, runs.get(`${count} false`)!, runs.get("0 false")!)
  );
  report("engine", [
    { sides: ["reported", "not"], figures: meters },
    { sides: ["subscribers", "none"], figures: moving },
  ], options);
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
  const start = performance.now();
  const cpu = await percentDuring(() => sleep(seconds * 1000));
  service.ticks.length = 0;
  service.fade(FADES, seconds);
  const moving = await percentDuring(async () => {
    while (service.moving > 0) await sleep(10);
  });
  const late = service.ticks.map((tick) => tick.late);
  const took = (performance.now() - start) / 1000 + 0.5;
  const sent = await engine?.end();
  const { updates, characters } = await subscribers.end();
  print(
    `${count} subscribers, ${sent?.reports ?? 0} reports of ${sent?.bytes ?? 0} bytes: ` +
      `CPU ${cpu.toFixed(1)} %, moving ${moving.toFixed(1)} %, ${updates} updates, lateness p99 ${
        quantile(late, 0.99).toFixed(2)
      } ms`,
  );
  return { cpu, moving, bytes: characters / took, late };
}

/** Returns the CPU time of this process during some work, in percent of a core. */
async function percentDuring(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / (performance.now() - start);
}

function meterFigures(
  count: typeof SUBSCRIBERS[number],
  reported: readonly Run[],
  not: readonly Run[],
): Figure[] {
  const name = `${count} subscribers`;
  const p99 = ({ late }: Run) => quantile(late, 0.99);
  return [
    absolute(`${name}: CPU`, "% of a core", reported, not, (run) => run.cpu, METERS[count]),
    absolute(`${name}: sent`, "MB/s", reported, not, ({ bytes }) => bytes / 1e6),
    figureOf(
      `${name}: lateness of ${FADES} fades, p99`,
      "ms",
      reported.map(p99),
      not.map(p99),
      "ratio",
      LATENESS,
    ),
  ];
}

function movingFigure(count: keyof typeof MOVING, heard: readonly Run[], not: readonly Run[]) {
  const name = `${FADES} moving faders to ${count} subscribers: CPU`;
  return absolute(name, "% of a core", heard, not, ({ moving }) => moving, MOVING[count]);
}

/** Makes a figure that is compared only to its target; the other side is shown beside it. */
function absolute(
  name: string,
  unit: string,
  ours: readonly Run[],
  peer: readonly Run[],
  of: (run: Run) => number,
  target?: Figure["target"],
): Figure {
  const perRound = ours.map(of);
  const sides = { ours: median(perRound), peer: median(peer.map(of)), compared: median(perRound) };
  return { name, unit, ...sides, perRound, ...(target === undefined ? {} : { target }) };
}
