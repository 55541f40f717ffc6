/**
 * Measures whether the cost of a change grows with the console: one `set` with 16 and with 1,024
 * faders in one mixer, with a subscriber to the mixer, through the console alone and end to end
 * over a WebSocket, on a store that keeps nothing. Also measures the resident memory of the idle
 * demo console, compared with an idle bare `Deno.serve`, and its memory after the replay of a long
 * log, compared with a console without a log.
 *
 * @module
 */
import process from "node:process";
import { withoutPauses } from "../core/cooperative-scheduler.ts";
import { machineTimer } from "../runtimes/clock.ts";
import type { Command } from "../core/command.ts";
import { setChannelLabel } from "../core/labels/setchannellabel.ts";
import { set } from "../core/tree/set.ts";
import { openLog } from "../runtimes/deno/log.ts";
import { createBudget } from "../transport/budget.ts";
import { MEMORY_BYTES } from "../core/limits.ts";
import { createSessions } from "../transport/websocket/sessions.ts";
import { load, openWebSocket } from "./load.ts";
import { idleMegabytes, type ServerProcess, startFaderd, startServer } from "./process.ts";
import { benchOptions, type Figure, figureOf, report } from "./report.ts";
import { forgetfulConsole } from "./service.ts";

const FADERS = [1024, 16] as const;
/**
 * Faders that are set in turns, the same number with many faders as with few: only the other faders
 * differ.
 */
const MOVED = 16;
const MIXER = "/audio/mixers/0";
/** The levels to which a fader is set in turns, in dB, so that each `set` is a change. */
const LEVELS = [-20, -30] as const;
const SUBSCRIBE = { method: "subscribe", path: MIXER };

/** Maximum cost of a `set` with many faders, as a multiple of its cost with few. */
const GROWTH = { atMost: 1.5 };
const OVER_MB = { atMost: 14 };
/** The size of a log just before it is compacted, and the part of it that may stay in memory. */
const LOG_BYTES = 28_000_000;
const LEFT_MB = { atMost: 8 };
const STARTS = 7;
const WARM_UP_S = 1;
const WEBSOCKET_DEPTH = 4;

const options = benchOptions({ rounds: 15, seconds: 0.3 });
const growth: Figure[] = [
  ...await throughConsole("set through the console", () => MOVED, setLevel, GROWTH),
  ...await overWebSocket(),
  // More state than the processor's cache holds is touched: slower in any representation.
  ...await throughConsole("  every fader in turns", (faders) => faders, setLevel),
  // The label shows on every fader that carries the channel: these faders are searched for.
  ...await throughConsole("setchannellabel through the console", () => MOVED, label),
];
const memory = [await idleMemory()];
const afterReplay = [await replayedMemory()];
report("tree", [
  { sides: ["1,024 faders", "16 faders"], figures: growth },
  { sides: ["faderd", "bare"], figures: memory },
  { sides: ["28 MB of log", "no log"], figures: afterReplay },
], options);

/** Measures changes one after the other, each awaited, like the requests of one connection. */
async function throughConsole(
  name: string,
  movedOf: (faders: number) => number,
  change: (fader: number, sent: number) => Command<unknown>,
  target?: Figure["target"],
): Promise<Figure[]> {
  const sides = FADERS.map((faders) => {
    const console = forgetfulConsole(faders);
    const moved = movedOf(faders);
    let updates = 0;
    const budget = createBudget(() => MEMORY_BYTES);
    const sessions = createSessions(console, {
      timer: machineTimer,
      scheduler: withoutPauses,
      budget,
    });
    const socket = { send: () => void updates++, close() {}, drop() {}, bufferedAmount: 0 };
    const session = sessions.open(socket, { address: "127.0.0.1", since: 0 });
    session.receive(JSON.stringify(SUBSCRIBE));
    let sent = 0;
    return {
      samples: [] as Sample[],
      end: () => session.closed(),
      async measure(seconds: number) {
        const updatesBefore = updates;
        const sentBefore = sent;
        const cpuBefore = process.cpuUsage();
        const start = performance.now();
        while (performance.now() - start < seconds * 1000) {
          await console.dispatch(change(sent % moved, Math.floor(sent / moved)), {});
          sent++;
        }
        const took = performance.now() - start;
        const { user, system } = process.cpuUsage(cpuBefore);
        const changes = sent - sentBefore;
        if (updates - updatesBefore < changes) throw new Error("an update is missing");
        return { cpu: (user + system) / changes, wall: took / changes * 1000 };
      },
    };
  });
  return await compareGrowth(name, sides, target);
}

function setLevel(fader: number, round: number): Command<unknown> {
  return set(faderPath(fader), LEVELS[round % LEVELS.length]);
}

function label(fader: number, round: number): Command<unknown> {
  return setChannelLabel(fader + 1, `Label ${round % 2}`);
}

