/**
 * The token of the user `admin`, whom the first start of a service or of a hub makes.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { announce, warn } from "./print.ts";
import { replaceText } from "./private-file.ts";

/** The name of the user whom a first start makes. */
export const ADMIN = "admin";

/** The file of the first token in the data folder, readable by its owner only. */
export const TOKEN_FILE = "admin-token";

/**
 * Writes a token to a file and returns the path of the file, because a journal would keep the
 * output of the program. `mayShow` is whether a terminal may show the token; false for a service
 * with a log. Returns undefined, so that the token is printed, if the output is a
 * terminal, which shows it only once, or if the file could not be written, because otherwise the
 * token would be lost.
 */
export async function keepToken(
  data: string,
  token: string,
  mayShow: boolean,
): Promise<string | undefined> {
  if (mayShow && Deno.stdout.isTerminal()) return undefined;
  const file = `${data}/${TOKEN_FILE}`;
  try {
    // A ledger on other machines has made no folder here.
    await Deno.mkdir(data, { recursive: true, mode: 0o700 });
    await replaceText(file, `${token}\n`);
    return file;
  } catch (fault) {
    warn(`${file} could not be written: ${reasonOf(fault)}`);
    return undefined;
  }
}

/**
 * Prints that the data is new, and a line for a shell that sets TOKEN, with the token itself unless
 * it is in a file.
 */
export function printToken(data: string, user: string, token: string, file?: string): void {
  const where = file === undefined
    ? ", shown only now:"
    : ` is in ${file}, for the owner alone; remove it once you have it:`;
  announce(`data in ${data}: new. The token of ${user}${where}`);
  announce();
  announce(`  TOKEN=${file === undefined ? token : `$(cat ${file})`}`);
  announce();
}
