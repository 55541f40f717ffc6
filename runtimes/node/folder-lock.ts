/**
 * The lock on a data folder in Node and Bun, which have no function for it: the program `flock`
 * locks the open folder that it is given, and ends. The lock belongs to the open folder, so it
 * lasts until this process closes the folder, or ends in any way. It is the same lock that the
 * program takes under Deno, so only one process has a folder, whichever runtime it uses.
 *
 * @module
 */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Lock } from "../../storage/file-system.ts";

/** The number under which `flock` finds the open folder. */
const FOLDER = 3;

/** The exit status of `flock` if another process has the folder. */
const IS_LOCKED = 1;

/** The outcome of a program. */
interface Ended {
  readonly status: number | null;
  readonly said: string;
}

/** Locks a folder; undefined if another process has it. Rejects if there is no `flock`. */
export async function lockFolder(path: string): Promise<Lock | undefined> {
  const folder = openSync(path, "r");
  try {
    const { status, said } = await flock(["-x", "-n"], folder);
    if (status === 0) return { release: () => release(folder) };
    if (status !== IS_LOCKED || said !== "") {
      throw new Error(`${path} could not be locked: flock: ${said || `status ${status}`}`);
    }
  } catch (fault) {
    closeSync(folder);
    throw fault;
  }
  return void closeSync(folder);
}

function flock(options: readonly string[], folder: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn("flock", [...options, `${FOLDER}`], {
      stdio: ["ignore", "ignore", "pipe", folder],
    });
    let said = "";
    child.stderr!.on("data", (piece: Uint8Array) => said += new TextDecoder().decode(piece));
    child.on("error", (fault) => reject(isMissing(fault) ? missing() : fault));
    child.on("close", (status) => resolve({ status, said: said.trim() }));
  });
}

function release(folder: number): void {
  // A process that another thread is just starting holds a copy of the open folder for a moment.
  // Closing the folder alone would leave it locked by that copy.
  spawnSync("flock", ["-u", `${FOLDER}`], { stdio: ["ignore", "ignore", "ignore", folder] });
  closeSync(folder);
}

function isMissing(fault: Error): boolean {
  return "code" in fault && fault.code === "ENOENT";
}

function missing(): Error {
  return new Error(
    "expected the program flock, which locks the data folder (of util-linux or BusyBox; on macOS " +
      "`brew install flock`): it is not in PATH",
  );
}
