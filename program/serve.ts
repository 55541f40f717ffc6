/**
 * `faderd serve`: the service, from its start to a signal.
 *
 * @module
 */
import { createMover, type Mover } from "../core/fades/mover.ts";
import { keepHours, refreshGeneral } from "../core/general.ts";
import { DEVICE } from "../core/users/user.ts";
import { joinEngine, silence } from "../core/engine.ts";
import { PUBLISHED_SITE_KEY } from "../core/snapshots/snapshotdata.ts";
import { type Address, listen, type Server } from "../transport/server.ts";
import { createService, type Service } from "../transport/service.ts";
import { createSessions } from "../transport/sessions.ts";
import { machine, machineTimer } from "./clock.ts";
import { loadConfiguration } from "./configuration-file.ts";
import { Failure } from "./failure.ts";
import { type OpenConsole, openConsole } from "./open-console.ts";
import { print, reasonOf, warn } from "./print.ts";
import { sayRecovery, sayStart } from "./start.ts";
import { VERSION } from "./version.ts";

/** How long requests under way, and then the medium, may take after a signal: 2 s in all. */
const REQUESTS_MS = 1000;
const MEDIUM_MS = 900;
const GOING_AWAY = 1001;

/** What the command line says. */
export interface ServeOptions {
  readonly listen: Address;
  readonly config?: string | undefined;
  readonly data: string;
}

/**
 * Serves until SIGTERM or SIGINT; resolves once everything acknowledged is stored and every
 * connection closed. Throws {@link Failure}, having written nothing, where it cannot start.
 */
export async function serve({ listen: address, config, data }: ServeOptions): Promise<void> {
  const configuration = loadConfiguration(config);
  const signalled = signal();
  const opened = Promise.withResolvers<Service>();
  // The port is bound before the data folder is touched, so that a taken one leaves nothing behind.
  const server = bind(address, async (arrival) => (await opened.promise)(arrival));
  let open: OpenConsole;
  try {
    open = await openConsole(configuration, data, true);
  } catch (fault) {
    // Not waited for: requests that came meanwhile wait for a console that never will be.
    server.stop();
    throw fault;
  }
  const { console, log } = open;
  joinEngine(console, silence);
  const mover = createMover(console, machine.clock, machineTimer);
  const sessions = createSessions(console);
  opened.resolve(createService({ console, sessions, clock: machine.clock }));

  print(`faderd ${VERSION} on ${urlOf(server.address)}, ${config ?? "the embedded demo console"}`);
  sayRecovery(data, log.recovery);
  if (configuration.siteKey === undefined) {
    warn(`no siteKey is configured: snapshots are sealed with the ${PUBLISHED_SITE_KEY}`);
  }
  await sayStart(console, data, urlOf(server.address));

  await signalled;
  sessions.closeAll(GOING_AWAY, "the service is stopping");
  await atMost(REQUESTS_MS, server.stop());
  await atMost(MEDIUM_MS, storeTheRest(open, mover));
}

/** Stores what is still to be kept: where faders are, the hours, what was acknowledged. */
async function storeTheRest({ console, log }: OpenConsole, mover: Mover): Promise<void> {
  await mover.stop();
  console.dispatch(refreshGeneral, DEVICE);
  await console.dispatch(keepHours, DEVICE);
  await log.close();
}

function atMost(ms: number, work: Promise<void>): Promise<void> {
  return Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, ms))]);
}

function bind(address: Address, service: Service): Server {
  try {
    return listen(address, service, (fault) => warn(`a request failed: ${reasonOf(fault)}`));
  } catch (fault) {
    const { hostname, port } = address;
    throw new Failure(`cannot listen on ${hostname}:${port}: ${reasonOf(fault)}`);
  }
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    Deno.addSignalListener("SIGTERM", resolve);
    Deno.addSignalListener("SIGINT", resolve);
  });
}

function urlOf({ hostname, port }: Address): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}`;
}
