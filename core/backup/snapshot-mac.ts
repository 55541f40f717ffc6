/**
 * Authenticates the snapshots of archives as `snapshotdata` is, but off this thread: an archive has
 * thousands.
 *
 * @module
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { macBytes, snapshotKeyOfSite } from "../snapshots/snapshotdata.ts";

/** The `mac` of the canonical JSON of a snapshot, in hexadecimal. */
export type MacOf = (text: Uint8Array<ArrayBuffer>) => Promise<string>;

/** Authenticates under the key of a site. */
export async function macUnder(siteKey: string | undefined): Promise<MacOf> {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const raw = new Uint8Array(snapshotKeyOfSite(siteKey));
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);
  return async (text) => {
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, key, text));
    return bytesToHex(signature.subarray(0, macBytes));
  };
}
