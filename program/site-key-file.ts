/**
 * The site key that a console made for itself (`"siteKey": "own"`), in a file of its data folder.
 *
 * @module
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { Failure } from "./failure.ts";
import { reasonOf, warn } from "./print.ts";
import { replaceFile } from "./private-file.ts";

const KEY_BYTES = 32;

/**
 * Answers the site key of a data folder that this process holds; where there is none yet, makes one
 * and says so. Throws {@link Failure} where it cannot be read or kept, or is no such key: another
 * one must not take its place unasked. Only for a fault that is `excused`, since the medium fails
 * and the console plays on, there is another one until the program ends, which is said.
 */
export async function ownSiteKey(
  data: string,
  excused: (fault: unknown) => boolean = () => false,
): Promise<string> {
  const file = `${data}/site-key`;
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return await makeSiteKey(file, excused);
    if (excused(fault)) return passingSiteKey(file, "read", fault);
    throw new Failure(`${file} cannot be read: ${reasonOf(fault)}`);
  }
  const key = text.trim();
  if (/^[0-9a-f]{64}$/.test(key)) return key;
  throw new Failure(`${file}: expected ${2 * KEY_BYTES} hexadecimal digits in lower case`);
}

async function makeSiteKey(
  file: string,
  excused: (fault: unknown) => boolean,
): Promise<string> {
  const key = newKey();
  try {
    await replaceFile(file, ReadableStream.from([new TextEncoder().encode(`${key}\n`)]));
  } catch (fault) {
    if (excused(fault)) return passingSiteKey(file, "written", fault);
    throw new Failure(`${file} could not be written: ${reasonOf(fault)}`);
  }
  warn(`made a site key in ${file}; keep a copy, for backups can be restored under it alone`);
  return key;
}

/** The published key would open to everybody what is sealed meanwhile; this one does to nobody. */
function passingSiteKey(file: string, what: string, fault: unknown): string {
  warn(`${file} could not be ${what}: ${reasonOf(fault)}`);
  warn(
    "until the service ends there is a site key that nobody knows: what it seals cannot be used",
  );
  return newKey();
}

function newKey(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}
