/**
 * Reports a running service to the log and the metrics.
 *
 * @module
 */
import type { Audit } from "../core/audit.ts";
import type { Console } from "../core/console.ts";
import { engineState } from "../core/engines/engines.ts";
import { SLOW_REQUEST_MS } from "../core/limits.ts";
import { after, type Timer } from "../core/ports.ts";
import { isStoring, storageOf } from "../core/storage-alarm.ts";
import { type FileSystem, wrapFiles } from "../storage/file-system.ts";
import { ACTION_PATH } from "../transport/action-api/action-api.ts";
import { CONTROL_API_PATH } from "../transport/control-api/control-api.ts";
import { HEALTH_PATH } from "../transport/health.ts";
import { createMetrics, type Metrics, METRICS_PATH } from "../transport/metrics.ts";
import type { AnsweredRequest, Observer } from "../transport/observer.ts";
import { PICTURE_PATH } from "../transport/pictures.ts";
import { WEBSOCKET_PATH } from "../transport/websocket/open.ts";
import type { Sessions } from "../transport/websocket/sessions.ts";
import { machine, machineTimer, punctualTimer } from "../runtimes/clock.ts";
import { type EventLog, noLog } from "./event-log.ts";
import { logAudit } from "./logged-audit.ts";
import type { OpenConsole } from "./open-console.ts";
import { report, warn } from "./print.ts";
import { createStartTime } from "./start-time.ts";
import { VERSION } from "./version.ts";

/** Counts the work of the service from now on. */
export function measure(
  openOf: () => OpenConsole,
  sessionsOf: () => Sessions,
  expiryOf: () => number | undefined,
): Metrics {
  const startedAt = createStartTime(machine.clock);
  const metrics = createMetrics(() => {
    const { console: { state }, log } = openOf();
    const sessions = sessionsOf();
    const clients = sessions.clients();
    const subscriptions = clients.reduce((sum, client) => sum + client.subscriptions, 0);
    const unread = clients.reduce((sum, client) => sum + client.unread, 0);
    const isLate = engineState(state.engines) === "late";
    const isSlow = storageOf(state) === "slow";
    const expiry = expiryOf();
    return [
      [`build_info{version="${VERSION}"}`, "Always 1; the label names the version that runs.", 1],
      ["start_time_seconds", "When the process started, in s since 1970.", startedAt()],
      ["connections", "WebSockets that are open.", sessions.count],
      ["subscriptions", "Paths subscribed to.", subscriptions],
      ["unread_bytes", "Bytes that clients left unread.", unread],
      ["log_bytes", "Bytes of the log in the data folder.", log.space.total],
      ["stored", "1 while changes reach the medium.", Number(isStoring(state))],
      ["engine_late", "1 while an engine is late.", Number(isLate)],
      ["storage_slow", "1 while the medium is slow.", Number(isSlow)],
      ["resident_bytes", "Memory of the process.", Deno.memoryUsage().rss],
      ...(expiry === undefined ? [] : [
        ["certificate_expiry_seconds", "When the certificate expires, in s since 1970.", expiry],
      ] as const),
    ];
  });
  watchStalls(machineTimer, metrics.stalled);
  return metrics;
}

/**
 * Interval in ms of the check whether the event loop is blocked, and the minimum time in ms that
 * counts as blocked.
 */
const LOOK_MS = 100;
const STALL_MS = 20;

/** Reports each time in seconds for which the event loop is blocked, from now on. */
function watchStalls(timer: Timer, stalled: (seconds: number) => void): void {
  let due = timer.monotonic() + LOOK_MS;
  after(timer, LOOK_MS, look);

  function look(): void {
    const now = timer.monotonic();
    if (now - due > STALL_MS) stalled((now - due) / 1000);
    due = now + LOOK_MS;
    after(timer, LOOK_MS, look);
  }
}

/** A file system that measures the duration of each sync of a written file. */
export function measuredFiles(files: FileSystem, timer: Timer, { synced }: Metrics): FileSystem {
  return wrapFiles(files, (file) => ({
    ...file,
    async sync() {
      const from = timer.monotonic();
      await file.sync();
      synced((timer.monotonic() - from) / 1000);
    },
  }));
}

/** Makes the timer of fades report its lateness. */
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

/** Receives changes and refusals, for the log and for metrics. */
export function hearing(tell: EventLog, metrics: Metrics | undefined): Audit {
  const toLog = logAudit(tell, { clock: machine.clock, timer: machineTimer });
  return (entry) => {
    toLog(entry);
    if (entry.refused !== undefined) metrics?.refused(entry.refused.code);
  };
}

/** Receives requests and connections, for the log and for metrics. */
export function createObserver(tell: EventLog, metrics: Metrics | undefined): Observer {
  return {
    ...(tell === noLog && metrics === undefined ? {} : {
      answered(request) {
        if (metrics !== undefined) count(metrics, request);
        logSlow(tell, request);
      },
    }),
    connected: (from, user) => tell("debug", "client came", { from, user }),
    loggedIn: (from, user) => tell("info", "logged in", { from, user }),
    disconnected: (from, user) => tell("debug", "client left", { from, user }),
  };
}

/** The first parts of paths that requests over HTTP are counted by. */
const KINDS = [
  WEBSOCKET_PATH,
  CONTROL_API_PATH,
  ACTION_PATH,
  PICTURE_PATH,
  HEALTH_PATH,
  METRICS_PATH,
];

function count(metrics: Metrics, { over, method, path = "", status, code, ms }: AnsweredRequest) {
  const kind = over === "websocket" ? method : KINDS.find((one) => path.startsWith(one)) ?? "other";
  const refused = over === "websocket" ? code : status! < 400 ? undefined : status;
  metrics.answered(over, kind, ms / 1000, refused === undefined ? "ok" : String(refused));
}

/** Logs a request whose answer took long. */
export function logSlow(tell: EventLog, { over: _, ...request }: AnsweredRequest): void {
  const ms = Math.round(request.ms);
  if (ms >= SLOW_REQUEST_MS) tell("warning", "slow request", { ...request, ms });
}

/** Logs each change of the engines that play the console, and names the late ones. */
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
    late = claims.filter(({ isLate }) => isLate).map(({ user }) => user.name);
    for (const user of late.filter((user) => !before.includes(user))) {
      warn(`engine ${user} falls behind: its sound has gaps`);
    }
    for (const { user: { name }, isLate } of claims) {
      if (!isLate && before.includes(name)) report(`engine ${name} is no longer late`);
    }
  });
}
