/**
 * A console on a port of this machine: in memory, for the tests of a program that talks to one, or
 * with its data in a folder.
 *
 * @module
 */
import { hostname as machineName } from "node:os";
import type { Client, ConnectOptions } from "../../client/client.ts";
import { type Configuration, readConfiguration } from "../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { type Console, createConsole } from "../../core/console.ts";
import { noDevice } from "../../core/backup/device.ts";
import { createEndingTimer } from "../../core/ending-timer.ts";
import { OWN_SITE_KEY } from "../../core/site-key.ts";
import { initialState } from "../../core/state.ts";
import { machine, machineScheduler, machineTimer, punctualTimer } from "../clock.ts";
import { certificateFault, validityOf } from "../certificate.ts";
import { createSimulatedEngine } from "../../engine/simulated/engine.ts";
import { openMemoryLog } from "../../storage/memory.ts";
import { createBudget } from "../../transport/budget.ts";
import { listen } from "./server.ts";
import { serveConsole } from "../../transport/serve-console.ts";
import { WEBSOCKET_PATH } from "../../transport/service.ts";
import { GOING_AWAY } from "../../transport/websocket/close-codes.ts";
import type { Server } from "../../transport/server.ts";
import type { OpenConsole } from "../open-console.ts";
import { siteKeyRemark } from "../site-key.ts";
import { expectOwnData, noteIdentity } from "../whose-data.ts";
import { adminToken } from "./admin-token.ts";
import { connect } from "./connect.ts";
import { type KeptConsolePorts, openKeptConsole } from "./kept-console.ts";
import { folderTexts } from "./private-text.ts";

/** The options of a console. */
export interface StartOptions {
  /** The configuration, by default that of the demo console. */
  readonly configuration?: WrittenConfiguration;
  /** The port, 0 to 65535; by default 0, which selects a free port. */
  readonly port?: number;
  /** The address, by default 127.0.0.1, where only this machine reaches it. */
  readonly hostname?: string;
  /** The seed of the simulated engine: with the same seed meters show the same. By default 1. */
  readonly seed?: number;
  /**
   * The folder of its data, which is made if it does not exist: a change is answered once it is on
   * the medium, and survives a restart. Only one process has the folder at a time, this one or
   * `faderd serve`. Without it all data is in memory, and is lost when the console stops.
   */
  readonly data?: string;
  /** Called with faults of the service itself; by default they are printed. */
  readonly onFault?: (fault: unknown) => void;
  /**
   * Takes lines for people about the data: alarms of its medium, and at each start that no
   * `siteKey` is configured; by default they are printed. `onFault` is called with an error that it
   * throws.
   */
  readonly say?: (line: string) => void;
}

/** A console, running. */
export interface RunningConsole extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Where its WebSockets are opened: `ws://127.0.0.1:port/api/ws`. */
  readonly webSocketUrl: string;
  /**
   * The token of the user `admin`, who may do everything, and is made if there are no users. With
   * `data` it is kept there, in the file `admin-token`. It is empty if that file is gone or holds
   * the token of no user, if there were users before, or if the log is damaged and no user could be
   * read.
   */
  readonly token: string;
  /** The console itself, for everything that no client can do or see. */
  readonly console: Console;
  /**
   * Makes a client of it, as `connect` does: logged in as `admin`, unless the options say who else.
   * It is closed with the console.
   */
  connect(options?: ConnectOptions): Client;
  /**
   * Closes its clients and its connections, and stops; so does the end of an `await using`. Requests
   * in progress have 2 s to be answered.
   */
  stop(): Promise<void>;
}

/**
 * Starts a console in this process: the whole service, with the simulated engine. Rejects if the
 * configuration has faults, with all of them; if the port is not available; at a first start, if
 * the medium takes no writes; and, with a {@link StorageError}, if another process has the data.
 */
export async function startConsole(options: StartOptions = {}): Promise<RunningConsole> {
  const { configuration = demoConfiguration, port = 0, hostname = "127.0.0.1", seed = 1 } = options;
  const { onFault = (fault: unknown) => globalThis.console.error(fault) } = options;
  const { data, say: tell = (line: string) => globalThis.console.error(line) } = options;
  const read = readConfiguration(configuration);
  if ("faults" in read) {
    throw new Error(read.faults.map(({ path, reason }) => `${path}: ${reason}`).join("\n"));
  }
  if (data === undefined && read.configuration.siteKey === OWN_SITE_KEY) {
    throw new Error(
      "siteKey: expected at least 16 characters, or `data`, where the console keeps its own key",
    );
  }
  const say = (line: string) => {
    try {
      tell(line);
    } catch (fault) {
      onFault(fault);
    }
  };
  const texts = data === undefined ? undefined : folderTexts(data, say);
  if (texts !== undefined && options.configuration === undefined) {
    await expectOwnData(texts, read.configuration, "give its configuration");
  }
  const timer = createEndingTimer(machineTimer);
  const scheduler = machineScheduler();
  const connections = () => sessions.count;
  const ports = { timer, scheduler, connections, onFault };
  const kept = texts === undefined
    ? await openConsoleInMemory(read.configuration, ports)
    : await openKeptConsole(read.configuration, texts, ports);
  const { console } = kept;
  const budget = createBudget(() => console.state.configuration.limits.memory);
  const { sessions, service, fadeDriver } = serveConsole(console, {
    clock: machine.clock,
    timer,
    fadeTimer: punctualTimer,
    scheduler,
    budget,
    machineName: machineName(),
    device: { ...noDevice, checkCertificate: certificateFault, validityOf },
    engine: (ports) => createSimulatedEngine({ ...ports, seed, timer }),
  });
  const { receiveBuffers } = budget;
  const parts = { service, timer, onFault, receiveBuffers };
  let token: string;
  let server: Server;
  try {
    if (texts !== undefined) await noteIdentity(texts, console.state.configuration);
    token = await adminToken(kept, texts);
    server = await listen({ hostname, port }, parts);
  } catch (fault) {
    await kept.close();
    timer.end();
    throw fault;
  }
  const remark = siteKeyRemark(console.state.configuration);
  // A console in memory is for tests, whose output a line of each start would only crowd.
  if (data !== undefined && remark !== undefined) say(remark);
  const { address } = server;
  const host = `${
    address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname
  }:${address.port}`;
  const webSocketUrl = `ws://${host}${WEBSOCKET_PATH}`;
  const clients = new Set<Client>();

  async function stop(): Promise<void> {
    await Promise.all([...clients].map((client) => client.close()));
    sessions.closeAll(GOING_AWAY, "the console is stopping");
    await server.stop();
    await fadeDriver.stop();
    await kept.close();
    timer.end();
  }

  return {
    url: `http://${host}`,
    webSocketUrl,
    token,
    console,
    connect(options) {
      const client = connect(webSocketUrl, { ...token !== "" && { token }, ...options });
      clients.add(client);
      client.onState(({ state }) => state === "closed" && clients.delete(client));
      return client;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function openConsoleInMemory(
  configuration: Configuration,
  { connections, onFault }: KeptConsolePorts,
): Promise<OpenConsole> {
  const log = await openMemoryLog({ checkpoint: () => console.checkpoint() });
  const state = initialState(configuration);
  const console = createConsole({
    ...machine,
    state,
    store: log,
    connections,
    onWatcherFault: onFault,
  });
  return { console, log, close: () => log.close() };
}
