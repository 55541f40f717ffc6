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

/** Takes a line that is said, and how much it matters where there is a log. */
type Take = (level: "info" | "warning", line: string) => void;

let take: Take = toStandardError;

function toStandardError(_level: string, line: string): void {
  Deno.stderr.writeSync(encoder.encode(`faderd: ${withoutTokens(line)}\n`));
}

/** Says a line on standard error, or in the log, without any token that somebody put into it. */
export function warn(line: string): void {
  take("warning", line);
}

/** As {@link warn}, of what went well: in the log it is not a warning. */
export function report(line: string): void {
  take("info", line);
}

/** From now on such lines go to the log of the service, or to standard error again. */
export function sayInLog(taker: Take = toStandardError): void {
  take = taker;
}

/** Returns the sentence of whatever was thrown, without its stack. */
export function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
