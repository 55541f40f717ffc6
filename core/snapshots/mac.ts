/**
 * What authenticates snapshots on their way between consoles and in archives: libsodium's crypto_auth,
 * the first 256 bits of HMAC-SHA-512, over canonical JSON (decisions.md, "RPC").
 *
 * @module
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "./canonical.ts";

const MAC_BYTES = 32;

/** The mac of a JSON value, in hexadecimal. */
export function macOf(value: unknown, key: Uint8Array): string {
  return bytesToHex(hmac(sha512, key, utf8ToBytes(canonicalJson(value))).subarray(0, MAC_BYTES));
}

/** The mac of what has this canonical JSON, in hexadecimal. */
export type MacOf = (canonical: Uint8Array<ArrayBuffer>) => Promise<string>;

/** The same off this thread: an archive has thousands, and the text of a whole mixer is long. */
export async function macUnder(key: Uint8Array): Promise<MacOf> {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const raw = new Uint8Array(key);
  const secret = await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);
  return async (canonical) => {
    const signature = await crypto.subtle.sign(algorithm, secret, canonical);
    return bytesToHex(new Uint8Array(signature, 0, MAC_BYTES));
  };
}
