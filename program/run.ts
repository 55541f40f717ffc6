/**
 * One run of the program, from its command line to its exit code.
 *
 * @module
 */
import { StorageError } from "../storage/storage-error.ts";
import { readCommandLine } from "./command-line.ts";
import { commands } from "./commands.ts";
import { Failure } from "./failure.ts";
import { tooOld } from "./minimum-deno.ts";
import { warn } from "./print.ts";

/** Does what the command line asks for, and ends the process. */
export async function runProgram(): Promise<void> {
  const outdated = tooOld(Deno.version.deno);
  if (outdated !== undefined) warn(outdated);
  try {
    await readCommandLine(commands, Deno.args)();
    Deno.exit(0);
  } catch (fault) {
    if (!(fault instanceof Failure || fault instanceof StorageError)) throw fault;
    warn(fault.message);
    Deno.exit(fault instanceof Failure ? fault.status : 1);
  }
}
