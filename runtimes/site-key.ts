/**
 * The site key that a console made for itself (`"siteKey": "own"`), in a file of its data folder,
 * and the remark of a start without a site key.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { hexOf } from "../core/hex.ts";
import { PUBLISHED_SITE_KEY } from "../core/site-key.ts";
import { machine } from "./clock.ts";
import type { FolderTexts } from "./folder-texts.ts";

const FILE = "site-key";
const KEY_BYTES = 32;

/** Returns the remark of a start under the published key; undefined under any other key. */
export function siteKeyRemark({ siteKey }: Configuration): string | undefined {
  return siteKey === undefined
    ? `no siteKey is configured: snapshots are sealed with the ${PUBLISHED_SITE_KEY}`
    : undefined;
}

/** The site key that is in use until the console ends. */
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
 * one and says that. Rejects with a `failure` of the texts if the file holds something else, because
 * that must not be replaced unasked. If the file cannot be read or written, calls `onFault`; unless
 * that throws, returns a new key that is still to be written.
 */
export async function ownSiteKey(
  texts: FolderTexts,
  onFault: (file: string, what: "read" | "written", fault: unknown) => void,
): Promise<OwnSiteKey> {
  const file = fileIn(texts);
  const key = hexOf(machine.random.bytes(KEY_BYTES));
  // Everybody could open content that is sealed meanwhile with the published key; nobody else can
  // open content that is sealed with this new key.
  const passing = { key, keep: () => keepSiteKey(texts, key) };
  let kept: string | undefined;
  try {
    kept = await texts.read(FILE);
  } catch (fault) {
    onFault(file, "read", fault);
    return passing;
  }
  if (kept === undefined) {
    try {
      await write(texts, key);
    } catch (fault) {
      onFault(file, "written", fault);
      return passing;
    }
    return { key };
  }
  if (/^[0-9a-f]{64}$/.test(kept)) return { key: kept };
  throw texts.failure(`${file}: expected ${2 * KEY_BYTES} hexadecimal digits in lower case`);
}

/** Writes the key in use into a folder that has none; a key that is found there stays. */
export async function keepSiteKey(texts: FolderTexts, key: string): Promise<void> {
  const found = await texts.read(FILE);
  if (found === undefined) await write(texts, key);
  else if (found !== key) {
    texts.say(
      `${fileIn(texts)} holds another site key than the one in use: restart the service to use it`,
    );
  }
}

async function write(texts: FolderTexts, key: string): Promise<void> {
  await texts.replace(FILE, key);
  texts.say(
    `made a site key in ${fileIn(texts)}; keep a copy, because backups can only be restored ` +
      "with this key",
  );
}

function fileIn({ folder }: FolderTexts): string {
  return `${folder}/${FILE}`;
}
