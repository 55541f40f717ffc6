/**
 * A console as a Durable Object: the whole service, which keeps its durable state in the object's
 * own SQLite database.
 *
 * @module
 */
import { type Configuration, readConfiguration } from "../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { createConsole } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { createCooperativeScheduler } from "../../core/cooperative-scheduler.ts";
import { beginReplay } from "../../core/replay.ts";
import { OWN_SITE_KEY } from "../../core/site-key.ts";
import { addUser } from "../../core/users/adduser.ts";
import { ALL_GROUPS } from "../../core/users/groups.ts";
import { DEVICE } from "../../core/users/user.ts";
import { machine, machineTimer } from "../clock.ts";
import { siteKeyRemark } from "../site-key.ts";
import { createSimulatedEngine } from "../../engine/simulated/engine.ts";
import { openSqlLog, type SqlStorage } from "../../storage/sql-log.ts";
import type { Service } from "../../transport/arrival.ts";
import { serveConsole } from "../../transport/serve-console.ts";
import { createStorageAlarm, type StorageAlarm } from "../storage-alarm.ts";
import { createWorkerHandler } from "./handler.ts";

/** The part of the platform's `DurableObjectState` that is used. */
export interface ObjectContext {
  readonly storage: SqlStorage;
  /** Lets no request in before the work is done; if that rejects, the object is restarted. */
  blockConcurrencyWhile<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The options of a console; `Env` is the type of the Worker's bindings. */
export interface ConsoleObjectOptions<Env> {
  /**
   * The configuration, by default that of the demo console. `siteKey` cannot be `"own"`, and
   * `storage.onFault` is `"refuse"`, whatever it says: an object may be gone at any time. Without
   * a `siteKey` each start of an object prints a warning.
   */
  readonly configuration?: WrittenConfiguration;
  /**
   * The token of the user `admin`, who may do everything, and is made if there are no users: one of
   * the Worker's secrets, `xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx`. As long as
   * there are no users and this token is missing, every request is rejected, and nothing is stored.
   */
  readonly adminToken: (env: Env) => string;
  /** Called with faults of the service itself; by default they are printed. */
  readonly onFault?: (fault: unknown) => void;
}

/** A Durable Object, as the platform makes and calls it. */
export interface ConsoleObject {
  /** Answers a request: HTTP, or one for a WebSocket. */
  fetch(request: Request): Promise<Response>;
}

/** The seed of the simulated signals, which are the same at every start. */
const SEED = 1;

/**
 * Makes the class of a Durable Object, to be exported by a Worker and bound with SQLite
 * (`new_sqlite_classes`). Each object of it is a console of its own. Throws if the configuration
 * has faults, with all of them.
 */
export function consoleObject<Env>(
  options: ConsoleObjectOptions<Env>,
): new (context: ObjectContext, env: Env) => ConsoleObject {
  const { configuration: written = demoConfiguration, adminToken } = options;
  const { onFault = (fault: unknown) => globalThis.console.error(fault) } = options;
  const read = readConfiguration({ ...written, storage: { onFault: "refuse" } });
  if ("faults" in read) {
    throw new Error(read.faults.map(({ path, reason }) => `${path}: ${reason}`).join("\n"));
  }
  const { configuration } = read;
  if (configuration.siteKey === OWN_SITE_KEY) {
    throw new Error(
      "siteKey: expected at least 16 characters, since a Worker keeps no key of its own",
    );
  }

  // The platform asks for a class.
  return class implements ConsoleObject {
    readonly #handler: Promise<(request: Request) => Promise<Response>>;

    constructor(context: ObjectContext, env: Env) {
      this.#handler = context.blockConcurrencyWhile(async () =>
        createWorkerHandler({
          service: await startService(configuration, context.storage, adminToken(env), onFault),
          timer: machineTimer,
          onFault,
        })
      );
      // Every request is answered with the fault; without a request it would count as unhandled.
      this.#handler.catch(() => {});
    }

    async fetch(request: Request): Promise<Response> {
      return await (await this.#handler)(request);
    }
  };
}

/** Opens the console that a database holds, and starts its service. */
async function startService(
  configuration: Configuration,
  storage: SqlStorage,
  adminToken: string,
  onFault: (fault: unknown) => void,
): Promise<Service> {
  let alarm: StorageAlarm | undefined = undefined;
  const replay = beginReplay(configuration);
  const log = await openSqlLog(storage, {
    replay: (record) => replay.read(record),
    checkpoint: () => console.checkpoint(),
    onCondition: () => alarm?.look(),
  });
  const console = createConsole({
    ...machine,
    state: replay.end(),
    store: log,
    connections: () => sessions.count,
    onWatcherFault: onFault,
  });
  const timer = machineTimer;
  const say = (line: string) => globalThis.console.warn(line);
  alarm = createStorageAlarm({ console, log, data: "the database", timer, say });
  const { sessions, service } = serveConsole(console, {
    clock: machine.clock,
    timer,
    scheduler: createCooperativeScheduler(machine.clock, (goOn) => setTimeout(goOn)),
    engine: (ports) => createSimulatedEngine({ ...ports, seed: SEED, timer }),
  });
  if (console.state.users.size === 0) {
    // Without a token a user gets a random one, which nobody would ever learn.
    if (typeof adminToken !== "string") {
      throw new Error(
        `adminToken: expected a token, got ${adminToken}: is the secret of the Worker set?`,
      );
    }
    const admin = { name: "admin", groups: ALL_GROUPS, admin: true, token: adminToken };
    const made = await console.dispatch(addUser(admin), DEVICE);
    if (isRefusal(made)) throw new Error(`adminToken: ${made.message}`);
  }
  const remark = siteKeyRemark(console.state.configuration);
  if (remark !== undefined) globalThis.console.warn(remark);
  return service;
}
