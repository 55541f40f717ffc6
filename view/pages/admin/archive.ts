/**
 * What a backup says that it holds, read without applying it: a gzip-compressed tar, whose first
 * file is its manifest. Pure. Nothing is checked here but what is needed to read on: whether the
 * console takes it, the console finds out before it changes anything.
 *
 * @module
 */

/** What of an archive belongs to a tag. */
export interface ArchivePart {
  readonly files: number;
  /** Unpacked. */
  readonly bytes: number;
}

/** What an archive holds; of a certificate alone no more is known than its parts. */
export interface Archive {
  /** The name of the console that made it. */
  readonly device: string | undefined;
  readonly firmware: string | undefined;
  /** When it was made, in ISO 8601 and UTC. */
  readonly time: string | undefined;
  /** By tag. */
  readonly parts: ReadonlyMap<string, ArchivePart>;
}

const BLOCK = 512;

/** The most bytes of a manifest that are read. */
const MANIFEST_BYTES = 64 * 1024;

/** Reads what an archive holds; undefined where it is no backup. */
export async function readArchive(
  packed: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Archive | undefined> {
  const bytes = createBytes(packed.pipeThrough(new DecompressionStream("gzip")));
  try {
    return await readTar(bytes);
  } catch {
    // It is no gzip, or half of one, or its manifest is no JSON.
    return undefined;
  } finally {
    bytes.end();
  }
}

async function readTar({ take, skip }: Bytes): Promise<Archive | undefined> {
  const parts = new Map<string, ArchivePart>();
  let manifest: Readonly<Record<string, unknown>> = {};
  for (let isFirst = true;; isFirst = false) {
    const header = await take(BLOCK);
    // A tar ends with zeros.
    if (header[0] === 0) break;
    const name = textOf(header.subarray(0, 100)).replace(/^\.\//, "");
    const size = parseInt(textOf(header.subarray(124, 136)), 8);
    const padding = -size & BLOCK - 1;
    // `mxsnaps/….sfp` belongs to MXSNAPS, `tls.pem` to TLS.
    const tag = name.split(/[/.]/)[0]!.toUpperCase();
    const isManifest = isFirst && name === "manifest.json" && size <= MANIFEST_BYTES;
    if (isManifest) {
      manifest = JSON.parse(textOf(await take(size)));
      for (const named of manifest.tags as unknown[]) parts.set(`${named}`, NOTHING);
    } else if (isFirst && name === "tls.pem") {
      parts.set(tag, NOTHING);
    } else if (isFirst) {
      return undefined;
    }
    const { files, bytes } = parts.get(tag) ?? NOTHING;
    if (parts.has(tag)) parts.set(tag, { files: files + 1, bytes: bytes + size });
    await skip((isManifest ? 0 : size) + padding);
  }
  const text = (member: string) => {
    const value = manifest[member];
    return typeof value === "string" ? value : undefined;
  };
  return { device: text("device"), firmware: text("firmware"), time: text("time"), parts };
}

const NOTHING: ArchivePart = { files: 0, bytes: 0 };

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/\0.*$/s, "");
}

/** The bytes of a stream, one after the other; each call rejects where there are fewer left. */
interface Bytes {
  take(count: number): Promise<Uint8Array>;
  skip(count: number): Promise<void>;
  end(): void;
}

function createBytes(stream: ReadableStream<Uint8Array>): Bytes {
  const reader = stream.getReader();
  let chunk = new Uint8Array();

  /** Hands out what is there of the next `count` bytes, at least one. */
  async function next(count: number): Promise<Uint8Array> {
    while (chunk.length === 0) {
      const { value, done } = await reader.read();
      if (done) throw new RangeError("the archive ends too early");
      chunk = value as Uint8Array<ArrayBuffer>;
    }
    const piece = chunk.subarray(0, count);
    chunk = chunk.subarray(piece.length);
    return piece;
  }

  return {
    async take(count) {
      const taken = new Uint8Array(count);
      for (let at = 0; at < count;) {
        const piece = await next(count - at);
        taken.set(piece, at);
        at += piece.length;
      }
      return taken;
    },
    async skip(count) {
      for (let left = count; left > 0;) left -= (await next(left)).length;
    },
    end() {
      reader.cancel().catch(() => {});
    },
  };
}
