/**
 * A folder with the configuration and the data of a console, and the services that run on it.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { type Json, until } from "../service.ts";
import { type Ended, type Running, temporaryFolder } from "./faderd.ts";
import { startFaderd } from "./in-process.ts";

/** The folder of a console, which is removed at the end. */
export interface Scene extends AsyncDisposable {
  readonly path: string;
  /** A file beside the data. */
  file(name: string): string;
  /** The data folder, which a first start makes. */
  readonly data: string;
  /** The configuration file, which exists only if the scene was given a configuration. */
  readonly config: string;
  /** The option of a command line that names the data, and all options that name the console. */
  readonly onData: readonly string[];
  readonly options: readonly string[];
  configure(configuration: object): void;
  start(...more: string[]): Promise<Running>;
}

/** Makes the scene of a console; without a configuration it is the demo console. */
export async function sceneOf(configuration?: object): Promise<Scene> {
  const folder = await temporaryFolder();
  const file = (name: string) => `${folder.path}/${name}`;
  const data = file("data");
  const config = file("console.json");
  const onData = ["--data", data];
  const options = configuration === undefined ? onData : [...onData, "--config", config];
  const configure = (written: object) => Deno.writeTextFileSync(config, JSON.stringify(written));
  if (configuration !== undefined) configure(configuration);
  return {
    path: folder.path,
    file,
    data,
    config,
    onData,
    options,
    configure,
    start: (...more) => startFaderd(...options, ...more),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Ends a service as systemd does. */
export async function stopped(running: Running): Promise<Ended> {
  running.kill("SIGTERM");
  const ended = await running.ended();
  assertEquals(ended.code, 0, ended.stderr);
  return ended;
}

/** Sends SIGHUP, and returns the line that the service prints about it. */
export async function hangUp(running: Running): Promise<string> {
  const before = running.stderr.length;
  running.kill("SIGHUP");
  await until(() => running.stderr.slice(before).includes("\n"));
  return running.stderr.slice(before);
}

/** Calls an RPC. */
export async function rpc(
  { url }: Pick<Running, "url">,
  token: string,
  method: string,
  params: object = {},
): Promise<Json> {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  return await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
}

/** Reads a path of the control tree. */
export async function read({ url }: Pick<Running, "url">, path: string): Promise<Json> {
  return await (await fetch(`${url}/api/rest/${path}`)).json();
}

/** Asserts that a command failed with one clear line, and returns that line. */
export function failure({ code, stdout, stderr }: Ended, status = 1): string {
  assertEquals([code, stdout], [status, ""], stderr);
  assertMatch(stderr, /^faderd: [^\n]+\n$/);
  return stderr;
}
