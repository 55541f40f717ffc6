/**
 * The output of the program: results on standard output, everything else on standard error.
 *
 * @module
 */

import { reasonOf } from "../core/errors.ts";
import { withoutTokens } from "../core/shown.ts";

const encoder = new TextEncoder();

/** Writes a line to standard output. */
export function print(line = ""): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

/** Writes a line of a service to standard output. The service continues if that takes no writes. */
export function announce(line = ""): void {
  try {
    print(line);
  } catch {
    // Nobody reads it any more, or its medium is full.
  }
}

/**
 * Prints the result of a command as one JSON document, laid out to be read by people too.
 * docs/operating.md lists the members of each document.
 */
export function printJson(document: unknown): void {
  print(JSON.stringify(document, null, 2));
}

/** Receives a line, and its level for a log. */
type Take = (level: "info" | "warning", line: string) => void;

let take: Take = toStandardError;

function toStandardError(_level: string, line: string): void {
  try {
    Deno.stderr.writeSync(encoder.encode(`faderd: ${printable(withoutTokens(line))}\n`));
  } catch {
    // The service continues if its standard error takes no writes, and a command keeps its status.
  }
}

/** Writes a line to standard error or to the log. Tokens are masked, control characters escaped. */
export function warn(line: string): void {
  take("warning", line);
}

/** Like {@link warn}, for an event that is not a problem: its level in the log is `info`. */
export function report(line: string): void {
  take("info", line);
}

/** Sends these lines from now on to the log of the service, or to standard error again. */
export function sayInLog(taker: Take = toStandardError): void {
  take = taker;
}

/** Maximum number of characters that {@link reasonLineOf} takes of a message. */
const REASON_CHARACTERS = 500;

/**
 * Returns the message of a thrown value as one line of a bounded length: it may quote another
 * machine.
 */
export function reasonLineOf(fault: unknown): string {
  return reasonOf(fault).slice(0, REASON_CHARACTERS).replaceAll(/\p{Cc}/gu, escaped);
}

/** Control characters that a terminal would interpret, except for line ends and tabs. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;

/** Escapes the control characters of a text, which may be from another machine. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
