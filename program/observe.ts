/**
 * What the log and the metrics are told of a service that runs.
 *
 * @module
 */
import type { Audit } from "../core/audit.ts";
import type { Console } from "../core/console.ts";
import { engineState } from "../core/engines/engines.ts";
import type { Timer } from "../core/ports.ts";
import { isStoring, storageOf } from "../core/storage-alarm.ts";
import { createMetrics, type Metrics } from "../transport/metrics.ts";
import type { Sessions, Visits } from "../transport/websocket/sessions.ts";
import { machine, machineTimer, punctualTimer } from "../runtimes/clock.ts";
import { type EventLog, noLog } from "./event-log.ts";
import { logAudit } from "./logged-audit.ts";
import type { OpenConsole } from "./open-console.ts";
import { report, warn } from "./print.ts";
import { logSlowMessages } from "./slow-requests.ts";
import { watchStalls } from "./watch-stalls.ts";

/** Counts what the service does from now on. */
export function measure(openOf: () => OpenConsole, sessionsOf: () => Sessions): Metrics {
  const metrics = createMetrics(() => {
    const { console, log } = openOf();
    const sessions = sessionsOf();
    const clients = sessions.clients();
    return {
      connections: sessions.count,
      subscriptions: clients.reduce((sum, client) => sum + client.subscriptions, 0),
      unreadBytes: clients.reduce((sum, client) => sum + client.unread, 0),
      logBytes: log.space.total,
      engineLate: engineState(console.state.engines) === "late",
      stored: isStoring(console.state),
      slow: storageOf(console.state) === "slow",
      residentBytes: Deno.memoryUsage().rss,
    };
  });
  watchStalls(machineTimer, metrics.stalled);
  return metrics;
}

/** Makes the timer of fades tell how late it wakes. */
export function lateTimer(metrics: Metrics): Timer {
  return {
    ...punctualTimer,
    at: (due, wake) =>
      punctualTimer.at(due, () => {
        metrics.ticked(Math.max(0, punctualTimer.monotonic() - due) / 1000);
        wake();
      }),
  };
}

/** Hears of what is changed and refused, for the log and for metrics. */
export function hearing(tell: EventLog, metrics: Metrics | undefined): Audit {
  const toLog = logAudit(tell, { clock: machine.clock, timer: machineTimer });
  return (entry) => {
    toLog(entry);
    if (entry.refused !== undefined) metrics?.refused(entry.refused.code);
  };
}

/** Hears of those who come, log in and leave, and of what they ask, for the same two. */
export function visitsIn(tell: EventLog, metrics: Metrics | undefined): Visits {
  const slow = logSlowMessages(tell);
  return {
    ...(tell === noLog && metrics === undefined ? {} : {
      answered(from, method, ms, code) {
        slow(from, method, ms, code);
        metrics?.answered("websocket", method, ms / 1000, code === undefined ? "ok" : String(code));
      },
    }),
    came: (from, user) => tell("debug", "client came", { from, user }),
    loggedIn: (from, user) => tell("info", "logged in", { from, user }),
    left: (from, user) => tell("debug", "client left", { from, user }),
  };
}

/** Tells the log whenever other engines play the console than before, and says which are late. */
export function followEngines(console: Console, tell: EventLog): void {
  let late: readonly string[] = [];
  console.watch((event) => {
    if (event.type !== "engineschanged") return;
    const claims = [...console.state.engines.claims.values()];
    tell("debug", "engines changed", {
      engine: engineState(console.state.engines),
      claims: claims.length,
    });
    const before = late;
    late = claims.filter(({ isLate }) => isLate).map(({ user }) => user);
    for (const user of late.filter((user) => !before.includes(user))) {
      warn(`engine ${user} falls behind: its sound has gaps`);
    }
    for (const { user, isLate } of claims) {
      if (!isLate && before.includes(user)) report(`engine ${user} is late no more`);
    }
  });
}
