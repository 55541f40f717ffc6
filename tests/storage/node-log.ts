/**
 * The log in a folder of the real disk, by Node's file system.
 *
 * @module
 */
import { machine } from "../../runtimes/clock.ts";
import { nodeFileSystem } from "../../runtimes/node/file-system.ts";
import { type DiskLogOptions, type Log, openLog as openLogOn } from "../../storage/log.ts";

/** Opens the log in `folder`; `files` may stand in for the real disk. */
export function openLog(folder: string, options: Partial<DiskLogOptions> = {}): Promise<Log> {
  return openLogOn(folder, { files: nodeFileSystem, random: machine.random, ...options });
}
