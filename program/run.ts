/**
 * One run of the program, from its command line to its exit status.
 *
 * @module
 */
import { StorageError } from "../storage/storage-error.ts";
import { readCommandLine } from "./command-line.ts";
import { commands } from "./commands.ts";
import { Failure } from "./failure.ts";
import { tooOld } from "./minimum-deno.ts";
import { warn } from "./print.ts";

/** Exit status of a process that SIGPIPE ends: nobody reads its output any more. */
const BROKEN_PIPE = 141;

/** Carries out the command line of this process, and ends the process. */
export async function runProgram(): Promise<never> {
  Deno.exit(await runCommandLine(Deno.args));
}

/** Carries out a command line; returns the exit status. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const outdated = tooOld(Deno.version.deno);
  if (outdated !== undefined) warn(outdated);
  try {
    await readCommandLine(commands, args)();
    return 0;
  } catch (fault) {
    // As in `faderd api | head`.
    if (fault instanceof Deno.errors.BrokenPipe) return BROKEN_PIPE;
    if (!(fault instanceof Failure || fault instanceof StorageError)) throw fault;
    warn(fault.message);
    return fault instanceof Failure ? fault.status : 1;
  }
}
