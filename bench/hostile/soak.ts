/**
 * All attacks mixed, for a long time: whether memory stays, and descriptors are given back.
 *
 * @module
 */
import { median, print, table } from "../report.ts";
import { figuresOf } from "./figures.ts";
import { rows } from "./rows.ts";
import { descriptors, forgetPeak, openScene, peakMegabytes } from "./scene.ts";
import { sleep } from "./target.ts";

/** So many attacks go on at the same time. */
const TOGETHER = 3;
/** Each for so long, in s. */
const LONGEST_S = 20;
const MINUTE_MS = 60_000;
const WARM_UP_MS = 5000;
const SETTLE_MS = 30_000;
const SAMPLE_MS = 500;
/** The last quarter may have so much more than the one before, in MB, and is flat. */
const FLAT_MB = 20;

const now = () => performance.timeOrigin + performance.now();

/**
 * Runs a soak of some minutes. What changes the console's own configuration where it succeeds is
 * not in it.
 */
export async function soak(
  minutes: number,
  main: string | undefined,
  json: boolean,
): Promise<void> {
  const scene = await openScene(main, true);
  const { service } = scene;
  await sleep(WARM_UP_MS);
  const calm = { from: now() - WARM_UP_MS / 2, to: now() };
  const idle = service.residentMegabytes();
  const before = descriptors(service);
  const end = now() + minutes * MINUTE_MS;
  const told: Record<string, number> = {};
  const names = rows.filter(({ reconfigures }) => !reconfigures).map(({ name }) => name);
  let turn = 0;

  async function attackOn(): Promise<void> {
    while (now() < end && !service.ended) {
      const name = names[turn++ % names.length]!;
      const attack = await scene.attack(name);
      await sleep(Math.min(LONGEST_S * 1000, Math.max(0, end - now())));
      for (const [what, count] of Object.entries(await attack.end())) {
        const key = `${name}: ${what}`;
        told[key] = (told[key] ?? 0) + count;
      }
    }
  }

  const samples: number[] = [];
  const perMinute: { least: number; median: number; most: number }[] = [];
  async function watch(): Promise<void> {
    forgetPeak(service);
    let minute: number[] = [];
    for (let due = now() + MINUTE_MS; now() < end && !service.ended;) {
      await sleep(SAMPLE_MS);
      if (service.ended) break;
      minute.push(service.residentMegabytes());
      if (now() < due && now() < end) continue;
      const figures = {
        least: Math.min(...minute) - idle,
        median: median(minute) - idle,
        most: peakMegabytes(service) - idle,
      };
      print(
        `minute ${perMinute.length + 1}: ${Math.round(figures.least)} to ` +
          `${Math.round(figures.most)} MB over idle, median ${Math.round(figures.median)}`,
      );
      perMinute.push(figures);
      samples.push(...minute);
      minute = [];
      due += MINUTE_MS;
      forgetPeak(service);
    }
  }

  await Promise.all([watch(), ...Array.from({ length: TOGETHER }, attackOn)]);
  const attacked = { from: calm.to, to: now() };
  await sleep(SETTLE_MS);
  const lived = !service.ended;
  const left = lived ? service.residentMegabytes() - idle : 0;
  const after = descriptors(service);
  const seen = await scene.witnessed();
  const figures = figuresOf(seen, attacked, calm);
  await scene.stop();

  const half = samples.slice(samples.length / 2);
  const quarters = [half.slice(0, half.length / 2), half.slice(half.length / 2)] as const;
  const growth = median(quarters[1]) - median(quarters[0]);
  const flat = growth <= FLAT_MB;
  print(table([
    ["soak", `${minutes} minutes`, "target"],
    ["lived", lived ? "yes" : "NO", "yes"],
    ["MB over idle at most", Math.max(...perMinute.map(({ most }) => most)).toFixed(0), ""],
    [`MB over idle ${SETTLE_MS / 1000} s after`, left.toFixed(0), ""],
    ["growth in the last half, MB", growth.toFixed(1), `<= ${FLAT_MB}`],
    ["descriptors before, after", `${before}, ${after}`, "the same"],
    ["slowest read, ms", figures.slowestRead.toFixed(0), ""],
    ["p99 read, ms", figures.p99Read.toFixed(0), ""],
    ["p99 lateness, ms", figures.lateP99.toFixed(1), ""],
  ]));
  print(`honest client: ${JSON.stringify(seen.faults)}`);
  print(`told: ${JSON.stringify(told)}`);
  if (!json) return;
  const result = { minutes, lived, idle, perMinute, left, growth, flat, before, after, ...figures };
  print(JSON.stringify({ bench: "hostile", soak: result, told, faults: seen.faults }));
}
