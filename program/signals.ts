/**
 * Signals to the service.
 *
 * @module
 */
import { machine } from "../runtimes/clock.ts";
import { warn } from "./print.ts";

/**
 * Time in ms after a signal in which further ones count as the same: a terminal sends a signal to
 * every process of the task, and these pass it on.
 */
const SAME_SIGNAL_MS = 250;

/** The signals that the service receives. */
export interface Signals {
  /** Resolves with the first signal that ends the service; a later one ends the program at once. */
  readonly end: Promise<Deno.Signal>;
  /** From now on SIGHUP calls `reread`; before, it prints that the service is still starting. */
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
    // A closed terminal sends this signal, too, and standard input is then no longer a terminal.
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
