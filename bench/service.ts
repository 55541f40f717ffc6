/**
 * The service as a bench runs it in its own process: the real one, without the command line.
 *
 * @module
 */
import { readConfiguration } from "../core/configuration/configuration.ts";
import type { WrittenConfiguration } from "../core/configuration/schema.ts";
import { type Console, createConsole } from "../core/console.ts";
import { isRefusal } from "../core/errors.ts";
import type { Timer } from "../core/ports.ts";
import { initialState } from "../core/state.ts";
import { addUser, type NewUser } from "../core/users/adduser.ts";
import { DEVICE } from "../core/users/user.ts";
import { createDevice } from "../program/device.ts";
import {
  machine,
  machineScheduler,
  machineTimer as timer,
  punctualTimer,
} from "../runtimes/clock.ts";
import { listen } from "../runtimes/deno/server.ts";
import type { Service } from "../transport/arrival.ts";
import { serveConsole } from "../transport/serve-console.ts";
import { GOING_AWAY } from "../transport/websocket/close-codes.ts";

/** A service that listens. */
export interface BenchService {
  readonly port: number;
  stop(): Promise<void>;
}

/** The hooks of a bench into the service. */
interface Looks {
  /** Wakes the fades. */
  readonly fadeTimer?: Timer;
  /** May answer requests instead of the service. */
  readonly around?: (service: Service) => Service;
}

/** Serves a console on a free port of this machine. */
export function listenFor(
  console: Console,
  { fadeTimer = punctualTimer, around = (service) => service }: Looks = {},
): BenchService {
  const { sessions, service, fadeDriver } = serveConsole(console, {
    clock: machine.clock,
    timer,
    fadeTimer,
    scheduler: machineScheduler(),
    device: createDevice(console, "/dev/null/nowhere"),
  });
  const server = listen({ hostname: "127.0.0.1", port: 0 }, {
    service: around(service),
    timer,
    onFault(fault) {
      throw fault;
    },
  });
  return {
    port: server.address.port,
    async stop() {
      sessions.closeAll(GOING_AWAY, "the bench is over");
      await server.stop();
      await fadeDriver.stop();
    },
  };
}

/** Reads a configuration that has no faults. */
export function configured(written: WrittenConfiguration) {
  const read = readConfiguration(written);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}

/** Makes a console with one mixer, on a store that keeps nothing. */
export function forgetfulConsole(faders: number): Console {
  const limits = {
    writes: { perMinute: 0, bytesPerMinute: 0 },
    snapshots: 65_535,
    stateBytes: 2 ** 32,
  };
  return createConsole({
    ...machine,
    state: initialState(configured({ mixers: [{ faders }], limits })),
    store: { append: () => Promise.resolve() },
  });
}

/** Adds a user; resolves with the user's token. */
export async function withUser(
  console: Console,
  user: Omit<NewUser, "groups">,
): Promise<string> {
  const added = await console.dispatch(addUser({ groups: 255, ...user }), DEVICE);
  if (isRefusal(added)) throw new Error(added.message);
  return added.result.token;
}
