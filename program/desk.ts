/**
 * The console of a data folder with its service, from its opening to the last write.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Console } from "../core/console.ts";
import { silence } from "../core/engine.ts";
import type { CooperativeScheduler } from "../core/ports.ts";
import { localTime, timeZoneOf } from "../core/settings/local-time.ts";
import { machine, machineScheduler, machineTimer, punctualTimer } from "../runtimes/clock.ts";
import { denoFileSystem } from "../runtimes/deno/file-system.ts";
import { closeConsole } from "../runtimes/open-console.ts";
import { noteIdentity } from "../runtimes/whose-data.ts";
import type { Budget } from "../transport/budget.ts";
import {
  serveConsole,
  type ServeConsoleOptions,
  type ServedConsole,
} from "../transport/serve-console.ts";
import { createWrongTokens } from "../transport/wrong-tokens.ts";
import { followExpiry } from "./certificate-expiry.ts";
import { configurationFile } from "./configuration-file.ts";
import { createDevice, type FileDevice } from "./device.ts";
import { type EventLog, noLog } from "./event-log.ts";
import { machineName } from "./machine-name.ts";
import {
  createObserver,
  followEngines,
  hearing,
  lateTimer,
  measure,
  measuredFiles,
} from "./observe.ts";
import { type OpenConsole, openConsole } from "./open-console.ts";
import { warn } from "./print.ts";
import { folderTexts } from "./private-file.ts";
import { createStorageAlarm, type StorageAlarm } from "./storage-alarm.ts";
import { readView } from "./view-files.ts";

/** The seed of the simulated signals, which are the same at every start. */
const SEED = 1;

/** The options of the command line that {@link openDesk} takes. */
export interface DeskOptions {
  readonly config?: string | undefined;
  readonly data: string;
  /** Whether to serve the device view, if the configuration allows it. */
  readonly view: boolean;
}

/** An open console with its service. */
export interface Desk extends OpenConsole, ServedConsole {
  readonly device: FileDevice;
  readonly alarm: StorageAlarm;
  readonly scheduler: CooperativeScheduler;
  /** Whether the device view should be served but has not been built. */
  readonly isViewMissing: boolean;
}

const timer = machineTimer;

/** Opens the console of a data folder, and starts its service. */
export async function openDesk(
  options: DeskOptions,
  configuration: Configuration,
  { tell, budget, onAlarmEnded }: {
    readonly tell: EventLog;
    readonly budget: Budget;
    readonly onAlarmEnded: (open: OpenConsole) => void;
  },
): Promise<Desk> {
  const { config, data } = options;
  const scheduler = machineScheduler();
  let expiryOf: () => number | undefined = () => undefined;
  const metrics = configuration.metrics
    ? measure(() => open, () => served.sessions, () => expiryOf())
    : undefined;
  let alarm: StorageAlarm | undefined = undefined;
  const open = await openConsole(configuration, data, {
    connections: () => served.sessions.count,
    scheduler,
    onStorage: () => alarm?.look(),
    ...(tell === noLog && metrics === undefined ? {} : { heard: hearing(tell, metrics) }),
    ...(metrics && { files: measuredFiles(denoFileSystem, timer, metrics) }),
  });
  const { console, log, keepSiteKey } = open;
  if (metrics !== undefined) expiryOf = followExpiry(console);
  alarm = createStorageAlarm({
    console,
    log,
    data,
    timer,
    keep: keepSiteKey,
    ended: () => {
      void noteIdentity(folderTexts(data), console.state.configuration);
      onAlarmEnded(open);
    },
  });
  const device = createDevice(console, configurationFile(config, data));
  await device.settled();
  loadTimeZone(console);
  const engine = await engineMaker(console);
  const isViewServed = options.view && configuration.view;
  const view = isViewServed ? readView() : undefined;
  const served = serveConsole(console, {
    clock: machine.clock,
    timer,
    fadeTimer: metrics ? lateTimer(metrics) : punctualTimer,
    scheduler,
    budget,
    device,
    engine,
    wrongTokens: createWrongTokens(sayWrongTokens),
    observer: createObserver(tell, metrics),
    metrics: metrics?.text,
    machineName: machineName(),
    view,
  });
  followEngines(console, tell);
  const isViewMissing = isViewServed && view === undefined;
  return { ...open, ...served, device, alarm, scheduler, isViewMissing };
}

/**
 * Returns the function that makes the simulated engine, which stands in until a client claims
 * paths.
 */
async function engineMaker(console: Console): Promise<NonNullable<ServeConsoleOptions["engine"]>> {
  if (console.state.configuration.engine === "none") return () => silence;
  const { createSimulatedEngine } = await import("../engine/simulated/engine.ts");
  return (ports) => createSimulatedEngine({ ...ports, seed: SEED, timer });
}

/**
 * The first use of a time zone loads it, which takes 15 ms: this is done before any fade could be
 * delayed by it. A configuration without a time zone loads none.
 */
function loadTimeZone({ state }: Console): void {
  const zone = timeZoneOf(state);
  if (zone !== undefined) localTime(machine.clock.now(), zone);
}

/** Stores the levels of moving faders, the hours of operation, and everything acknowledged. */
export async function storeTheRest(desk: Desk): Promise<void> {
  await desk.fadeDriver.stop();
  await desk.device.settled();
  await closeConsole(desk, desk.alarm);
}

function sayWrongTokens(address: string, count: number): void {
  warn(`${count} wrong tokens have come from ${address}; further ones are answered late`);
}
