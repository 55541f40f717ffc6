/**
 * `faderd serve`: the service, from its start to a signal.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Console } from "../core/console.ts";
import { within } from "../core/ports.ts";
import { machineTimer } from "../runtimes/clock.ts";
import type { Address } from "../runtimes/deno/server.ts";
import { expectOwnData, noteIdentity } from "../runtimes/whose-data.ts";
import { plainAddress, type Service } from "../transport/arrival.ts";
import { createBudget } from "../transport/budget.ts";
import { GOING_AWAY } from "../transport/websocket/close-codes.ts";
import type { Listening } from "./advertise.ts";
import { type ByteInterfaces, openByteInterfaces } from "./byte-interfaces.ts";
import { configurationSource, loadToServe, NAME_IT } from "./configuration-file.ts";
import { type Desk, type DeskOptions, openDesk, storeTheRest } from "./desk.ts";
import { createEventLog, type LogFormat, type LogLevel, noLog } from "./event-log.ts";
import { Failure } from "./failure.ts";
import { greet } from "./greeting.ts";
import { openListeners } from "./listeners.ts";
import { createNotify, type Notify } from "./notify.ts";
import type { OpenConsole } from "./open-console.ts";
import { report, sayInLog, warn } from "./print.ts";
import { folderTexts } from "./private-file.ts";
import type { Reread } from "./reread.ts";
import { listenToSignals } from "./signals.ts";
import { sayStarted, startRemarks } from "./start.ts";
import type { Fleet, InFleet } from "./uplink.ts";

/**
 * Maximum time in ms for requests in progress after a signal, and again for the medium: 2 s in
 * total.
 */
const REQUESTS_MS = 1000;
const MEDIUM_MS = 900;

/** The options of the command line. */
export interface ServeOptions extends DeskOptions {
  readonly listen: Address;
  readonly listenTls?: Address | undefined;
  /**
   * The form and the lowest level of the log; without it only warnings are printed, as sentences.
   */
  readonly log?: { readonly format: LogFormat; readonly level: LogLevel } | undefined;
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
  const texts = folderTexts(data);
  if (source === undefined) await expectOwnData(texts, configuration, NAME_IT);
  const signals = listenToSignals();
  const tell = options.log ? createEventLog(options.log.format, options.log.level) : noLog;
  if (tell !== noLog) sayInLog(tell);
  const ready = Promise.withResolvers<Service>();
  let answer: Service = async (arrival) => (await ready.promise)(arrival);
  let desk: Desk | undefined = undefined;
  const inForce = (): Configuration => desk?.console.state.configuration ?? configuration;
  const budget = createBudget(() => inForce().limits.memory);
  // The port is bound before the data folder is touched, so that a port in use leaves nothing
  // behind.
  const listeners = await openListeners({ http: options.listen, https: options.listenTls }, {
    service: (arrival) => answer(arrival),
    timer,
    onFault: sayFault,
    connectionsPerAddress: () => perAddress(inForce()),
    giveWay: (address) => desk?.sessions.giveWay(plainAddress(address)) ?? false,
    receiveBuffers: budget.receiveBuffers,
  });
  const hello = (open: OpenConsole) => greet(open, { data, config }, listeners.http, tell);
  let greeted: Promise<void> | undefined = undefined;
  let interfaces: ByteInterfaces | undefined = undefined;
  let fleet: Promise<Fleet | undefined> = Promise.resolve(undefined);
  try {
    interfaces = await openByteInterfaces(configuration, timer, sayFault);
    // At a first start on a failing medium the first user could not be added: it is added when the
    // alarm has ended.
    const onAlarmEnded = (open: OpenConsole) =>
      greeted?.then(() => open.console.state.users.size === 0 ? hello(open) : undefined);
    desk = await openDesk(options, configuration, { tell, budget, onAlarmEnded });
  } catch (fault) {
    // Not awaited, because requests in progress wait for a console that will never be open.
    void listeners.stop();
    void interfaces?.stop();
    throw fault;
  }
  const { console, device, scheduler, service, sessions, watchAudit, isViewMissing } = desk;
  listeners.followCertificate(console);
  const { ember, ecp } = interfaces;
  const started = { source, data, listeners, ember, ecp };
  sayStarted(console, started, tell);
  for (const remark of startRemarks(console, { ...started, isViewMissing })) {
    warn(remark);
  }
  await noteIdentity(texts, console.state.configuration);
  const notify = createNotify(timer);
  const inFleet = {
    console,
    service,
    sessions,
    device,
    watchAudit,
    data,
    timer,
    scheduler,
    onFault: sayFault,
  };
  // Two signals at a time must not start two uplinks.
  const join = () => fleet = fleet.then((joined) => joined ?? joinFleet(inFleet));
  let rereading = Promise.resolve();
  // One after the other, so that each reads the file as it is once the one before is in force.
  signals.onHangUp(() => {
    rereading = rereading.then(async () => {
      const source = configurationSource(config, data);
      await sayReread({ console, device, scheduler, source }, notify);
      (await fleet)?.reread();
      await join();
    });
  });
  greeted = hello(desk);
  await greeted;
  // The first user and its token exist before the service reports that it is ready.
  answer = service;
  ready.resolve(service);
  interfaces.serve({ console, timer, scheduler, budget, sessions });
  await join();
  const stopAdvertising = configuration.advertise
    ? await startAdvertising(console, listeners)
    : () => Promise.resolve();
  void notify("READY=1");
  const signal = await signals.end;
  const endedAt = timer.monotonic();
  const toldStopping = notify("STOPPING=1");
  tell("info", "stopping", { signal });
  sessions.closeAll(GOING_AWAY, "the service is stopping");
  (await fleet)?.stop();
  await stop(desk, [
    listeners.stop(),
    interfaces.stop(),
    stopAdvertising(),
    toldStopping,
  ]);
  tell("info", "stopped", { ms: Math.round(timer.monotonic() - endedAt) });
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
  await within(timer, REQUESTS_MS, Promise.all(stopping));
  await within(timer, MEDIUM_MS, storeTheRest(desk));
  desk.alarm.sayLost();
}

/** Has an enrolled console dial its fleet; for all other consoles no code of fleets is loaded. */
async function joinFleet(inFleet: InFleet): Promise<Fleet | undefined> {
  if (!await isFile(`${inFleet.data}/fleet.json`)) return undefined;
  const { joinFleet } = await import("./uplink.ts");
  return joinFleet(inFleet);
}

function isFile(path: string): Promise<boolean> {
  return Deno.stat(path).then(({ isFile }) => isFile, () => false);
}

/**
 * Advertises the service. If that fails, prints the reason, and the service continues without it.
 */
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

function sayFault(fault: unknown): void {
  warn(`a request failed: ${reasonOf(fault)}`);
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
