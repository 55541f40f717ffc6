/**
 * What every row needs: a service with a console of 128 faders in a process of its own, and an
 * honest client.
 *
 * @module
 */
import { type Client, startClient } from "../fade-clients.ts";
import { firstToken, type ServerProcess, startFaderd } from "../process.ts";
import { archiveOf, restore } from "./attacks/restores.ts";
import type { Told } from "./attacker.ts";
import { sleep } from "./target.ts";
import type { Seen } from "./witness.ts";

const CONFIGURATION = {
  mixers: [{ faders: 128, automix: 8, cleanfeeds: 8, mutegroups: 8 }],
  processings: 2,
  globalLabels: Array.from({ length: 16 }, (_, at) => ({ id: at + 1, label: `Studio ${at}` })),
  resources: [{ id: 1, name: "Logo" }],
  lists: [{ id: 1, name: "Lines" }],
};

/** A service, with who uses it. */
export interface Scene {
  readonly service: ServerProcess;
  /** Starts an attack; it ends, and says what it was told, when it is ended. */
  attack(name: string): Promise<Client<Told>>;
  /** Ends the honest client; what it saw. */
  witnessed(): Promise<Seen>;
  /** Ends the service and starts it anew on the same data; how long that took, in ms. */
  restarted(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a service; `main` is that of this checkout or of another. */
export async function openScene(main: string | undefined, withTls: boolean): Promise<Scene> {
  const folder = await Deno.makeTempDir({ prefix: "faderd-hostile-" });
  const [data, config] = [`${folder}/data`, `${folder}/config.json`];
  await Deno.writeTextFile(config, JSON.stringify(CONFIGURATION));
  const options = withTls ? ["--listen-tls", "127.0.0.1:0"] : [];
  const start = () => startFaderd(data, config, options, main);
  let service = await start();
  const { port, said } = service;
  const admin = firstToken(service);
  const user = await addUser(port, admin, "visitor");
  const honest = await addUser(port, admin, "honest");
  const tlsPort = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? 0);
  if (withTls) await setCertificate(port, admin);
  const witness = await startClient<Seen>("hostile/witness.ts", [port, honest]);
  return {
    get service() {
      return service;
    },
    attack(name) {
      const target = JSON.stringify({ port, tlsPort, user, admin });
      return startClient<Told>("hostile/attacker.ts", [name, target]);
    },
    witnessed: () => witness.end(),
    async restarted() {
      await service.stop();
      const from = performance.now();
      service = await start();
      return performance.now() - from;
    },
    async stop() {
      await service.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function addUser(port: number, admin: string, name: string): Promise<string> {
  const params = { name, groups: 1 };
  const body = JSON.stringify({
    method: "rpc",
    token: admin,
    payload: { method: "adduser", params },
  });
  const answer = await fetch(`http://127.0.0.1:${port}/api/rest`, { method: "POST", body });
  const { payload, error } = await answer.json();
  if (error !== undefined) throw new Error(error.message);
  return payload.result.token;
}

const CERTIFICATE = new URL("../../tests/program/certificates/one.pem", import.meta.url);

async function setCertificate(port: number, admin: string): Promise<void> {
  const pem = await Deno.readTextFile(CERTIFICATE);
  const { text } = await restore(port, admin, "TLS", await archiveOf("tls.pem", "TLS", pem));
  if (text.includes('"Error"')) throw new Error(text);
  // The next connection has it.
  await sleep(200);
}

/** Resident memory is read from the kernel, and so is the most since it was forgotten. */
export function forgetPeak({ pid }: ServerProcess): void {
  Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The most resident memory since it was forgotten, in MB; 0 once the process has ended. */
export function peakMegabytes(service: ServerProcess): number {
  if (service.ended) return 0;
  const status = Deno.readTextFileSync(`/proc/${service.pid}/status`);
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024 / 1e6;
}

/** Bytes that were written to the medium so far. */
export function bytesWritten({ pid, ended }: ServerProcess): number {
  if (ended) return 0;
  return Number(/^write_bytes: (\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/io`))![1]);
}

/** How many descriptors are open. */
export function descriptors({ pid, ended }: ServerProcess): number {
  return ended ? 0 : [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}
