/**
 * Joins an audio engine to a console: it plays what the console says, and reports its meters. The
 * client reconnects by itself after a loss of the connection; meanwhile the engine plays on with
 * the last values.
 *
 * @module
 */
import { type Client, RequestError } from "../../client/client.ts";
import { backOffMs } from "../../client/connection.ts";
import { type Branch, combine, parsePath, type Patch, patchBelow } from "../../core/tree/tree.ts";
import { allReady } from "../mixing/mixer.ts";
import type { Engine } from "./engine.ts";
import type { AudioValues } from "./tree.ts";

/** The interval of the reports of meters, in ms. */
export const REPORT_MS = 40;

/** The options of {@linkcode joinConsole}. */
export interface JoinOptions {
  /**
   * The engine reports at and below these paths; without them, everything. It plays the whole
   * console in any case.
   */
  readonly paths?: readonly string[];
  /** Called with a sentence about each problem. */
  readonly warn: (sentence: string) => void;
  /** Calls `action` at intervals of `ms`, until its result is called; by default in real time. */
  readonly every?: Every;
}

type Every = (ms: number, action: () => void) => () => void;

const everyInRealTime: Every = (ms, action) => {
  const timer = setInterval(action, ms);
  return () => clearInterval(timer);
};

/** The console does not know the method: it has no engines. */
const UNKNOWN_METHOD = 2;

/** Another connection has claimed a path, maybe a dead connection of this very engine. */
const TAKEN = 11;

/**
 * Joins an engine; resolves once it plays, with a function that ends the connection while the
 * engine plays on. While another engine has claimed any of the paths, that is a warning, and the
 * claim is tried again.
 *
 * @throws {RequestError} when the console refuses the token, or the claim for good
 */
export async function joinConsole(
  desk: Client,
  engine: Engine,
  { paths, warn, every = everyInRealTime }: JoinOptions,
): Promise<() => void> {
  const reports = await claims(desk, paths, warn, every);
  const playing = Promise.withResolvers<void>();
  /** The report that faders are ready, unless it was sent on this connection. */
  let ready: Patch | undefined;
  /** Whether the console has heard on this connection that the engine is late. */
  let saidLate = false;
  const unsubscribe = desk.subscribe("/audio", {
    whole(audio) {
      try {
        engine.whole({ audio } as unknown as Branch);
        ready = within(allReady((audio as unknown as AudioValues).mixers), paths);
        saidLate = false;
        playing.resolve();
      } catch (fault) {
        // The wiring does not fit this console; another configuration may come.
        warn((fault as Error).message);
        playing.reject(fault);
      }
    },
    change: (audio, tick) => engine.apply({ audio } as unknown as Patch, tick),
    ended: (error) => playing.reject(error),
  });
  const stopReports = reports ? every(REPORT_MS, report) : () => {};
  let refusal = "";
  const stopRefusals = desk.onRefusedReport(({ message }) => {
    if (message !== refusal) warn(refusal = message);
  });

  // Reports that contain only meters, and all have the same form, cost the console the least.
  function report(): void {
    const isLate = engine.isLate();
    if (isLate !== saidLate && desk.reportLate(isLate)) {
      saidLate = isLate;
      warn(isLate ? "the sound falls behind: it has gaps" : "the sound keeps up again");
    }
    // A device that never starts has none, but is late.
    const meters = engine.meters();
    if (meters === undefined) return;
    const patch = ready ?? within(meters, paths);
    if (patch === undefined) return;
    const isSent = desk.report(patch as Parameters<Client["report"]>[0]);
    if (isSent) ready = undefined;
  }

  function stop(): void {
    stopReports();
    stopRefusals();
    unsubscribe();
  }

  try {
    await playing.promise;
  } catch (fault) {
    stop();
    throw fault;
  }
  return stop;
}

/** Claims the paths; resolves with whether the console accepts reports. */
async function claims(
  desk: Client,
  paths: readonly string[] | undefined,
  warn: JoinOptions["warn"],
  every: Every,
): Promise<boolean> {
  for (let refused = 0;;) {
    try {
      await desk.ready();
      await desk.engine(paths);
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code === "lost") continue;
      if (error.code === UNKNOWN_METHOD) {
        warn("this console takes no reports of engines: meters stay where they are");
        return false;
      }
      if (error.code !== TAKEN) throw error;
      const ms = backOffMs(refused++);
      warn(`${error.message}: tried again in ${ms / 1000} s`);
      await passed(ms, every);
    }
  }
}

function passed(ms: number, every: Every): Promise<void> {
  return new Promise((resolve) => {
    const stop = every(ms, () => {
      stop();
      resolve();
    });
  });
}

/**
 * Returns the part of a report at and below paths, or the whole report without paths; undefined if
 * nothing is left.
 */
function within(report: Patch, paths: readonly string[] | undefined): Patch | undefined {
  if (paths === undefined) return report;
  const parts = paths.map((path) => patchBelow(report, parsePath(path)));
  return parts.reduce((all, part) => all && part ? combine(all, part) : all ?? part, undefined);
}
