/**
 * `faderd hub`: runs a hub until it is told to end.
 *
 * @module
 */
import { machine, machineScheduler, machineTimer } from "../runtimes/clock.ts";
import { denoFileSystem } from "../runtimes/deno/file-system.ts";
import type { Address } from "../runtimes/deno/server.ts";
import { reasonOf } from "../core/errors.ts";
import { MEMORY_BYTES } from "../core/limits.ts";
import { after, within } from "../core/ports.ts";
import type { Tls } from "../core/backup/tls.ts";
import { createHubApi } from "../fleet/api/hub-api.ts";
import { openBackups } from "../fleet/backups/backups.ts";
import { createDirect, directId } from "../fleet/direct/direct.ts";
import { openFilesLedger } from "../fleet/ledger/files.ts";
import { isLedgerError } from "../fleet/ledger/ledger.ts";
import type { Backups } from "../fleet/backups/fleet-backups.ts";
import { createHubMetrics } from "../fleet/hub/hub-metrics.ts";
import { createHub, type Hub, type HubParts } from "../fleet/hub/hub.ts";
import { openMemoryLedger } from "../fleet/ledger/memory.ts";
import { createHubService } from "../fleet/hub/serve-hub.ts";
import { StorageError } from "../storage/storage-error.ts";
import type { Service } from "../transport/arrival.ts";
import { createBudget } from "../transport/budget.ts";
import { createWrongTokens } from "../transport/wrong-tokens.ts";
import { openBackupFolder } from "./backup-folder.ts";
import { Failure } from "./failure.ts";
import { createExpiry } from "./certificate-expiry.ts";
import { type HubConfiguration, loadHubConfiguration, readTls } from "./hub-configuration.ts";
import { greet } from "./hub-greeting.ts";
import { type Listeners, openListeners, urlOf } from "./listeners.ts";
import { machineName } from "./machine-name.ts";
import { createNotify } from "./notify.ts";
import { announce, reasonLineOf, report, warn } from "./print.ts";
import { openShared } from "./shared-by-hubs.ts";
import { listenToSignals } from "./signals.ts";
import { createStartTime } from "./start-time.ts";
import { VERSION } from "./version.ts";
import { readFleetPage, readView } from "./view-files.ts";

/** The options of a hub. */
export interface HubOptions {
  readonly listen: Address;
  readonly listenTls: Address | undefined;
  readonly config: string | undefined;
  readonly data: string;
  readonly view: boolean;
}

/** Maximum time in ms for requests in progress when the hub ends. */
const REQUESTS_MS = 1000;

/**
 * Maximum time in ms for the backups when the hub ends: to list one, and to give back their lease.
 */
const BACKUPS_MS = 1000;

/** Time in ms for the closes of sockets to be sent when the hub ends. */
const SOCKETS_MS = 100;

/** Maximum number of connections of one address: a proxy, or a site, has many consoles. */
const CONNECTIONS_PER_ADDRESS = 8192;

/**
 * Runs a hub until SIGTERM or SIGINT; resolves once everything acknowledged is stored. Throws
 * {@link Failure} if it cannot start.
 */
export async function serveHub(options: HubOptions): Promise<void> {
  const configuration = loadHubConfiguration(options.config);
  const signals = listenToSignals();
  const { listen, listenTls, data } = options;
  if (listenTls !== undefined && configuration.tls === undefined) {
    throw new Failure("--listen-tls needs a certificate: tls in the configuration names its file");
  }
  const budget = createBudget(() => MEMORY_BYTES);
  const ready = Promise.withResolvers<Service>();
  let service: Service = async (arrival) => (await ready.promise)(arrival);
  // The port is bound before the data folder is touched, so that a port in use leaves nothing
  // behind.
  const listeners = await openListeners({ http: listen, https: listenTls }, {
    service: (arrival) => service(arrival),
    timer: machineTimer,
    onFault: sayFault,
    connectionsPerAddress: () => CONNECTIONS_PER_ADDRESS,
    receiveBuffers: budget.receiveBuffers,
  });
  const certificate = createPresentedCertificate(listeners);
  let hub: Hub;
  try {
    if (configuration.tls !== undefined) certificate.show(readTls(configuration.tls));
    hub = await openHub(configuration, data);
    expectNotEnrolled(configuration, hub);
  } catch (fault) {
    listeners.stop();
    throw fault;
  }
  await greet(hub, data, listeners.http);
  const view = options.view ? readView() : undefined;
  if (options.view && view === undefined) {
    warn("the device view was not made (deno task view), so consoles are shown by no page");
  }
  const ports = {
    clock: machine.clock,
    random: machine.random,
    timer: machineTimer,
    scheduler: machineScheduler(),
    budget,
  };
  const backups = await backupsOf(hub, configuration);
  const fleetPage = options.view ? readFleetPage() : undefined;
  const api = createHubApi(hub, { ...ports, version: VERSION, view: fleetPage, backups });
  const { direct, staleAfter } = configuration;
  for (const console of direct) hub.hold(createDirect(console, { ...ports, staleAfter }));
  service = createHubService({
    ...ports,
    hub,
    metrics: createHubMetrics(hub, {
      version: VERSION,
      startedAt: createStartTime(machine.clock),
      cpuSeconds() {
        // `process` is loaded on first use: it takes 2 MB that a hub without a scrape does not
        // need.
        const { user, system } = globalThis.process.cpuUsage();
        return (user + system) / 1e6;
      },
      connections: api.connections,
      residentBytes: () => Deno.memoryUsage().rss,
      certificateExpiry: certificate.expiry,
    }),
    own: api.answer,
    trustProxy: configuration.trustProxy,
    hosts: configuration.hosts,
    machineName: machineName(),
    view,
    onFault: sayFault,
  });
  ready.resolve(service);
  sayListening(listeners);
  signals.onHangUp(() => rereadCertificate(configuration, certificate));
  const notify = createNotify(machineTimer);
  void notify("READY=1");
  await signals.end;
  void notify("STOPPING=1");
  api.close();
  if (backups !== undefined) await within(machineTimer, BACKUPS_MS, backups.close());
  const stopping = listeners.stop();
  // Consoles and clients go to another hub, or come back to this one.
  const closed = hub.close();
  await within(machineTimer, REQUESTS_MS, stopping);
  await closed;
  // The ends of the sockets are on their way.
  await new Promise((resolve) => after(machineTimer, SOCKETS_MS, () => resolve(undefined)));
}

