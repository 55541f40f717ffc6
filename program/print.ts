/**
 * What the program says: results on standard output, all else on standard error.
 *
 * @module
 */

import { withoutTokens } from "../core/shown.ts";

const encoder = new TextEncoder();

/** Writes a line to standard output. */
export function print(line = ""): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

let takeWarning = (line: string): void => {
  Deno.stderr.writeSync(encoder.encode(`faderd: ${withoutTokens(line)}\n`));
};

/** Says a line on standard error, or in the log, without any token that somebody put into it. */
export function warn(line: string): void {
  takeWarning(line);
}

/** From now on warnings go to the log of the service, which is one for the whole program. */
export function warnInLog(take: (line: string) => void): void {
  takeWarning = take;
}

/** Answers the sentence of whatever was thrown, without its stack. */
export function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