async function overWebSocket(): Promise<Figure[]> {
  const sides = await Promise.all(FADERS.map(async (faders) => {
    const server = await startServer("forgetful.ts", [String(faders)]);
    const answer = JSON.stringify({ ...SUBSCRIBE, success: true });
    const subscriber = await openWebSocket(server.port, [JSON.stringify(SUBSCRIBE)], 1, answer);
    const sets = LEVELS.flatMap((payload) =>
      Array.from({ length: MOVED }, (_, fader) => ({
        method: "set",
        path: faderPath(fader),
        payload,
      }))
    );
    const writer = await openWebSocket(
      server.port,
      sets.map((message) => JSON.stringify(message)),
      WEBSOCKET_DEPTH,
      JSON.stringify({ ...sets[0], success: true }),
    );
    let sent = 1;
    return {
      samples: [] as Sample[],
      async end() {
        writer.close();
        subscriber.close();
        await server.stop();
      },
      async measure(seconds: number) {
        const cpuBefore = server.cpuSeconds();
        const start = performance.now();
        const { requests } = await load([writer], seconds);
        sent += requests;
        await subscriber.receive(sent + 1);
        const wall = (performance.now() - start) / requests * 1000;
        return { cpu: (server.cpuSeconds() - cpuBefore) / requests * 1e6, wall };
      },
    };
  }));
  return await compareGrowth("set over a WebSocket", sides, GROWTH);
}

function faderPath(fader: number): string {
  return `${MIXER}/faders/${fader}/fader`;
}

/** The cost of one change, in microseconds: CPU time of the process, and elapsed time. */
interface Sample {
  readonly cpu: number;
  readonly wall: number;
}

/** One of the sides that are measured in turns. */
interface Side {
  readonly samples: Sample[];
  measure(seconds: number): Promise<Sample>;
  end(): void | Promise<void>;
}

async function compareGrowth(
  name: string,
  sides: readonly Side[],
  target?: Figure["target"],
): Promise<Figure[]> {
  for (const side of sides) await side.measure(WARM_UP_S);
  for (let round = 0; round < options.rounds; round++) {
    for (const { samples, measure } of sides) samples.push(await measure(options.seconds));
  }
  for (const side of sides) await side.end();
  const figure = (name: string, of: keyof Sample, target?: Figure["target"]) => {
    const [many, few] = sides.map(({ samples }) => samples.map((sample) => sample[of]));
    return figureOf(name, "us", many!, few!, "ratio", target);
  };
  return [figure(`${name}: CPU`, "cpu", target), figure("  wall clock", "wall")];
}

/**
 * Compares the memory of the demo console and of a bare `Deno.serve` after a start, before any
 * request.
 */
async function idleMemory(): Promise<Figure> {
  const bare = () => startServer("bare.ts");
  return await overPeer("idle resident memory", (data) => startFaderd(data), bare, OVER_MB);
}

/**
 * The same for a console that has replayed a log of changes, compared with a console with nothing
 * to replay.
 */
async function replayedMemory(): Promise<Figure> {
  const onLog = async (data: string) => {
    await fillLog(data);
    return await startFaderd(data);
  };
  return await overPeer("idle memory after a replay", onLog, startFaderd, LEFT_MB);
}

async function overPeer(
  name: string,
  startOurs: (data: string) => Promise<ServerProcess>,
  startPeer: (data: string) => Promise<ServerProcess>,
  target: NonNullable<Figure["target"]>,
): Promise<Figure> {
  const ours: number[] = [];
  const peer: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const folders = [await Deno.makeTempDir(), await Deno.makeTempDir()] as const;
    const servers = await Promise.all([startOurs(folders[0]), startPeer(folders[1])]);
    const [megabytes, beside] = await Promise.all(servers.map(idleMegabytes));
    ours.push(megabytes!);
    peer.push(beside!);
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
  return figureOf(name, "MB", ours, peer, "difference", target);
}

/**
 * Fills a log with a user and with changes of four faders each, up to just under the size at which
 * it would be compacted.
 */
async function fillLog(data: string): Promise<void> {
  const log = await openLog(data);
  const encoder = new TextEncoder();
  const record = (event: object) => encoder.encode(JSON.stringify([event]));
  const added = { engine: false, may: "configure", created: "2026-10-02T07:30:00.005Z" } as const;
  const user = { name: "admin", groups: 255, admin: true, ...added, tokenHash: "0".repeat(64) };
  await log.append(record({ type: "userwritten", user }));
  while (log.space.total < LOG_BYTES) {
    await Promise.all(Array.from({ length: 1000 }, (_, change) => {
      const fader = { fader: -(change % 100), on: change % 2 === 0, params: { eq1: { gain: 1 } } };
      const faders = { 0: fader, 1: fader, 2: fader, 3: fader };
      return log.append(
        record({ type: "valueskept", patch: { audio: { mixers: { 0: { faders } } } } }),
      );
    }));
  }
  await log.close();
}
