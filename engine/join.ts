/**
 * Joins an audio engine to a console: it plays what the console says, and reports its meters. The
 * client comes back by itself when the connection was lost; meanwhile the engine plays on what it
 * was told last.
 *
 * @module
 */
import { type Client, RequestError } from "../client/client.ts";
import type { Branch, Patch } from "../core/tree/tree.ts";
import type { Engine } from "./engine.ts";

/** Meters are reported so often, in ms. */
export const REPORT_MS = 40;

/** What joins an engine. */
export interface JoinOptions {
  /** What it plays below these paths it reports; everything, where none is named. */
  readonly paths?: readonly string[];
  /** Is told what went wrong, in a sentence. */
  readonly warn: (sentence: string) => void;
  /** Calls `action` again and again, every so many ms; the answer ends that. */
  readonly every: (ms: number, action: () => void) => () => void;
}

/** The console does not know the method: it has no engines. */
const UNKNOWN_METHOD = 2;

/**
 * Joins an engine; resolves once it plays. The answer ends it: the engine plays on.
 *
 * @throws {RequestError} when the console refuses the token or the claim
 */
export async function joinConsole(
  desk: Client,
  engine: Engine,
  { paths = [], warn, every }: JoinOptions,
): Promise<() => void> {
  await desk.ready();
  const reports = await claims(desk, paths, warn);
  const playing = Promise.withResolvers<void>();
  const unsubscribe = desk.subscribe("/audio", {
    whole(audio) {
      try {
        engine.whole({ audio } as unknown as Branch);
        playing.resolve();
      } catch (fault) {
        // A wiring that does not fit this console; another configuration may come.
        warn((fault as Error).message);
        playing.reject(fault);
      }
    },
    change: (audio, tick) => engine.apply({ audio } as unknown as Patch, tick),
    ended: (error) => playing.reject(error),
  });
  const stopReports = reports ? every(REPORT_MS, report) : () => {};

  function report(): void {
    const meters = engine.meters();
    if (meters !== undefined) desk.report(meters as Parameters<Client["report"]>[0]);
  }

  function stop(): void {
    stopReports();
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

/** Claims the paths; says whether reports are taken. */
async function claims(
  desk: Client,
  paths: readonly string[],
  warn: JoinOptions["warn"],
): Promise<boolean> {
  try {
    await desk.engine(paths);
    return true;
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== UNKNOWN_METHOD) throw error;
    warn("this console takes no reports of engines: meters stay where they are");
    return false;
  }
}
