/**
 * The cost of the device view: the bytes before its first page is whole, compared with their
 * budget, and the bytes of all of it, packed by gzip; the time until it can be used, compared with
 * a page that only connects and shows a value; and the idle memory of the service with and without
 * it.
 *
 * @module
 */
import { BROWSER, idleMegabytes, printedBy, startFaderd } from "./process.ts";
import { benchOptions, type Figure, figureOf, report } from "./report.ts";
import { viewBytes } from "../tools/view.ts";
import type { OverNetwork } from "./view-network.ts";
import type { Opening } from "./view-opening.ts";

/** The budget in bytes of the files that are loaded before the first page is whole. */
const BUDGET_BYTES = 45 * 1024;
const SLOWER_MS = { atMost: 300 };
const MORE_MEBIBYTES = { atMost: 1.5 };

const { rounds, ...options } = benchOptions({ rounds: 7, seconds: 1 });
report("view", [
  { sides: ["the view", "budget"], figures: bytes() },
  { sides: ["the view", "bare page"], figures: await usable() },
  { sides: ["the view", "target"], figures: await overNetwork() },
  { sides: ["with", "--no-view"], figures: [await memory()] },
], { rounds, ...options });

function bytes(): Figure[] {
  const { first, later } = viewBytes();
  return [
    figureOf("before the first page is whole", "bytes", [first], [BUDGET_BYTES], "ratio", {
      atMost: 1,
    }),
    figureOf("with all pages", "bytes", [first + later], [BUDGET_BYTES], "ratio"),
  ];
}

/** Opens pages in a browser. */
async function usable(): Promise<Figure[]> {
  const opened = await printedBy<Readonly<Record<"view" | "bare", Opening[]>>>(
    "view-opening.ts",
    [rounds],
    BROWSER,
  );
  const figure = (name: string, from: keyof Opening, target?: Figure["target"]) => {
    const [ours, peer] = [opened.view, opened.bare].map((all) => all.map((one) => one[from]));
    return figureOf(name, "ms", ours!, peer!, "difference", target);
  };
  return [
    figure("from the connection to usable", "fromOpen", SLOWER_MS),
    figure("from the address to usable", "fromStart"),
  ];
}

/** Opens pages over networks, and scrolls one. */
async function overNetwork(): Promise<Figure[]> {
  const { usable, delays, frames } = await printedBy<OverNetwork>("view-network.ts", [], BROWSER);
  const atMost = (name: string, unit: string, ours: readonly number[], target: number) =>
    figureOf(name, unit, [...ours], ours.map(() => target), "ratio", { atMost: 1 });
  return [
    atMost("64 faders are usable after", "bytes", [usable[64]], 60_000),
    atMost("1,000 faders are usable after", "bytes", [usable[1000]], 400_000),
    atMost("a change is seen at 400 kbit/s after", "ms", delays, 500),
    figureOf("1,000 faders scroll at", "frames", [frames], [30], "ratio", { atLeast: 1 }),
  ];
}

async function memory(): Promise<Figure> {
  const folder = await Deno.makeTempDir({ prefix: "bench-view-" });
  const idle = async (name: string, args: readonly string[]) =>
    await idleMegabytes(await startFaderd(`${folder}/${name}`, undefined, args)) * 1e6 / 1024 ** 2;
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await idle(`with-${round}`, []));
    peer.push(await idle(`without-${round}`, ["--no-view"]));
  }
  await Deno.remove(folder, { recursive: true });
  return figureOf("idle memory", "MiB", ours, peer, "difference", MORE_MEBIBYTES);
}
