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

/** Writes a line to standard error, without any token that somebody put into it. */
export function warn(line: string): void {
  Deno.stderr.writeSync(encoder.encode(`faderd: ${withoutTokens(line)}\n`));
}

/** Answers the sentence of whatever was thrown, without its stack. */
export function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
