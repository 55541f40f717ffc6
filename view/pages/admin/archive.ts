/**
 * Reads the manifest of a backup, the first file of a gzip-compressed tar. Nothing
 * else is read here, and nothing checked: what is wrong with an archive the console finds out
 * before it changes anything.
 *
 * @module
 */

/** The manifest of an archive. */
export interface Archive {
  /** The name of the console that made it; undefined for a certificate alone, as what follows. */
  readonly device: string | undefined;
  readonly firmware: string | undefined;
  /** When it was made, in ISO 8601 and UTC. */
  readonly time: string | undefined;
  readonly tags: readonly string[];
}

/**
 * Where the header of a tar has the name and the length of a file, in bytes, and how long it is.
 */
const NAME = [0, 100] as const;
const LENGTH = [124, 136] as const;
const HEADER_BYTES = 512;

/** Maximum length of a manifest, in bytes. */
const MANIFEST_BYTES = 64 * 1024;

/** Reads what an archive says of itself; undefined where it is not a backup. */
export async function readArchive(
  packed: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Archive | undefined> {
  try {
    const head = await beginningOf(packed.pipeThrough(new DecompressionStream("gzip")));
    const textAt = (from: number, to: number) => head.slice(from, to).text();
    const name = (await textAt(...NAME)).replace(/\0.*$/s, "").replace(/^\.\//, "");
    // Scripts that renew certificates make an archive of that alone.
    if (name === "tls.pem") return archiveOf({ tags: ["TLS"] });
    if (name !== "manifest.json") return undefined;
    const length = parseInt(await textAt(...LENGTH), 8);
    return archiveOf(JSON.parse(await textAt(HEADER_BYTES, HEADER_BYTES + length)));
  } catch {
    // It is not gzip, or less than a manifest, or that is not JSON.
    return undefined;
  }
}

function archiveOf({ device, firmware, time, tags }: Readonly<Record<string, unknown>>): Archive {
  const text = (member: unknown) => typeof member === "string" ? member : undefined;
  const stated = { device: text(device), firmware: text(firmware), time: text(time) };
  return { ...stated, tags: (tags as unknown[]).map(String) };
}

/** The header of the first file, and as much as a manifest may have. */
async function beginningOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let bytes = 0; bytes < HEADER_BYTES + MANIFEST_BYTES;) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
  }
  reader.cancel().catch(() => {});
  return new Blob(chunks);
}
