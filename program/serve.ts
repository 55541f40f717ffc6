/**
 * `faderd serve`: the service, from its start to a signal.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Console } from "../core/console.ts";
import { keepHours, refreshGeneral } from "../core/general.ts";
import { DEVICE } from "../core/users/user.ts";
import { silence } from "../core/engine.ts";
import { after, type CooperativeScheduler, type Timer } from "../core/ports.ts";
import { localTime, timeZoneOf } from "../core/settings/local-time.ts";
import { denoFileSystem } from "../runtimes/deno/file-system.ts";
import type { Address } from "../runtimes/deno/server.ts";
import { plainAddress, type Service } from "../transport/arrival.ts";
import { type Budget, createBudget } from "../transport/budget.ts";
import {
  serveConsole,
  type ServeConsoleOptions,
  type ServedConsole,
} from "../transport/serve-console.ts";
import { GOING_AWAY } from "../transport/websocket/close-codes.ts";
import { createWrongTokens } from "../transport/wrong-tokens.ts";
import { machine, machineScheduler, machineTimer, punctualTimer } from "../runtimes/clock.ts";
import { followExpiry } from "./certificate-expiry.ts";
import { configurationFile, configurationSource, loadToServe } from "./configuration-file.ts";
import type { Listening } from "./advertise.ts";
import type { ByteInterface } from "./byte-interface.ts";
import { createDevice } from "./device.ts";
import type { Device } from "../core/backup/device.ts";
import {
  createEventLog,
  type EventLog,
  type LogFormat,
  type LogLevel,
  noLog,
} from "./event-log.ts";
import { Failure } from "./failure.ts";
import { greet } from "./greeting.ts";
import { openListeners } from "./listeners.ts";
import { type OpenConsole, openConsole } from "./open-console.ts";
import { machineName } from "./machine-name.ts";
import { createNotify, type Notify } from "./notify.ts";
import {
  createObserver,
  followEngines,
  hearing,
  lateTimer,
  measure,
  measuredFiles,
} from "./observe.ts";
import { reasonOf, report, sayInLog, warn } from "./print.ts";
import type { Reread } from "./reread.ts";
import { listenToSignals } from "./signals.ts";
import { createStorageAlarm, type StorageAlarm } from "./storage-alarm.ts";
import { sayStarted, startRemarks } from "./start.ts";
import type { Fleet, InFleet } from "./uplink.ts";
import { expectOwnData, noteIdentity } from "./whose-data.ts";
import { readView } from "./view-files.ts";

/**
 * Maximum time in ms for requests in progress after a signal, and again for the medium: 2 s in
 * total.
 */
const REQUESTS_MS = 1000;
const MEDIUM_MS = 900;

/** The seed of the simulated signals, which are the same at every start. */
const SEED = 1;

/** The options of the command line. */
export interface ServeOptions {
  readonly listen: Address;
  readonly listenTls?: Address | undefined;
  readonly config?: string | undefined;
  readonly data: string;
  /**
   * The form and the lowest level of the log; without it only warnings are printed, as sentences.
   */
  readonly log?: { readonly format: LogFormat; readonly level: LogLevel } | undefined;
  /** Whether to serve the device view, if the configuration allows it. */
  readonly view: boolean;
}

/** An open console with its service. */
interface Desk extends OpenConsole, ServedConsole {
  readonly device: Device;
  readonly alarm: StorageAlarm;
  readonly scheduler: CooperativeScheduler;
  /** Whether the device view should be served but has not been built. */
  readonly isViewMissing: boolean;
}

const timer = machineTimer;

