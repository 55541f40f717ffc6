/**
 * Sealing a stream, so that only a passphrase or a secret key opens it. libsodium is loaded on first
 * use.
 *
 * @module
 */
import { HEADER_BYTES, MAGIC, PIECE_BYTES, type SealHeader } from "./header.ts";
import { keyOfPassphrase, LOG2N } from "./passphrase.ts";
import { piecesOf } from "./pieces.ts";

/**
 * The recipient of a sealed stream: the holder of a passphrase, or of the secret key of a public
 * key.
 */
export type Recipient =
  | { readonly passphrase: string }
  | { readonly publicKey: Uint8Array };

const SALT_BYTES = 16;

/** Seals a stream as it is read, whatever its length, with one piece in memory at a time. */
export async function* sealed(
  stream: AsyncIterable<Uint8Array>,
  recipient: Recipient,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { sodium } = await import("../../core/sodium.ts");
  let key: Uint8Array;
  let found: { by: "passphrase"; salt: string; log2n: number } | { by: "key"; box: string };
  if ("passphrase" in recipient) {
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    key = await keyOfPassphrase(recipient.passphrase, salt, LOG2N);
    found = { by: "passphrase", salt: salt.toHex(), log2n: LOG2N };
  } else {
    key = sodium.crypto_secretstream_xchacha20poly1305_keygen();
    found = { by: "key", box: sodium.crypto_box_seal(key, recipient.publicKey).toHex() };
  }
  const { state, header: start } = sodium.crypto_secretstream_xchacha20poly1305_init_push(key);
  const header: SealHeader = { ...found, start: start.toHex() };
  const line = new TextEncoder().encode(`${MAGIC}${JSON.stringify(header)}\n`);
  if (line.length > HEADER_BYTES) throw new Error("the header is too long");
  yield line;
  let vouchedFor: Uint8Array | null = line;
  for await (const { bytes, isLast } of piecesOf(stream, PIECE_BYTES)) {
    const tag = isLast
      ? sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL
      : sodium.crypto_secretstream_xchacha20poly1305_TAG_MESSAGE;
    const piece = sodium.crypto_secretstream_xchacha20poly1305_push(state, bytes, vouchedFor, tag);
    yield piece as Uint8Array<ArrayBuffer>;
    vouchedFor = null;
  }
}
