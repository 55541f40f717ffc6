/**
 * The repair of a log in a folder of the real disk, by Deno's file system.
 *
 * @module
 */
import { type Repair, repairLog as repairLogOn, type RepairOptions } from "../../storage/repair.ts";
import { machine } from "../clock.ts";
import { denoFileSystem } from "./file-system.ts";

/** Repairs the log in `folder`; `files` may stand in for the real disk. */
export function repairLog(folder: string, options: Partial<RepairOptions> = {}): Promise<Repair> {
  return repairLogOn(folder, { files: denoFileSystem, random: machine.random, ...options });
}
