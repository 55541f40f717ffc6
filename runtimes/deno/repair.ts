/**
 * The repair of a log in a folder of the real disk, by Deno's file system.
 *
 * @module
 */
import { type Repair, repairLog as repairLogOn, type RepairOptions } from "../../storage/repair.ts";
import { denoFileSystem } from "./file-system.ts";

/** Repairs the log in `folder`; `files` may stand in for the real disk. */
export function repairLog(
  folder: string,
  options: Omit<RepairOptions, "files"> & Partial<Pick<RepairOptions, "files">> = {},
): Promise<Repair> {
  return repairLogOn(folder, { files: denoFileSystem, ...options });
}
