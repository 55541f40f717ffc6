/**
 * The memory that each part of the service takes in an idle console: the bundle with the part,
 * compared with the bundle without any part, in turns. `deno task bench parts` (`--rounds N`). The
 * smallest console has eight faders, and no device view.
 *
 * @module
 */
import { bundle, FLAGS, removeMaps } from "../tools/bundle.ts";
import { idleMegabytes, startProcess } from "./process.ts";
import { benchOptions, figureOf, report } from "./report.ts";

const PART = { mixers: [{ faders: 8 }] };

/** Each part: the configuration with it. */
const PARTS = {
  "64 faders": { mixers: [{ faders: 64 }] },
  "128 faders": { mixers: [{ faders: 64 }, { faders: 64 }] },
  "Ember+": { ...PART, ember: { listen: "127.0.0.1:0" } },
  "ECP": { ...PART, ecp: { listen: "127.0.0.1:0" } },
  "metrics": { ...PART, metrics: true },
  "simulated engine": { ...PART, engine: "simulated" },
};

const options = benchOptions({ rounds: 5, seconds: 1 });
const folder = await Deno.makeTempDir({ prefix: "bench-parts-" });
try {
  await measure();
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const into = new URL(`file://${folder}/`);
  await bundle(into);
  await removeMaps(into);
  const names = Object.keys(PARTS) as (keyof typeof PARTS)[];
  const found = new Map<string, number[]>();
  const add = async (name: string, configuration: object, ...given: string[]) => {
    const all = found.get(name) ?? [];
    found.set(name, [...all, await megabytesOf(name, configuration, ...given)]);
  };
  // The first round, which makes the data folders and fills the cache of Deno, does not count.
  for (let round = -1; round < options.rounds; round++) {
    if (round === 0) found.clear();
    await add("none", PART, "--no-view");
    await add("device view", PART);
    for (const name of names) await add(name, PARTS[name], "--no-view");
  }
  const none = found.get("none")!;
  const parts = ["device view", ...names].map((name) =>
    figureOf(name, "MB", found.get(name)!, none, "difference")
  );
  report("parts", [{ sides: ["with it", "without"], figures: parts }], options);
}

/** Starts a console with a data folder of its own, and resolves with its memory when it is idle. */
async function megabytesOf(
  name: string,
  configuration: object,
  ...given: readonly string[]
): Promise<number> {
  const config = `${folder}/console.json`;
  await Deno.writeTextFile(config, JSON.stringify(configuration));
  const data = `${folder}/data-${name.replaceAll(/\W/g, "-")}`;
  const args = ["serve", "--listen", "127.0.0.1:0", "--config", config, "--data", data, ...given];
  const server = await startProcess(
    [Deno.execPath(), ...FLAGS],
    [`${folder}/faderd.js`, ...args],
    /http:.*\n/,
  );
  await (await fetch(`http://127.0.0.1:${server.port}/health`)).body?.cancel();
  return await idleMegabytes(server);
}
