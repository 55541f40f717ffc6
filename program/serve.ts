/**
 * `faderd serve`: the service, from its start to a signal.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { remarksOn } from "../core/configuration/remarks.ts";
import type { Console } from "../core/console.ts";
import { createFadeDriver, type FadeDriver } from "../core/fades/fade-driver.ts";
import { keepHours, refreshGeneral } from "../core/general.ts";
import { DEVICE } from "../core/users/user.ts";
import { joinEngine, silence } from "../core/engine.ts";
import { followLogics } from "../core/logics/follow.ts";
import { after, type Engine } from "../core/ports.ts";
import { localTime, timeZoneOf } from "../core/settings/local-time.ts";
import { PUBLISHED_SITE_KEY } from "../core/site-key.ts";
import { denoFileSystem } from "../runtimes/deno/file-system.ts";
import { type Address, listen } from "../runtimes/deno/server.ts";
import type { Service } from "../transport/arrival.ts";
import { createBudget } from "../transport/budget.ts";
import { createService } from "../transport/service.ts";
import type { TlsFront } from "../runtimes/deno/tls-front.ts";
import { GOING_AWAY } from "../transport/websocket/close-codes.ts";
import { createSessions } from "../transport/websocket/sessions.ts";
import { createWrongTokens } from "../transport/wrong-tokens.ts";
import type { Listening } from "./advertise.ts";
import { machine, machineScheduler, machineTimer, punctualTimer } from "../runtimes/clock.ts";
import { configurationFile, configurationSource, loadToServe } from "./configuration-file.ts";
import { createDevice } from "./device.ts";
import type { Device } from "../core/backup/device.ts";
import { createEventLog, type LogFormat, type LogLevel, noLog } from "./event-log.ts";
import { Failure } from "./failure.ts";
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
import { print, reasonOf, report, sayInLog, warn } from "./print.ts";
import type { Reread } from "./reread.ts";
import { listenToSignals } from "./signals.ts";
import { createStorageAlarm, type StorageAlarm } from "./storage-alarm.ts";
import { sayRecovery } from "./say-recovery.ts";
import { sayFolder, sayGain, sayHook, sayOpen, sayStart, sayTraces, sayUnknown } from "./start.ts";
import { expectOwnData, noteIdentity } from "./whose-data.ts";
import { VERSION } from "./version.ts";
import { readView } from "./view-files.ts";

/** How long requests under way, and then the medium, may take after a signal: 2 s in all. */
const REQUESTS_MS = 1000;
const MEDIUM_MS = 900;

/** Every start simulates the same signals. */
const SEED = 1;

/** What the command line says. */
export interface ServeOptions {
  readonly listen: Address;
  readonly listenTls?: Address | undefined;
  readonly config?: string | undefined;
  readonly data: string;
  /** The form and the least level of the log; without it only warnings are said, as sentences. */
  readonly log?: { readonly format: LogFormat; readonly level: LogLevel } | undefined;
  /** Whether to serve the device view, unless the configuration says not to. */
  readonly view: boolean;
}

