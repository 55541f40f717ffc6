/**
 * The token of the user that a first start makes. It is shown on a terminal, once; anything else
 * that takes what the program says, such as a journal, keeps it, so there the token goes to a file.
 *
 * @module
 */
import { reasonOf, warn } from "./print.ts";
import { replaceText } from "./private-file.ts";

/** The file, in the data folder, for its owner alone. */
export const TOKEN_FILE = "admin-token";

/**
 * Keeps a token in a file, and answers that. Undefined where the token may be shown, and a terminal
 * shows it, or where the file could not be written: then it has to be shown, for nobody else has it.
 */
export async function keepToken(
  data: string,
  token: string,
  mayShow: boolean,
): Promise<string | undefined> {
  if (mayShow && Deno.stdout.isTerminal()) return undefined;
  const file = `${data}/${TOKEN_FILE}`;
  try {
    await replaceText(file, `${token}\n`);
    return file;
  } catch (fault) {
    warn(`${file} could not be written: ${reasonOf(fault)}`);
    return undefined;
  }
}
