/**
 * The log in a folder of the real disk, by Deno's file system.
 *
 * @module
 */
import type { Log } from "../../storage/contract.ts";
import {
  type DiskLogOptions,
  inspectLog as inspectLogOn,
  openLog as openLogOn,
} from "../../storage/log.ts";
import type { Recovered, VisitRecord } from "../../storage/recovery.ts";
import { machine } from "../clock.ts";
import { denoFileSystem } from "./file-system.ts";

export type * from "../../storage/contract.ts";

/** Opens the log in `folder`; `files` may stand in for the real disk. */
export function openLog(folder: string, options: Partial<DiskLogOptions> = {}): Promise<Log> {
  return openLogOn(folder, { files: denoFileSystem, random: machine.random, ...options });
}

/** Reads all of the log in `folder` without opening it, and gives each good record to `visit`. */
export function inspectLog(
  folder: string,
  visit?: VisitRecord,
  files = denoFileSystem,
): Promise<Recovered> {
  return inspectLogOn(folder, files, visit);
}
