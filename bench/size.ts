/**
 * The cost of the bundle (`deno task bundle`), compared with a bare `Deno.serve`: the bytes that a
 * start evaluates, the idle memory, and the time from the start to the first answer. The data folder
 * exists already, and Deno has cached the program in an earlier run. The bundle has no source maps,
 * as on a device.
 *
 * @module
 */
import { bundle, bytesOfStart, FLAGS, removeMaps } from "../tools/bundle.ts";
import { idleMegabytes, startProcess } from "./process.ts";
import { benchOptions, type Figure, figureOf, report } from "./report.ts";

/** Maximum number of bytes of the bundle without the view that a start evaluates. */
const BUDGET_BYTES = 440_000;
const MORE_MEGABYTES = { atMost: 10 };
const TIMES_AS_LONG = { atMost: 1.8 };

const BARE = `Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log("http://127.0.0.1:" + port),
}, () => Response.json({ ready: true }));
`;

/** The cost of one start. */
interface Start {
  readonly megabytes: number;
  readonly ms: number;
}

const options = benchOptions({ rounds: 7, seconds: 1 });
const folder = await Deno.makeTempDir({ prefix: "bench-size-" });
try {
  await run();
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function run(): Promise<void> {
  const bytes = {
    withView: await made("with-view", true),
    withoutView: await made("without-view", false),
  };
  await Deno.writeTextFile(`${folder}/bare.js`, BARE);
  const serve = ["serve", "--listen", "127.0.0.1:0", "--data", `${folder}/data`];
  const programs = {
    bare: ["bare.js"],
    withView: ["with-view/faderd.js", ...serve],
    noView: ["with-view/faderd.js", ...serve, "--no-view"],
    withoutView: ["without-view/faderd.js", ...serve, "--no-view"],
  };
  // The first start makes the data folder and the cache of Deno.
  for (const args of Object.values(programs)) await start(args);
  const starts = { bare: [], withView: [], noView: [], withoutView: [] } as Record<
    keyof typeof programs,
    Start[]
  >;
  for (let round = 0; round < options.rounds; round++) {
    for (const [name, args] of Object.entries(programs)) {
      starts[name as keyof typeof programs].push(await start(args));
    }
  }

  const ofBytes = (name: string, bytes: number, target?: Figure["target"]) =>
    figureOf(name, "bytes", [bytes], [BUDGET_BYTES], "ratio", target);
  const sides = (program: keyof typeof programs, of: keyof Start) =>
    [starts[program], starts.bare].map((all) => all.map((one) => one[of])) as [number[], number[]];
  const memory = (name: string, program: keyof typeof programs) =>
    figureOf(name, "MB", ...sides(program, "megabytes"), "difference", MORE_MEGABYTES);
  const answer = (name: string, program: keyof typeof programs) =>
    figureOf(name, "ms", ...sides(program, "ms"), "ratio", TIMES_AS_LONG);
  report("size", [
    {
      sides: ["bundle", "budget"],
      figures: [
        ofBytes("without the view", bytes.withoutView, { atMost: 1 }),
        ofBytes("with the view", bytes.withView),
      ],
    },
    {
      sides: ["bundle", "bare Deno.serve"],
      figures: [
        memory("idle memory, with the view", "withView"),
        memory("idle memory, --no-view", "noView"),
        memory("idle memory, made without", "withoutView"),
        answer("first answer, with the view", "withView"),
        answer("first answer, --no-view", "noView"),
      ],
    },
  ], options);
}

/** Makes a bundle; returns the number of bytes that a start evaluates. */
async function made(name: string, isViewIn: boolean): Promise<number> {
  const into = new URL(`file://${folder}/${name}/`);
  const ofService = await bundle(into, isViewIn);
  await removeMaps(into);
  return bytesOfStart(ofService);
}

/** Starts a program, waits for its first answer and until it is idle, and ends it. */
async function start([file, ...args]: readonly string[]): Promise<Start> {
  const began = performance.now();
  const command = [Deno.execPath(), ...FLAGS];
  const server = await startProcess(command, [`${folder}/${file}`, ...args], /http:.*\n/);
  await (await fetch(`http://127.0.0.1:${server.port}/health`)).body?.cancel();
  const ms = performance.now() - began;
  return { megabytes: await idleMegabytes(server), ms };
}
