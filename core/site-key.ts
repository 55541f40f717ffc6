/**
 * The site key, which is shared by consoles that exchange snapshots and users, and the keys derived
 * from it (decisions.md, "RPC" and "Backup").
 *
 * @module
 */

/**
 * The site key of a console without one of its own, so that two consoles out of the box can
 * exchange snapshots. It is public, so it prevents accidents, not attacks.
 */
export const PUBLISHED_SITE_KEY = "faderd published site key";

/** Stands in a configuration for a site key that the console made itself. */
export const OWN_SITE_KEY = "own";

/**
 * The site key in force: the configured one, or, where the configuration says {@linkcode
 * OWN_SITE_KEY}, the one that the console made. Undefined if neither exists.
 */
export function siteKeyOf({ configuration, ownSiteKey }: {
  readonly configuration: { readonly siteKey?: string | undefined };
  readonly ownSiteKey?: string | undefined;
}): string | undefined {
  const { siteKey } = configuration;
  return siteKey === OWN_SITE_KEY ? ownSiteKey : siteKey;
}

const KEY_BITS = 256;
const encoder = new TextEncoder();

/**
 * Derives the key of 32 bytes for one use: each use has its own key (HKDF-SHA-512), so that no key
 * discloses another.
 */
export async function keyOfSite(
  siteKey: string | undefined,
  use: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const secret = encoder.encode(siteKey ?? PUBLISHED_SITE_KEY);
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const info = encoder.encode(use);
  const algorithm = { name: "HKDF", hash: "SHA-512", salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, KEY_BITS));
}

/** Authenticates bytes under a key. */
export type Hmac = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Makes the HMAC-SHA-512 under a key. It is computed on another thread, because there may be many
 * bytes.
 */
export async function hmacUnder(key: Uint8Array<ArrayBuffer>): Promise<Hmac> {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const secret = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return async (bytes) => new Uint8Array(await crypto.subtle.sign(algorithm, secret, bytes));
}
