/**
 * A console on a free port of this machine, for the tests of a program that talks to one.
 *
 * @module
 */
import type { Client, ConnectOptions } from "../../client/client.ts";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { type Console, createConsole } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { initialState } from "../../core/state.ts";
import { addUser } from "../../core/users/adduser.ts";
import { ALL_GROUPS } from "../../core/users/groups.ts";
import { DEVICE } from "../../core/users/user.ts";
import { machine, machineScheduler, machineTimer, punctualTimer } from "../clock.ts";
import { createSimulatedEngine } from "../../engine/simulated/engine.ts";
import { openMemoryLog } from "../../storage/memory.ts";
import { createBudget } from "../../transport/budget.ts";
import { listen } from "./server.ts";
import { serveConsole } from "../../transport/serve-console.ts";
import { WEBSOCKET_PATH } from "../../transport/service.ts";
import { GOING_AWAY } from "../../transport/websocket/close-codes.ts";
import { connect } from "./connect.ts";
import { endingTimer } from "./ending-timer.ts";

/** The options of a console. */
export interface StartOptions {
  /** By default that of the demo console. */
  readonly configuration?: WrittenConfiguration;
  /** 0 to 65535; by default 0, any that is free. */
  readonly port?: number;
  /** By default 127.0.0.1, where only this machine reaches it. */
  readonly hostname?: string;
  /** The seed of the simulated engine: with the same one meters show the same. By default 1. */
  readonly seed?: number;
  /** Is told of faults of the service itself; by default they are printed. */
  readonly onFault?: (fault: unknown) => void;
}

/** A console, running. */
export interface RunningConsole extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Where its WebSockets are opened: `ws://127.0.0.1:port/api/ws`. */
  readonly webSocketUrl: string;
  /** The token of its one user, `admin`, who may do everything. */
  readonly token: string;
  /** The console itself, for what no client can do or see. */
  readonly console: Console;
  /**
   * Makes a client of it, as `connect` does: logged in as `admin`, unless the options say who else.
   * It is closed with the console.
   */
  connect(options?: ConnectOptions): Client;
  /** Closes its clients and its connections, and stops; so does the end of an `await using`. */
  stop(): Promise<void>;
}

/**
 * Starts a console in this process: the whole service, with the simulated engine. It keeps all in
 * memory, and forgets it when it stops. Rejects where the configuration has faults, with all of
 * them, and where the port cannot be had.
 */
export async function startConsole(options: StartOptions = {}): Promise<RunningConsole> {
  const { configuration = demoConfiguration, port = 0, hostname = "127.0.0.1", seed = 1 } = options;
  const { onFault = (fault: unknown) => globalThis.console.error(fault) } = options;
  const read = readConfiguration(configuration);
  if ("faults" in read) {
    throw new Error(read.faults.map(({ path, reason }) => `${path}: ${reason}`).join("\n"));
  }
  const timer = endingTimer(machineTimer);
  const log = await openMemoryLog({ checkpoint: () => console.checkpoint() });
  const console = createConsole({
    ...machine,
    state: initialState(read.configuration),
    store: log,
    connections: () => sessions.count,
    onWatcherFault: onFault,
  });
  const budget = createBudget(() => console.state.configuration.limits.memory);
  const { sessions, service, fadeDriver } = serveConsole(console, {
    clock: machine.clock,
    timer,
    fadeTimer: punctualTimer,
    scheduler: machineScheduler(),
    budget,
    engine: (ports) => createSimulatedEngine({ ...ports, seed, timer }),
  });
  const made = await console.dispatch(
    addUser({ name: "admin", groups: ALL_GROUPS, admin: true }),
    DEVICE,
  );
  if (isRefusal(made)) throw new Error(made.message);
  const { token } = made.result;
  const { receiveBuffers } = budget;
  const parts = { service, timer, onFault, receiveBuffers };
  const server = await listen({ hostname, port }, parts).catch((fault) => {
    timer.end();
    throw fault;
  });
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
    await log.close();
    timer.end();
  }

  return {
    url: `http://${host}`,
    webSocketUrl,
    token,
    console,
    connect(options) {
      const client = connect(webSocketUrl, { token, ...options });
      clients.add(client);
      return client;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