/**
 * Serves until SIGTERM or SIGINT; resolves once everything acknowledged is stored and every
 * connection closed. Throws {@link Failure}, having written nothing, where it cannot start.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, data } = options;
  const source = configurationSource(config, data);
  const configuration = loadToServe(source);
  expectOwnData(data, configuration, source !== undefined);
  const signals = listenToSignals();
  const tell = options.log === undefined
    ? noLog
    : createEventLog(options.log.format, options.log.level);
  if (tell !== noLog) sayInLog(tell);
  const opened = Promise.withResolvers<Service>();
  // The port is bound before the data folder is touched, so that a taken one leaves nothing behind.
  const service: Service = async (arrival) => (await opened.promise)(arrival);
  const timer = machineTimer;
  const scheduler = machineScheduler();
  let front: TlsFront | undefined;
  let open: OpenConsole;
  let alarm: StorageAlarm | undefined = undefined;
  // Asked only of connections that come once there is a certificate, and so a console.
  const connectionsPerAddress = () => perAddress(open.console.state.configuration);
  const budget = createBudget(() => open.console.state.configuration.limits.memory);
  const { receiveBuffers } = budget;
  const parts = { service, timer, onFault: sayFault, connectionsPerAddress, receiveBuffers };
  const metrics = configuration.metrics ? measure(() => open, () => sessions) : undefined;
  const server = bind(options.listen, (address) => listen(address, parts));
  try {
    if (options.listenTls !== undefined) {
      // Loaded only where it is asked for: an idle service does without what it does not use.
      const { listenTls } = await import("../runtimes/deno/tls-front.ts");
      front = bind(options.listenTls, (address) => listenTls(address, parts));
    }
    open = await openConsole(configuration, data, {
      connections: () => sessions.count,
      scheduler,
      onStorage: () => alarm?.look(),
      ...(tell === noLog && metrics === undefined ? {} : { heard: hearing(tell, metrics) }),
      ...(metrics === undefined ? {} : { files: measuredFiles(denoFileSystem, timer, metrics) }),
    });
  } catch (fault) {
    // Not waited for: requests that came meanwhile wait for a console that never will be.
    server.stop();
    front?.stop();
    throw fault;
  }
  const { console, log, keepSiteKey } = open;
  /** Says what was found, and makes the first user where there is none. */
  const greet = () => {
    tell("info", "recovered", { ...log.recovery });
    sayRecovery(data, log.recovery);
    return sayStart(console, data, urlOf(server.address), tell);
  };
  let greeted: Promise<void> | undefined = undefined;
  alarm = createStorageAlarm({
    console,
    log,
    data,
    timer,
    keep: keepSiteKey,
    // At its first start it could not make one.
    ended: () => {
      void noteIdentity(data, console.state.configuration);
      void greeted?.then(() => console.state.users.size === 0 ? greet() : undefined);
    },
  });
  joinEngine(
    console,
    await engineOf(console, () => sessions.hearMeters() && console.state.engines.own !== "none"),
  );
  followLogics(console);
  const fadeDriver = createFadeDriver(
    console,
    metrics === undefined ? punctualTimer : lateTimer(metrics),
  );
  const wrongTokens = createWrongTokens(sayWrongTokens);
  const observer = createObserver(tell, metrics);
  const sessions = createSessions(console, { timer, scheduler, budget, wrongTokens, observer });
  const device = createDevice(console, configurationFile(config, data));
  await device.settled();
  // The first use of a time zone loads it, for 15 ms: before any fade could wait for that. Who
  // names none does without.
  const zone = timeZoneOf(console.state);
  if (zone !== undefined) localTime(machine.clock.now(), zone);
  const { clock } = machine;
  const isViewServed = options.view && configuration.view;
  const view = isViewServed ? readView() : undefined;
  const of = { console, sessions, clock, timer, scheduler, budget, device, observer, view };
  const made = createService({ ...of, metrics: metrics?.text, machineName: machineName() });
  followEngines(console, tell);

  const [http, https] = [urlOf(server.address), front && urlOf(front.address, "https")];
  const missing = front !== undefined && console.state.tls === undefined;
  if (tell === noLog) {
    print(`faderd ${VERSION} on ${http}, ${source ?? "the embedded demo console"}`);
    if (https) print(`HTTPS on ${https}${missing ? ", once a certificate is restored" : ""}`);
  }
  if (front !== undefined) followCertificate(console, front);
  tell("info", "started", {
    version: VERSION,
    http,
    https,
    certificate: missing ? "none" : undefined,
    configuration: source ?? "demo",
    data,
    pid: Deno.pid,
  });
  if (isViewServed && view === undefined) {
    warn("there is no device view: run deno task view, or start with --no-view");
  }
  sayUnknown(console, data);
  if (configuration.siteKey === undefined) {
    warn(`no siteKey is configured: snapshots are sealed with the ${PUBLISHED_SITE_KEY}`);
  }
  for (const remark of remarksOn(console.state.configuration)) warn(remark);
  sayFolder(data);
  sayHook(configuration);
  sayTraces();
  sayOpen(console.state.configuration, [server.address, ...(front ? [front.address] : [])]);
  sayGain(console);
  await noteIdentity(data, console.state.configuration);
  const notify = createNotify(timer);
  signals.onHangUp(() =>
    sayReread({ console, device, scheduler, source: configurationSource(config, data) }, notify)
  );
  greeted = greet();
  await greeted;
  // Whoever is told that the service is ready finds its first user and the token.
  opened.resolve(made);
  const stopAdvertising = configuration.advertise
    ? await startAdvertising(console, { http: server.address, https: front?.address })
    : undefined;
  void notify("READY=1");

  const ended = await signals.end;
  const endedAt = clock.monotonic();
  const toldStopping = notify("STOPPING=1");
  tell("info", "stopping", { signal: ended });
  sessions.closeAll(GOING_AWAY, "the service is stopping");
  const stopping = [server.stop(), front?.stop(), stopAdvertising?.(), toldStopping];
  await atMost(REQUESTS_MS, Promise.all(stopping));
  await atMost(MEDIUM_MS, storeTheRest(open, fadeDriver, device, alarm));
  alarm.sayLost();
  tell("info", "stopped", { ms: Math.round(clock.monotonic() - endedAt) });
}