/** Opens the backups of a hub; undefined if its configuration has none. */
async function backupsOf(
  hub: Hub,
  { backup }: HubConfiguration,
): Promise<Backups | undefined> {
  if (backup === undefined) return undefined;
  const { at, keep, folder } = backup;
  return await openBackups(hub, {
    files: await openBackupFolder(folder),
    clock: machine.clock,
    timer: machineTimer,
    scheduler: machineScheduler(),
    at,
    keep,
    onFault: (fault) => warn(`backup: ${reasonLineOf(fault)}`),
  });
}

async function openHub(configuration: HubConfiguration, data: string): Promise<Hub> {
  const { organisation, anonymous, staleAfter } = configuration;
  const { clock, random } = machine;
  return await createHub({
    ...await openLedger(configuration, data),
    clock,
    random,
    timer: machineTimer,
    wrongTokens: createWrongTokens((address, count) =>
      warn(`${count} wrong tokens have come from ${address}; further ones are answered late`)
    ),
    organisation,
    name: configuration.name ?? organisation,
    version: VERSION,
    anonymous,
    staleAfter,
    onFault(fault) {
      const part = isLedgerError(fault) ? "the ledger of the fleet" : "the hub";
      warn(`${part}: ${reasonLineOf(fault)}`);
    },
  });
}

/** Throws {@link Failure} if the hub is to dial a console that is enrolled, and so dials the hub. */
function expectNotEnrolled({ direct }: HubConfiguration, { enrolments }: Hub): void {
  for (const [at, console] of direct.entries()) {
    const id = directId(console);
    if (!enrolments.consoles.has(id)) continue;
    throw new Failure(
      `direct.${at}.id: console ${id} is enrolled: remove it from the fleet, or from direct`,
    );
  }
}

async function openLedger(
  configuration: HubConfiguration,
  data: string,
): Promise<Pick<HubParts, "ledger" | "takesWrites" | "bus">> {
  const { ledger, organisation, name = machineName() ?? "hub" } = configuration;
  if (ledger.kind === "memory") return { ledger: await openMemoryLedger() };
  if (ledger.kind === "nats") return await openShared(ledger, { organisation, name });
  let isStoring = true;
  try {
    const files = await openFilesLedger(data, {
      files: denoFileSystem,
      random: machine.random,
      timer: machineTimer,
      scheduler: machineScheduler(),
      onCondition: ({ state, why, remedy }) => {
        const wasStoring = isStoring;
        isStoring = state === "ok";
        if (!isStoring) {
          const advice = remedy === undefined ? "" : `. ${remedy}`;
          warn(`the ledger in ${data}: ${why}; open sessions and live commands continue${advice}`);
        } else if (!wasStoring) report(`the ledger in ${data} takes changes again`);
      },
    });
    return { ledger: files, takesWrites: () => isStoring };
  } catch (fault) {
    if (fault instanceof StorageError) throw fault;
    throw new Failure(`--data ${data}: expected the folder of a hub: ${reasonOf(fault)}`);
  }
}

function sayListening({ http, https }: Listeners): void {
  announce(`hub on ${urlOf(http)}${https === undefined ? "" : ` and ${urlOf(https, "https")}`}`);
}

/** The certificate that a hub presents. */
interface PresentedCertificate {
  /** Presents it to new connections; throws if HTTPS cannot be served with it. */
  show(tls: Tls): void;
  /** The end of its validity, in s since 1970; undefined without one. */
  expiry(): number | undefined;
}

function createPresentedCertificate(listeners: Listeners): PresentedCertificate {
  const end = createExpiry();
  return {
    show(tls) {
      listeners.setCertificate(tls);
      end.follow(tls);
    },
    expiry: end.expiry,
  };
}

function rereadCertificate({ tls }: HubConfiguration, certificate: PresentedCertificate): void {
  if (tls === undefined) return report("SIGHUP: there is no certificate to read again");
  try {
    certificate.show(readTls(tls));
    report("SIGHUP: new connections get the certificate that is there now");
  } catch (fault) {
    warn(`SIGHUP: nothing has changed: ${reasonOf(fault)}`);
  }
}

function sayFault(fault: unknown): void {
  warn(`a request failed: ${reasonLineOf(fault)}`);
}
