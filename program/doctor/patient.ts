/**
 * Gathers the facts for the checks of `faderd doctor`. This changes nothing.
 *
 * @module
 */
import { reasonOf } from "../../core/errors.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import {
  type ReadConfiguration,
  readConfiguration,
} from "../../core/configuration/configuration.ts";
import { beginReplay } from "../../core/replay.ts";
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
import { inspectLog } from "../../runtimes/deno/log.ts";
import { HEALTH_PATH } from "../../transport/health.ts";
import type { Address } from "../../transport/server.ts";
import type { Given } from "../command-line.ts";
import { configurationSource, readToServe } from "../configuration-file.ts";
import { listenAddress } from "../listen-option.ts";
import { urlOf } from "../listeners.ts";
import { isFolder, placeOf } from "../place.ts";
import type { Patient } from "./check.ts";
import { reachable } from "./reachable.ts";

/** Maximum time in ms for the answer of a service. */
const ANSWER_MS = 2000;

/** The default address of the service. */
const LISTEN = "127.0.0.1:8080";

/** Gathers the facts about the console that a command line means. */
export async function patientOf(given: Given): Promise<Patient> {
  const { data, config: named, unit } = placeOf(given);
  const source = configurationSource(named, data);
  const read = readSource(source);
  const { configuration } = "configuration" in read ? read : demo();
  const listen = listenAddress(given.get("listen") ?? unit?.listen ?? LISTEN, "listen");
  const tls = given.get("listen-tls") ?? unit?.listenTls;
  const isInUse = await isLocked(data);
  return {
    data,
    source,
    isNamed: named !== undefined,
    read,
    configuration,
    listen,
    listenTls: tls === undefined ? undefined : listenAddress(tls, "listen-tls"),
    mayRun: unit?.mayRun,
    health: await healthAt(listen),
    isInUse,
    ...(isInUse || !isFolder(data) ? NOTHING_STORED : await readData(data, configuration)),
  };
}

const NOTHING_STORED = { stored: undefined, unstored: undefined };

function readSource(source: string | undefined): ReadConfiguration {
  try {
    return readToServe(source);
  } catch (fault) {
    return { faults: [{ path: "(document)", reason: reasonOf(fault) }] };
  }
}

function demo() {
  const read = readConfiguration(demoConfiguration);
  if ("faults" in read) throw new Error("the demo console is not valid");
  return read;
}

/** Says whether a process holds a data folder. */
async function isLocked(data: string): Promise<boolean> {
  try {
    const lock = await denoFileSystem.lock(data);
    lock?.release();
    return lock === undefined;
  } catch {
    return false;
  }
}

/**
 * Asks the service at an address, or at the address of this machine if the address stands for all
 * of them.
 */
async function healthAt(address: Address): Promise<Patient["health"]> {
  if (address.port === 0) return undefined;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${urlOf(reachable(address))}${HEALTH_PATH}`, { signal });
    const health = await answer.json();
    return typeof health === "object" && health !== null && "live" in health ? health : undefined;
  } catch {
    return undefined;
  }
}

/** Reads all of a log; no service can start meanwhile, because its lock is taken. */
async function readData(
  data: string,
  configuration: Patient["configuration"],
): Promise<Pick<Patient, "stored" | "unstored">> {
  const replay = beginReplay(configuration);
  let unread = 0;
  try {
    const log = await inspectLog(data, (record) => {
      try {
        replay.read(record);
      } catch {
        unread += 1;
      }
    });
    return { stored: { log, state: replay.end(), unread }, unstored: undefined };
  } catch (fault) {
    return { stored: undefined, unstored: `${data} cannot be read: ${reasonOf(fault)}` };
  }
}
