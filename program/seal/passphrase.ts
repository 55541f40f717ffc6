/**
 * Keys from passphrases. The build of libsodium in faderd has no hash for passphrases; scrypt is
 * Deno's own.
 *
 * @module
 */

/**
 * The cost of a guess: 128 MiB of memory and some 0.7 s of one core, as OWASP recommends for
 * scrypt.
 */
export const LOG2N = 17;

const BLOCK = 8;
const KEY_BYTES = 32;

/** Makes the key of a passphrase. */
export async function keyOfPassphrase(
  passphrase: string,
  salt: Uint8Array,
  log2n: number,
): Promise<Uint8Array> {
  const { scrypt } = await import("node:crypto");
  const N = 2 ** log2n;
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const costs = { N, r: BLOCK, p: 1, maxmem: 256 * N * BLOCK };
  scrypt(passphrase.normalize("NFC"), salt, KEY_BYTES, costs, (fault, key) => {
    if (fault) reject(fault);
    else resolve(new Uint8Array(key));
  });
  return await promise;
}
