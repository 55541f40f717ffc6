/**
 * The result of a command as one JSON document for programs: `--json`. docs/operating.md lists the
 * members of each document.
 *
 * @module
 */
import type { Option } from "./command-line.ts";
import { print } from "./print.ts";

/** The option of each command that prints a list or a finding. */
export const jsonOption: Option = ["--json", "print one JSON document, for programs"];

/** Prints a document, laid out to be read by people, too. */
export function printJson(document: unknown): void {
  print(JSON.stringify(document, null, 2));
}
