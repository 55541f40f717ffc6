/**
 * Packs a backup: an ordinary gzip-compressed tar, made while it is read, from a state that nobody
 * alters. So it is the picture of one moment however long its download takes, with one file of it
 * in memory at a time.
 *
 * @module
 */
import type { CooperativeScheduler } from "../ports.ts";
import { createTarPacker } from "modern-tar";
import type { Refusal } from "../errors.ts";
import { BACKUP_PACKED_BYTES } from "../limits.ts";
import type { State } from "../state.ts";
import { type ArchiveFile, filesOf, type PackOptions } from "./files.ts";
import { bytesInTar, sizeRefusal } from "./size.ts";
import { streamOf } from "./stream-of.ts";
import type { Tag } from "./tags.ts";

/** The most bytes that are compressed in one piece: half a millisecond of work. */
const STEP_BYTES = 64 * 1024;

/** So that the same state gives the same bytes. */
const FIXED = { mtime: new Date(0), uid: 0, gid: 0, mode: 0o600 } as const;

/**
 * Makes a backup of some tags of a state, as bytes. Refused (11): what no restore would take, as it
 * has too many files or too large ones; how large it is packed is known only then, and the stream
 * fails where that is too much.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { initialState, isRefusal, readConfiguration, withoutPauses } from "faderd";
 *
 * const read = readConfiguration({ mixers: [{ faders: 8 }] });
 * if ("faults" in read) throw new Error("the configuration has faults");
 * const state = initialState(read.configuration);
 *
 * const options = { time: Date.now(), scheduler: withoutPauses };
 * const packed = await pack(state, ["TLS", "NETWORK"], options);
 * if (isRefusal(packed)) throw new Error(packed.message);
 * const [first, second] = new Uint8Array(await new Response(packed).arrayBuffer());
 * assertEquals([first, second], [0x1f, 0x8b]); // gzip
 * ```
 */
export async function pack(
  state: State,
  tags: readonly Tag[],
  options: PackOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | Refusal> {
  const refusal = await sizeRefusal(state, tags, options.scheduler);
  if (refusal !== undefined) return refusal;
  return packFiles(filesOf(state, tags, options), options.scheduler);
}

/** Packs the files of an archive, to at most `most` bytes. */
export function packFiles(
  files: AsyncIterable<ArchiveFile>,
  scheduler: CooperativeScheduler,
  most: number = BACKUP_PACKED_BYTES,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return streamOf(inPieces(tarOf(files), scheduler))
    .pipeThrough(new CompressionStream("gzip"))
    .pipeThrough(bounded(most));
}

/** Lets `most` bytes through, and fails on the next. */
function bounded(most: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let through = 0;
  return new TransformStream({
    transform(chunk, controller) {
      through += chunk.length;
      if (through > most) {
        throw new Error(`a backup has at most ${most} bytes packed; ask for fewer tags`);
      }
      controller.enqueue(chunk);
    },
  });
}

/**
 * Gives the bytes of a tar: of each file, only once the one before is out of the packer's hands.
 */
async function* tarOf(files: AsyncIterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const reader = readable.getReader();
  for await (const { name, bytes } of files) {
    const size = bytes.length;
    const writer = controller.add({ ...FIXED, name, size }).getWriter();
    writer.write(bytes);
    const written = writer.close();
    for (let left = bytesInTar(size); left > 0;) {
      const { value } = await reader.read();
      left -= value!.length;
      yield value!;
    }
    await written;
  }
  controller.finalize();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/**
 * Gives the same bytes in pieces of one size, the last one shorter, with a pause after each: so
 * they are packed to the same bytes, and to fewer, in whichever parts they come.
 */
async function* inPieces(
  chunks: AsyncIterable<Uint8Array>,
  scheduler: CooperativeScheduler,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(STEP_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + STEP_BYTES - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < STEP_BYTES) continue;
      yield piece;
      await scheduler.pause();
      piece = new Uint8Array(STEP_BYTES);
      filled = 0;
    }
  }
  yield piece.subarray(0, filled);
}
