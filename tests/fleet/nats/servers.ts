/**
 * NATS servers on the loopback, if this machine has `nats-server`: a single one, or three that
 * share JetStream.
 *
 * @module
 */
import { openLine, versionRefusal } from "../../../fleet/nats/connection.ts";
import { jetstreamManager } from "../../../fleet/nats/packages.ts";

/** A running cluster. */
export interface Servers {
  /** The addresses of the servers for hubs. */
  readonly urls: readonly string[];
  /** Kills a server as a power cut does, or starts it again on its data. */
  kill(at: number): Promise<void>;
  start(at: number): void;
  /** Stops a server with SIGSTOP, and resolves once it stands still; or lets it go on. */
  pause(at: number): Promise<void>;
  goOn(at: number): void;
  /** Has a running server refuse every hub, as while its users are changed, or let all in again. */
  lock(at: number, isLocked: boolean): void;
  /** Returns once the servers take writes, and each server has all earlier writes. */
  ready(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The version of `nats-server` on the PATH; undefined where there is none. */
export function natsVersion(): string | undefined {
  try {
    const { stdout } = new Deno.Command("nats-server", { args: ["--version"] }).outputSync();
    return /v([\d.]+)/.exec(new TextDecoder().decode(stdout))?.[1];
  } catch {
    return undefined;
  }
}

/** Whether hubs support the version of the server on this machine. */
export function isTaken(): boolean {
  const version = natsVersion();
  return version !== undefined && versionRefusal(version) === undefined;
}

/** Whether tests cannot run for lack of a server; an ignored test gives the reason as its name. */
export const isMissing: boolean = natsVersion() === undefined;
if (isMissing) {
  Deno.test.ignore(
    "there is no nats-server on the PATH (Debian: apt-get install nats-server)",
    () => {},
  );
}

/** Starts servers that keep their data in a folder of their own. */
export async function startServers(count: 1 | 3): Promise<Servers> {
  const folder = await Deno.makeTempDir({ prefix: "faderd-nats-" });
  const ports = freePorts(2 * count);
  const [clients, routes] = [ports.slice(0, count), ports.slice(count)];
  // An older server does not know this option.
  const sync = isTaken() ? "sync_interval: always" : "";
  const processes: (Deno.ChildProcess | undefined)[] = clients.map(() => undefined);

  function configure(at: number, more = ""): void {
    const cluster = count === 1 ? "" : `cluster {
      name: fleet, listen: "127.0.0.1:${routes[at]}", no_advertise: true
      routes: [${routes.map((port) => `"nats://127.0.0.1:${port}"`).join(", ")}]
    }`;
    Deno.writeTextFileSync(
      `${folder}/${at}.conf`,
      `server_name: n${at}, listen: "127.0.0.1:${clients[at]}"
      jetstream { store_dir: "${folder}/${at}", max_mem: 64M, max_file: 256M, ${sync} }
      ${cluster}
      ${more}`,
    );
  }

  function start(at: number): void {
    configure(at);
    processes[at] = new Deno.Command("nats-server", {
      args: ["-c", `${folder}/${at}.conf`, "-l", `${folder}/${at}.log`],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  async function kill(at: number): Promise<void> {
    const process = processes[at];
    if (process === undefined) return;
    processes[at] = undefined;
    process.kill("SIGKILL");
    await process.status;
  }

  const servers: Servers = {
    urls: clients.map((port) => `nats://127.0.0.1:${port}`),
    start,
    kill,
    async pause(at) {
      processes[at]!.kill("SIGSTOP");
      while (!isStopped(processes[at]!.pid)) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    goOn: (at) => processes[at]!.kill("SIGCONT"),
    lock(at, isLocked) {
      configure(at, isLocked ? 'authorization { user: "nobody", password: "else" }' : "");
      processes[at]!.kill("SIGHUP");
    },
    async ready() {
      for (let left = 300;; left--) {
        try {
          const line = await openLine({
            servers: servers.urls,
            name: "test",
            allowOldServer: true,
          });
          try {
            const manager = await jetstreamManager(line.connection, { timeout: 500 });
            // An existing stream stays: servers that come back take changes of streams slowly.
            const name = "ready";
            await manager.streams.add({ name, subjects: [name], num_replicas: count });
            for await (const { cluster } of manager.streams.list()) expectWhole(cluster, count);
            return;
          } finally {
            await line.close();
          }
        } catch (fault) {
          if (left === 0) throw fault;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    },
    async [Symbol.asyncDispose]() {
      for (const at of processes.keys()) await kill(at);
      await Deno.remove(folder, { recursive: true });
    },
  };
  for (const at of processes.keys()) start(at);
  try {
    await servers.ready();
  } catch (fault) {
    await servers[Symbol.asyncDispose]();
    throw fault;
  }
  return servers;
}

/**
 * A server that has just come back counts in the majority only once it has all writes of the
 * others.
 */
function expectWhole(
  cluster: { readonly replicas?: readonly { readonly current: boolean }[] } | undefined,
  count: number,
): void {
  const others = cluster?.replicas ?? [];
  const isWhole = others.length === count - 1 && others.every(({ current }) => current);
  if (!isWhole) throw new Error("a server lacks what the others have stored");
}

/** Returns ports that are free now: the routes of the servers have to be known to all of them. */
export function freePorts(count: number): number[] {
  const listeners = Array.from(
    { length: count },
    () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  );
  const ports = listeners.map(({ addr }) => (addr as Deno.NetAddr).port);
  for (const listener of listeners) listener.close();
  return ports;
}

/** Says whether all threads of a process are stopped: each of them still runs for a moment. */
function isStopped(pid: number): boolean {
  return [...Deno.readDirSync(`/proc/${pid}/task`)].every(({ name }) =>
    Deno.readTextFileSync(`/proc/${pid}/task/${name}/stat`).includes(") T ")
  );
}