/** What plays the sound of a console, as far as this program does. */
async function engineOf(console: Console, heard: () => boolean): Promise<Engine> {
  if (console.state.configuration.engine === "none") return silence;
  const { createSimulatedEngine } = await import("../engine/simulated/engine.ts");
  const tree = () => console.state.tree;
  return createSimulatedEngine({ seed: SEED, timer: machineTimer, tree, heard });
}

/** The most connections of one address; behind a proxy all of them come from that. */
function perAddress({ limits }: Configuration): number {
  return limits.rest.trustProxy ? Infinity : limits.connectionsPerAddress;
}

/** Stores what is still to be kept: where faders are, the hours, what was acknowledged. */
async function storeTheRest(
  { console, close }: OpenConsole,
  fadeDriver: FadeDriver,
  device: Device,
  alarm: StorageAlarm,
): Promise<void> {
  await fadeDriver.stop();
  await device.settled();
  console.dispatch(refreshGeneral(), DEVICE);
  await console.dispatch(keepHours, DEVICE);
  await alarm.stop();
  await close();
}

/** Advertises the service. Where that cannot begin it says so, and the service goes on without. */
async function startAdvertising(
  console: Console,
  listening: Listening,
): Promise<(() => Promise<void>) | undefined> {
  try {
    // Loaded only where it is asked for, as the TLS front is.
    const { advertise } = await import("./advertise.ts");
    return await advertise(console, listening, machineTimer);
  } catch (fault) {
    warn(`advertise: ${reasonOf(fault)}`);
    return undefined;
  }
}

function atMost(ms: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, new Promise<void>((resolve) => after(machineTimer, ms, resolve))]);
}

function sayFault(fault: unknown): void {
  warn(`a request failed: ${reasonOf(fault)}`);
}

function sayWrongTokens(address: string, count: number): void {
  warn(`${count} wrong tokens have come from ${address}; to more of them answers come late`);
}

/** Gives new connections the certificate of the console, whenever that changes. */
function followCertificate(console: Console, front: TlsFront): void {
  const follow = () => {
    try {
      front.setCertificate(console.state.tls);
    } catch (fault) {
      warn(`the TLS certificate cannot be used: ${reasonOf(fault)}`);
    }
  };
  follow();
  console.watch((event) => {
    if (event.type === "restored" && event.tls !== undefined) follow();
  });
}

function bind<Listening>(address: Address, how: (address: Address) => Listening): Listening {
  try {
    return how(address);
  } catch (fault) {
    const { hostname, port } = address;
    throw new Failure(`cannot listen on ${hostname}:${port}: ${reasonOf(fault)}`);
  }
}

/** Reads the configuration again, and says what came of that. */
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

function urlOf({ hostname, port }: Address, scheme = "http"): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `${scheme}://${host}:${port}`;
}