/**
 * Serves until SIGTERM or SIGINT; resolves once everything acknowledged is stored and every
 * connection is closed. Throws {@link Failure}, without having written anything, if it cannot
 * start.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, data } = options;
  const source = configurationSource(config, data);
  const configuration = loadToServe(source);
  expectOwnData(data, configuration, source !== undefined);
  const signals = listenToSignals();
  const tell = options.log ? createEventLog(options.log.format, options.log.level) : noLog;
  if (tell !== noLog) sayInLog(tell);
  const ready = Promise.withResolvers<Service>();
  let answer: Service = async (arrival) => (await ready.promise)(arrival);
  let desk: Desk | undefined = undefined;
  const inForce = (): Configuration => desk?.console.state.configuration ?? configuration;
  const budget = createBudget(() => inForce().limits.memory);
  // The port is bound before the data folder is touched, so that a taken one leaves nothing behind.
  const listeners = await openListeners({ http: options.listen, https: options.listenTls }, {
    service: (arrival) => answer(arrival),
    timer,
    onFault: sayFault,
    connectionsPerAddress: () => perAddress(inForce()),
    giveWay: (address) => desk?.sessions.giveWay(plainAddress(address)) ?? false,
    receiveBuffers: budget.receiveBuffers,
  });
  const hello = (open: OpenConsole) => greet(open, data, listeners.http, tell);
  let greeted: Promise<void> | undefined = undefined;
  let ember: ByteInterface | undefined = undefined;
  let ecp: ByteInterface | undefined = undefined;
  let fleet: Fleet | undefined = undefined;
  try {
    ember = await listenFor(
      configuration.ember,
      async () => (await import("./ember.ts")).listenEmber,
    );
    ecp = await listenFor(configuration.ecp, async () => (await import("./ecp.ts")).listenEcp);
    // At a first start on a failing medium the first user could not be added.
    const onAlarmEnded = (open: OpenConsole) =>
      greeted?.then(() => open.console.state.users.size === 0 ? hello(open) : undefined);
    desk = await openDesk(options, configuration, { tell, budget, onAlarmEnded });
  } catch (fault) {
    // Not awaited, because requests in progress wait for a console that will never be open.
    listeners.stop();
    ember?.stop();
    ecp?.stop();
    throw fault;
  }
  const { console, device, scheduler, service, isViewMissing } = desk;
  listeners.followCertificate(console);
  const started = { source, data, listeners, ember: ember?.address, ecp: ecp?.address };
  sayStarted(console, started, tell);
  for (const remark of startRemarks(console, { ...started, isViewMissing })) {
    warn(remark);
  }
  await noteIdentity(data, console.state.configuration);
  const notify = createNotify(timer);
  const inFleet = { console, service, data, timer, scheduler, onFault: sayFault };
  signals.onHangUp(async () => {
    const source = configurationSource(config, data);
    await sayReread({ console, device, scheduler, source }, notify);
    fleet?.reread();
    fleet ??= await joinFleet(inFleet);
  });
  greeted = hello(desk);
  await greeted;
  // The first user and its token exist before the service reports that it is ready.
  answer = service;
  ready.resolve(service);
  const { sessions } = desk;
  ember?.serve({ console, timer, scheduler, budget, sessions });
  ecp?.serve({ console, timer, scheduler, budget, sessions });
  fleet = await joinFleet(inFleet);
  const stopAdvertising = configuration.advertise
    ? await startAdvertising(console, listeners)
    : () => Promise.resolve();
  void notify("READY=1");
  const signal = await signals.end;
  const endedAt = timer.monotonic();
  const toldStopping = notify("STOPPING=1");
  tell("info", "stopping", { signal });
  sessions.closeAll(GOING_AWAY, "the service is stopping");
  fleet?.stop();
  await stop(desk, [
    listeners.stop(),
    ember?.stop(),
    ecp?.stop(),
    stopAdvertising(),
    toldStopping,
  ]);
  tell("info", "stopped", { ms: Math.round(timer.monotonic() - endedAt) });
}

/** Opens the console of a data folder, and starts its service. */
async function openDesk(
  options: ServeOptions,
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
      void noteIdentity(data, console.state.configuration);
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
 * The first use of a time zone loads it, for 15 ms: before any fade could wait for that. A
 * configuration without one does without.
 */
function loadTimeZone({ state }: Console): void {
  const zone = timeZoneOf(state);
  if (zone !== undefined) localTime(machine.clock.now(), zone);
}

/**
 * Returns the maximum number of connections of one address; behind a proxy all connections have its
 * address.
 */
function perAddress({ limits }: Configuration): number {
  return limits.rest.trustProxy ? Infinity : limits.connectionsPerAddress;
}

/** Waits for requests in progress and other work, and then stores the remaining state. */
async function stop(
  desk: Desk,
  stopping: readonly (Promise<unknown> | undefined)[],
): Promise<void> {
  await atMost(REQUESTS_MS, Promise.all(stopping));
  await atMost(MEDIUM_MS, storeTheRest(desk));
  desk.alarm.sayLost();
}

/** Stores the levels of moving faders, the hours of operation, and everything acknowledged. */
async function storeTheRest({ console, fadeDriver, device, alarm, close }: Desk): Promise<void> {
  await fadeDriver.stop();
  await device.settled();
  console.dispatch(refreshGeneral(), DEVICE);
  await console.dispatch(keepHours, DEVICE);
  await alarm.stop();
  await close();
}

/** Listens for an interface where the configuration has it; it is loaded only then. */
async function listenFor<Configured>(
  configured: Configured | undefined,
  load: () => Promise<
    (configured: Configured, timer: Timer, onFault: (fault: unknown) => void) => ByteInterface
  >,
): Promise<ByteInterface | undefined> {
  if (configured === undefined) return undefined;
  const listen = await load();
  return listen(configured, timer, sayFault);
}

/** Has an enrolled console dial its fleet; of all others nothing of a fleet is loaded. */
async function joinFleet(inFleet: InFleet): Promise<Fleet | undefined> {
  if (!await isFile(`${inFleet.data}/fleet.json`)) return undefined;
  const { joinFleet } = await import("./uplink.ts");
  return joinFleet(inFleet);
}

function isFile(path: string): Promise<boolean> {
  return Deno.stat(path).then(({ isFile }) => isFile, () => false);
}

/** Advertises the service. If that fails, prints the reason, and the service continues without. */
async function startAdvertising(
  console: Console,
  listening: Listening,
): Promise<() => Promise<void>> {
  try {
    // Imported only if it is needed, like the TLS front.
    const { advertise } = await import("./advertise.ts");
    return await advertise(console, listening, timer);
  } catch (fault) {
    warn(`advertise: ${reasonOf(fault)}`);
    return () => Promise.resolve();
  }
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const stopWaiting = after(timer, ms, late.resolve);
  await Promise.race([work, late.promise]);
  stopWaiting();
}

function sayFault(fault: unknown): void {
  warn(`a request failed: ${reasonOf(fault)}`);
}

function sayWrongTokens(address: string, count: number): void {
  warn(`${count} wrong tokens have come from ${address}; to more of them answers come late`);
}

/** Reads the configuration again, and prints the result. */
async function sayReread(parts: Reread, notify: Notify): Promise<void> {
  void notify("RELOADING=1");
  const { reread } = await import("./reread.ts");
  try {
    report(`SIGHUP: ${await reread(parts)}`);
  } catch (fault) {
    if (!(fault instanceof Failure)) throw fault;
    warn(`SIGHUP: nothing has changed: ${fault.message}`);
  } finally {
    void notify("READY=1");
  }
}
