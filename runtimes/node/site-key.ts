/**
 * The site key that a console made for itself (`"siteKey": "own"`), in the file of its data folder
 * that the program uses, too.
 *
 * @module
 */
import { hexOf } from "../../core/hex.ts";
import { machine } from "../clock.ts";
import { keepPrivate, readPrivate } from "./private-text.ts";

const FILE = "site-key";
const KEY_BYTES = 32;

/**
 * Returns the site key of a data folder that this process has locked; if there is none yet, makes
 * one. Rejects where the file holds something else, because that must not be replaced unasked.
 */
export async function ownSiteKey(folder: string, say: (line: string) => void): Promise<string> {
  const kept = await readPrivate(folder, FILE);
  if (kept === undefined) {
    const key = hexOf(machine.random.bytes(KEY_BYTES));
    await keepSiteKey(folder, key, say);
    return key;
  }
  if (/^[0-9a-f]{64}$/.test(kept)) return kept;
  throw new Error(
    `${folder}/${FILE}: expected ${2 * KEY_BYTES} hexadecimal digits in lower case`,
  );
}

/** Writes the key in use into a folder without a key; a different key in the folder stays. */
export async function keepSiteKey(
  folder: string,
  key: string,
  say: (line: string) => void,
): Promise<void> {
  const file = `${folder}/${FILE}`;
  const found = await readPrivate(folder, FILE);
  if (found === undefined) {
    await keepPrivate(folder, FILE, key);
    say(`made a site key in ${file}; keep a copy, for backups can be restored under it alone`);
  } else if (found !== key) {
    say(`${file} holds another site key than the one in use: start again to have it`);
  }
}
