/**
 * The first line of a sealed file: the way to the key of the stream that follows.
 *
 * A sealed file is `faderd sealed 1`, a space, a JSON object and a line feed; then the stream of
 * libsodium's secretstream (XChaCha20-Poly1305) in pieces of {@linkcode PIECE_BYTES}, the last one
 * shorter or equal, and marked as the last. The whole line is authenticated with the first piece.
 *
 * @module
 */
import * as v from "valibot";

/** The beginning of a sealed file; no other file that faderd reads begins so. */
export const MAGIC = "faderd sealed 1 ";

/** Maximum number of bytes of the line. */
export const HEADER_BYTES = 1024;

/**
 * Number of bytes of a piece before it is encrypted, and of the bytes that encryption adds to each.
 */
export const PIECE_BYTES = 64 * 1024;
export const PIECE_TAG_BYTES = 17;

const hex = (bytes: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`)));

/** The header of the stream. */
const start = hex(24);

/**
 * The header of a sealed file: the salt and the costs of scrypt for a passphrase, or the key of the
 * stream in a sealed box (X25519) of libsodium for a public key. Costs are bounded, because a file
 * states them before it is authenticated.
 */
export const headerSchema = v.variant("by", [
  v.strictObject({
    by: v.literal("passphrase"),
    salt: hex(16),
    log2n: v.pipe(v.number(), v.integer(), v.minValue(14), v.maxValue(18)),
    start,
  }),
  v.strictObject({ by: v.literal("key"), box: hex(80), start }),
]);

/** A header that was read. */
export type SealHeader = v.InferOutput<typeof headerSchema>;
