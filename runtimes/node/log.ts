/**
 * The log in a folder of the real disk, by Node's file system.
 *
 * @module
 */
import type { Log } from "../../storage/contract.ts";
import { type DiskLogOptions, openLog as openLogOn } from "../../storage/log.ts";
import { machine } from "../clock.ts";
import { nodeFileSystem } from "./file-system.ts";

/** Opens the log in `folder`; `files` may stand in for the real disk. */
export function openLog(folder: string, options: Partial<DiskLogOptions> = {}): Promise<Log> {
  return openLogOn(folder, { files: nodeFileSystem, random: machine.random, ...options });
}
