/**
 * Opens sealed streams. An unsealed stream is passed on unchanged.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import * as v from "valibot";
import { Failure } from "../failure.ts";
import {
  HEADER_BYTES,
  headerSchema,
  MAGIC,
  PIECE_BYTES,
  PIECE_TAG_BYTES,
  type SealHeader,
} from "./header.ts";
import { keyOfPassphrase } from "./passphrase.ts";
import { piecesOf } from "./pieces.ts";

/** The keys that open a sealed stream. */
export interface Opener {
  readonly passphrase?: string | undefined;
  readonly secretKey?: Uint8Array | undefined;
}

const LINE_FEED = 0x0a;
const NOT_WHOLE = "it was altered or damaged, or is not whole";

/**
 * Opens a stream as it is read. Throws {@link Failure} if neither the passphrase nor the key opens
 * it, and if it was altered or cut off; the bytes before that are as they were sealed.
 */
export async function* unsealed(
  stream: AsyncIterable<Uint8Array>,
  opener: Opener,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream[Symbol.asyncIterator]();
  const head = await headOf(reader);
  const isSealed = new TextDecoder().decode(head.subarray(0, MAGIC.length)) === MAGIC;
  if (!isSealed) return yield* following(head, reader);
  const line = head.subarray(0, head.indexOf(LINE_FEED) + 1);
  const rest = following(head.subarray(line.length), reader);
  const header = readHeader(line);
  const { sodium } = await import("../../core/sodium.ts");
  const key = await keyOf(header, opener);
  const start = Uint8Array.fromHex(header.start);
  const state = sodium.crypto_secretstream_xchacha20poly1305_init_pull(start, key);
  let vouchedFor: Uint8Array | null = line;
  for await (const { bytes, isLast } of piecesOf(rest, PIECE_BYTES + PIECE_TAG_BYTES)) {
    const pulled = bytes.length < PIECE_TAG_BYTES
      ? false
      : sodium.crypto_secretstream_xchacha20poly1305_pull(state, bytes, vouchedFor);
    if (!pulled) {
      throw new Failure(
        vouchedFor !== null && header.by === "passphrase"
          ? `the passphrase is wrong, or ${NOT_WHOLE}`
          : NOT_WHOLE,
      );
    }
    const final = sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL;
    if ((pulled.tag === final) !== isLast) throw new Failure(NOT_WHOLE);
    vouchedFor = null;
    yield pulled.message as Uint8Array<ArrayBuffer>;
  }
}

/** Reads up to the maximum length of the first line, or the whole stream if it is shorter. */
async function headOf(reader: AsyncIterator<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  let head = new Uint8Array();
  while (head.length < HEADER_BYTES) {
    const { done, value } = await reader.next();
    if (done === true) break;
    head = concat([head, value]);
  }
  return head;
}

async function* following(
  first: Uint8Array<ArrayBuffer>,
  reader: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (first.length > 0) yield first;
  for (let read = await reader.next(); !read.done; read = await reader.next()) {
    yield read.value as Uint8Array<ArrayBuffer>;
  }
}

function readHeader(line: Uint8Array): SealHeader {
  try {
    return v.parse(headerSchema, JSON.parse(new TextDecoder().decode(line.subarray(MAGIC.length))));
  } catch {
    throw new Failure("it was sealed by another version of faderd, or altered");
  }
}

async function keyOf(
  header: SealHeader,
  { passphrase, secretKey }: Opener,
): Promise<Uint8Array> {
  if (header.by === "passphrase") {
    if (passphrase === undefined) {
      throw new Failure("it is sealed with a passphrase: name its file with --passphrase-file");
    }
    return await keyOfPassphrase(passphrase, Uint8Array.fromHex(header.salt), header.log2n);
  }
  if (secretKey === undefined) {
    throw new Failure("it is sealed for a public key: name the file of its secret key with --key");
  }
  const { sodium } = await import("../../core/sodium.ts");
  try {
    const publicKey = sodium.crypto_scalarmult_base(secretKey);
    return sodium.crypto_box_seal_open(Uint8Array.fromHex(header.box), publicKey, secretKey);
  } catch {
    throw new Failure("it is sealed for another key than that of --key");
  }
}
