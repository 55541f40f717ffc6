/**
 * Do fades keep time? The lateness and the cost of the ticks of 1, 64 and 512 fades, with a
 * subscriber to all of them in another process: on an idle service, and while a third process asks
 * for snapshot lists at half of its top rate. Then the drift of a fade of 30 s.
 *
 * Lateness and drift are compared with a naive implementation, which counts the calls of a
 * `setInterval` of 20 ms. Its lateness is the time by which its n-th step is behind n * 20 ms. The
 * peer of the cost is the service without fades. An otherwise idle process that wakes up every
 * 20 ms shows how late any process is woken on this machine meanwhile.
 *
 * @module
 */
import process from "node:process";
import { startFadeService, type Tick } from "./fade-service.ts";
import { type Client, startClient } from "./process.ts";
import {
  benchOptions,
  type Comparison,
  type Figure,
  median,
  print,
  quantile,
  report,
  sleep,
} from "./report.ts";

const FADES = [1, 64, 512] as const;
const STEP_MS = 20;
const LONGEST_S = 30;
const TOP_RATE_S = 3;
const WARM_UP_S = 3;
/**
 * Pause in ms between two measurements, so that no tick of one falls into the next. A measurement
 * without fades is shorter by `MARGIN_MS`, which does not matter: its figure is the cost of 20 ms.
 */
const MARGIN_MS = 100;

/** The targets, in ms. */
const LATENESS = { idle: { atMost: 2 }, "at half load": { atMost: 6 } } as const;
const CPU_PER_TICK = { atMost: 0.7 };
const DRIFT = { atMost: 25 };

const QUANTILES = [["p50", 0.5], ["p99", 0.99], ["max", 1]] as const;

type Condition = keyof typeof LATENESS;

const options = benchOptions({ rounds: 3, seconds: 4 });
const data = await Deno.makeTempDir();
const service = await startFadeService(data, FADES.at(-1)!);
const subscriber = await startClient<{ updates: number }>(
  "subscribers.ts",
  [service.port, 1, "/audio/mixers"],
);
const list = JSON.stringify({
  method: "rpc",
  token: service.token,
  payload: { method: "getsnapshotlist", params: { type: 2 } },
});
const answer = await (await fetch(`http://127.0.0.1:${service.port}/api/rest`, {
  method: "POST",
  body: list,
})).text();
if (!answer.endsWith('"success":true}')) throw new Error(answer);

try {
  await measure(FADES.at(-1)!, WARM_UP_S);
  const top = await topRate();
  const idle = await underCondition("idle");
  const load = await startLoad(top / 2);
  const loaded = await underCondition("at half load");
  const { perSecond } = await load.end();
  const [maximum, during] = [top, perSecond].map((rate) => `${Math.round(rate)} requests/s`);
  print(`getsnapshotlist: maximum ${maximum}, load during the fades ${during}`);
  const { updates } = await subscriber.end();
  const expected = idle.ticks + loaded.ticks;
  if (updates < expected) throw new Error(`${expected} ticks, but ${updates} updates came`);
  report("fade", [...idle.comparisons, ...loaded.comparisons], options);
} finally {
  await service.stop();
  await Deno.remove(data, { recursive: true });
}

interface Load {
  readonly perSecond: number;
}

function startLoad(perSecond: number): Promise<Client<Load>> {
  return startClient<Load>("fade-load.ts", [service.port, list, answer, perSecond]);
}

async function topRate(): Promise<number> {
  const load = await startLoad(0);
  await sleep(TOP_RATE_S * 1000);
  return (await load.end()).perSecond;
}

/** The results of one run of some fades. */
interface Run {
  readonly ticks: readonly Tick[];
  /** The lateness of each step of the naive implementation, in ms. */
  readonly naive: readonly number[];
  /** CPU time of the whole service, of all its threads, in ms for each 20 ms. */
  readonly cpu: number;
}

/** Fades for some seconds, and measures from the start until no fader moves. */
async function measure(fades: number, seconds: number): Promise<Run> {
  service.ticks.length = 0;
  const naive = naiveSteps();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  if (fades > 0) service.fade(fades, seconds);
  await sleep(seconds * 1000 + (fades > 0 ? 0 : -MARGIN_MS));
  while (service.moving > 0) await sleep(1);
  const { user, system } = process.cpuUsage(cpuBefore);
  const steps = (performance.now() - start) / STEP_MS;
  return { ticks: [...service.ticks], naive: naive.end(), cpu: (user + system) / 1000 / steps };
}

