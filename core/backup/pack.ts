/**
 * Packs a backup: an ordinary gzip-compressed tar, made while the client reads it, from an
 * immutable state. So the backup is consistent however long its download takes, and only one of its
 * files is in memory at a time.
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

/** Maximum number of bytes that are compressed in one step, which takes about 0.5 ms. */
const STEP_BYTES = 64 * 1024;

/** Fixed metadata of each file, so that the same state gives the same bytes. */
const FIXED = { mtime: new Date(0), uid: 0, gid: 0, mode: 0o600 } as const;

/**
 * Makes a backup of some tags of a state, as bytes. Refuses (11) a backup with too many or too
 * large files, because no restore would accept it. Its packed size is known only at the end, so if
 * that is too large the stream fails.
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

/** Packs the files of an archive. The stream fails if the result exceeds `most` bytes. */
export function packFiles(
  files: AsyncIterable<ArchiveFile>,
  scheduler: CooperativeScheduler,
  most: number = BACKUP_PACKED_BYTES,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return streamOf(inPieces(tarOf(files), scheduler))
    .pipeThrough(new CompressionStream("gzip"))
    .pipeThrough(bounded(most));
}

/** Passes on at most `most` bytes, and fails if there are more. */
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
 * Yields the bytes of a tar. Each file is added only once the previous file is completely written.
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
 * Yields the same bytes in pieces of equal size, except for a shorter last one, with a pause after
 * each. So the compressed bytes do not depend on the sizes of the chunks, and there are fewer of
 * them.
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
