/**
 * Signals to the service.
 *
 * @module
 */
import { machine } from "../runtimes/clock.ts";
import { warn } from "./print.ts";

/**
 * Signals that come so soon after the first, in ms, are the same one: a terminal sends it to every
 * process of the task, and those hand it on.
 */
const SAME_SIGNAL_MS = 250;

/** What the service hears of signals. */
export interface Signals {
  /** Resolves with the signal that asks for the end; another one later ends the program at once. */
  readonly end: Promise<Deno.Signal>;
  /** From now on SIGHUP calls `reread`; before, it is told that the service is only starting. */
  onHangUp(reread: () => void): void;
}

/** Listens to SIGTERM and SIGINT, which end the service, and to SIGHUP. */
export function listenToSignals(): Signals {
  const { promise: end, resolve } = Promise.withResolvers<Deno.Signal>();
  const { clock } = machine;
  const onTerminal = Deno.stdin.isTerminal();
  let endedAt: number | undefined;
  let reread = () => warn("SIGHUP: the service is only starting");

  function ask(signal: Deno.Signal): void {
    const now = clock.monotonic();
    if (endedAt === undefined) {
      endedAt = now;
      resolve(signal);
    } else if (now - endedAt > SAME_SIGNAL_MS) {
      warn(`${signal} again: ended at once`);
      Deno.exit(1);
    }
  }

  Deno.addSignalListener("SIGTERM", () => ask("SIGTERM"));
  Deno.addSignalListener("SIGINT", () => ask("SIGINT"));
  Deno.addSignalListener("SIGHUP", () => {
    // A terminal that is closed says so by this signal, too, and is one no more.
    if (onTerminal && !Deno.stdin.isTerminal()) ask("SIGHUP");
    else reread();
  });
  return {
    end,
    onHangUp(listener) {
      reread = listener;
    },
  };
}