/** Counts the steps of `setInterval(20)`, and notes how late each is. */
function naiveSteps(): { end(): number[]; readonly late: readonly number[] } {
  const start = performance.now();
  const late: number[] = [];
  const interval = setInterval(() => {
    late.push(performance.now() - start - (late.length + 1) * STEP_MS);
  }, STEP_MS);
  return {
    late,
    end() {
      clearInterval(interval);
      return late;
    },
  };
}

async function underCondition(
  condition: Condition,
): Promise<{ comparisons: readonly Comparison[]; ticks: number }> {
  const empty = await startClient<{ late: number[] }>("fade-grid.ts", []);
  const runs = new Map<number, Run[]>([0, ...FADES].map((fades) => [fades, []]));
  for (let round = 0; round < options.rounds; round++) {
    for (const [fades, done] of runs) {
      done.push(await measure(fades, options.seconds));
      await sleep(MARGIN_MS);
    }
  }
  const machine = (await empty.end()).late;
  const drift = await drifts();
  const lateness = FADES.flatMap((fades) => latenessFigures(condition, fades, runs.get(fades)!));
  const costs = FADES.flatMap((fades) =>
    costFigures(condition, fades, runs.get(fades)!, runs.get(0)!)
  );
  const ticks = FADES.flatMap((fades) => runs.get(fades)!.flatMap((run) => run.ticks));
  const late = ticks.map(({ late }) => late);
  return {
    comparisons: [{
      sides: ["faderd", "naive"],
      figures: [...lateness, ...costs, driftFigure(condition, drift)],
    }, {
      sides: ["faderd", "empty process"],
      figures: QUANTILES.map(([name, share]) => {
        const ours = quantile(late, share);
        const peer = quantile(machine, share);
        const compared = ours - peer;
        const title = `${condition}, all ticks: lateness ${name}`;
        return { name: title, unit: "ms", ours, peer, compared, perRound: [compared] };
      }),
    }],
    ticks: ticks.length,
  };
}

function latenessFigures(condition: Condition, fades: number, runs: readonly Run[]): Figure[] {
  return QUANTILES.map(([name, share]) => {
    const perRound = runs.map(({ ticks }) => quantile(ticks.map(({ late }) => late), share));
    const ours = median(perRound);
    return {
      name: `${condition}, ${fades} fades: lateness ${name}`,
      unit: "ms",
      ours,
      peer: median(runs.map(({ naive }) => quantile(naive, share))),
      compared: ours,
      perRound,
      ...(name === "p99" ? { target: LATENESS[condition] } : {}),
    };
  });
}

/**
 * Makes the figures of the cost: the CPU time is compared to that of 20 ms without fades, in which
 * the naive implementation runs, too.
 */
function costFigures(
  condition: Condition,
  fades: number,
  runs: readonly Run[],
  without: readonly Run[],
): Figure[] {
  const perRound = runs.map(({ cpu }, round) => cpu - without[round]!.cpu);
  const held = runs.map(({ ticks }) => median(ticks.map(({ took }) => took)));
  const cpu = {
    name: `${condition}, ${fades} fades: CPU per tick (peer: no fades)`,
    unit: "ms",
    ours: median(runs.map(({ cpu }) => cpu)),
    peer: median(without.map(({ cpu }) => cpu)),
    compared: median(perRound),
    perRound,
    ...(condition === "idle" && fades === FADES.at(-1) ? { target: CPU_PER_TICK } : {}),
  };
  return [cpu, {
    name: "  time that a tick blocks the event loop",
    unit: "ms",
    ours: median(held),
    peer: 0,
    compared: median(held),
    perRound: held,
  }];
}

/**
 * Returns the lateness of the last step of a fade of 30 s, and of the naive step with the same
 * number.
 */
async function drifts(): Promise<{ readonly ours: number; readonly naive: number }> {
  service.ticks.length = 0;
  const naive = naiveSteps();
  const start = performance.now();
  service.fade(1, LONGEST_S);
  const steps = LONGEST_S * 1000 / STEP_MS;
  while (service.moving > 0 || naive.late.length < steps) await sleep(10);
  const { due, late } = service.ticks.at(-1)!;
  return { ours: due + late - start - LONGEST_S * 1000, naive: naive.end()[steps - 1]! };
}

function driftFigure(
  condition: Condition,
  { ours, naive }: { readonly ours: number; readonly naive: number },
): Figure {
  return {
    name: `${condition}: drift at ${LONGEST_S} s`,
    unit: "ms",
    ours,
    peer: naive,
    compared: ours,
    perRound: [ours],
    target: DRIFT,
  };
}
