/**
 * The site key that a console made for itself (`"siteKey": "own"`), in a file of its data folder.
 *
 * @module
 */
import { Failure } from "./failure.ts";
import { reasonOf, warn } from "./print.ts";
import { replaceText } from "./private-file.ts";

const KEY_BYTES = 32;

/** The site key that is in use until the program ends. */
export interface OwnSiteKey {
  readonly key: string;
  /**
   * Writes a key that the start could not write; rejects if the medium still does not take it. If
   * the file has another key by then, that key stays, which is reported. Undefined for a key that
   * is in its file.
   */
  readonly keep?: () => Promise<void>;
}

/**
 * Returns the site key of a data folder that this process has locked; if there is none yet, makes
 * one and prints that. Throws {@link Failure} if the key cannot be read or written, or is not a
 * key, because it must not be replaced unasked. Only for an `excused` fault, when the medium fails
 * and the console runs in degraded mode, returns a new key that is still to be written, and prints
 * that.
 */
export async function ownSiteKey(
  data: string,
  excused: (fault: unknown) => boolean = () => false,
): Promise<OwnSiteKey> {
  const file = fileIn(data);
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return await makeSiteKey(file, excused);
    if (excused(fault)) return passingSiteKey(file, "read", fault);
    throw new Failure(`${file} cannot be read: ${reasonOf(fault)}`);
  }
  const key = text.trim();
  if (/^[0-9a-f]{64}$/.test(key)) return { key };
  throw new Failure(`${file}: expected ${2 * KEY_BYTES} hexadecimal digits in lower case`);
}

async function makeSiteKey(
  file: string,
  excused: (fault: unknown) => boolean,
): Promise<OwnSiteKey> {
  const key = newKey();
  try {
    await replaceText(file, `${key}\n`);
  } catch (fault) {
    if (excused(fault)) return passingSiteKey(file, "written", fault);
    throw new Failure(`${file} could not be written: ${reasonOf(fault)}`);
  }
  sayMade(file);
  return { key };
}

function sayMade(file: string): void {
  warn(`made a site key in ${file}; keep a copy, for backups can be restored under it alone`);
}

/**
 * Content that is sealed meanwhile by the published key could be opened by everybody; by this key,
 * by nobody.
 */
function passingSiteKey(file: string, what: string, fault: unknown): OwnSiteKey {
  warn(`${file} could not be ${what}: ${reasonOf(fault)}`);
  warn(
    "until the medium takes it there is a site key that nobody knows: if the service ends before, " +
      "what it sealed cannot be used",
  );
  const key = newKey();
  return { key, keep: () => keep(file, key) };
}

/** Writes the key in use into a folder that has none; a key that is found there stays. */
export function keepSiteKey(data: string, key: string): Promise<void> {
  return keep(fileIn(data), key);
}

function fileIn(data: string): string {
  return `${data}/site-key`;
}

async function keep(file: string, key: string): Promise<void> {
  const found = await Deno.readTextFile(file).catch((fault) => {
    if (fault instanceof Deno.errors.NotFound) return undefined;
    throw fault;
  });
  if (found === undefined) {
    await replaceText(file, `${key}\n`);
    sayMade(file);
  } else if (found.trim() !== key) {
    warn(`${file} holds another site key than the one in use: start again to have it`);
  }
}

function newKey(): string {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toHex();
}
