/**
 * What the device view costs: the bytes of all of it, packed by gzip, beside the most that they may
 * be; how long it takes until it can be used, beside a page that does nothing but connect and show
 * what it is told; and the idle memory of the service with and without it.
 *
 * @module
 */
import { inBrowser } from "./in-browser.ts";
import type { Opening } from "./view-opening.ts";
import { startFaderd } from "./process.ts";
import { benchOptions, type Figure, median, report } from "./report.ts";

/** The view and all that it loads, in bytes. */
const BUDGET_BYTES = 45 * 1024;
const SLOWER_MS = { atMost: 300 };
const MORE_MEBIBYTES = { atMost: 1.5 };
/** After so long a service has made all that it makes at its start, and is idle. */
const SETTLE_MS = 1500;

const { rounds, ...options } = benchOptions({ rounds: 7, seconds: 1 });
report("view", [
  { sides: ["the view", "budget"], figures: [bytes()] },
  { sides: ["the view", "bare page"], figures: await usable() },
  { sides: ["with", "--no-view"], figures: [await memory()] },
], { rounds, ...options });

/** The page, its script and its styles: what every browser loads that has nothing of it. */
function bytes(): Figure {
  const built = new URL("../view/built/", import.meta.url);
  const loaded = [...Deno.readDirSync(built)].map(({ name }) => name)
    .filter((name) => /\.(html|js|css)\.gz$/.test(name));
  const ours = loaded.reduce((sum, name) => sum + Deno.statSync(new URL(name, built)).size, 0);
  const compared = ours / BUDGET_BYTES;
  return {
    ...{ name: "packed by gzip", unit: "bytes", ours, peer: BUDGET_BYTES, compared },
    ...{ target: { atMost: 1 }, perRound: [compared] },
  };
}

/** Opens pages in a browser. */
async function usable(): Promise<Figure[]> {
  const opened = await inBrowser<Readonly<Record<"view" | "bare", Opening[]>>>(
    "view-opening.ts",
    rounds,
  );
  const figure = (name: string, from: keyof Opening) => {
    const times = (which: "view" | "bare") => opened[which].map((one) => one[from]);
    const perRound = times("view").map((ms, round) => ms - times("bare")[round]!);
    const [ours, peer] = [median(times("view")), median(times("bare"))];
    return { name, unit: "ms", ours, peer, compared: median(perRound), perRound };
  };
  return [
    { ...figure("from the connection to usable", "fromOpen"), target: SLOWER_MS },
    figure("from the address to usable", "fromStart"),
  ];
}

async function memory(): Promise<Figure> {
  const folder = await Deno.makeTempDir({ prefix: "bench-view-" });
  const idle = async (name: string, args: readonly string[]) => {
    const service = await startFaderd(`${folder}/${name}`, undefined, args);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const mebibytes = service.residentMegabytes() * 1e6 / 1024 ** 2;
    await service.stop();
    return mebibytes;
  };
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await idle(`with-${round}`, []));
    peer.push(await idle(`without-${round}`, ["--no-view"]));
  }
  await Deno.remove(folder, { recursive: true });
  const compared = median(ours) - median(peer);
  return {
    ...{ name: "idle memory", unit: "MiB", ours: median(ours), peer: median(peer), compared },
    ...{
      target: MORE_MEBIBYTES,
      perRound: ours.map((mebibytes, round) => mebibytes - peer[round]!),
    },
  };
}
