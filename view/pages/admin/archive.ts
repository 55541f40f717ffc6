/**
 * Reads the manifest of a backup, the first file of a gzip-compressed tar. Nothing else is read
 * here, and nothing is checked: the console finds the faults of an archive before it changes
 * anything. The header of the tar is read by hand, because only the name and the length in it are
 * needed: `modern-tar`, which the console uses, would make the page larger.
 *
 * @module
 */

/** The manifest of an archive. */
export interface Archive {
  /**
   * The name of the console that made it; this member and the next are undefined for a certificate
   * alone.
   */
  readonly device: string | undefined;
  readonly firmware: string | undefined;
  /** The time at which it was made, in ISO 8601 and UTC. */
  readonly time: string | undefined;
  readonly tags: readonly string[];
}

/**
 * The positions of the name and the length of a file in the header of a tar, and the length of the
 * header, in bytes.
 */
const NAME = [0, 100] as const;
const LENGTH = [124, 136] as const;
const HEADER_BYTES = 512;

/** Maximum length of a manifest, in bytes. */
const MANIFEST_BYTES = 64 * 1024;

/** Reads the manifest of an archive; undefined if it is not a backup. */
export async function readArchive(
  packed: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Archive | undefined> {
  try {
    const head = await beginningOf(packed.pipeThrough(new DecompressionStream("gzip")));
    const textAt = (from: number, to: number) => head.slice(from, to).text();
    const name = (await textAt(...NAME)).replace(/\0.*$/s, "").replace(/^\.\//, "");
    // Scripts that renew certificates make an archive of the certificate alone.
    if (name === "tls.pem") return archiveOf({ tags: ["TLS"] });
    if (name !== "manifest.json") return undefined;
    const length = parseInt(await textAt(...LENGTH), 8);
    return archiveOf(JSON.parse(await textAt(HEADER_BYTES, HEADER_BYTES + length)));
  } catch {
    // The file is not gzip, or shorter than a manifest, or its manifest is not JSON.
    return undefined;
  }
}

function archiveOf({ device, firmware, time, tags }: Readonly<Record<string, unknown>>): Archive {
  const text = (member: unknown) => typeof member === "string" ? member : undefined;
  const stated = { device: text(device), firmware: text(firmware), time: text(time) };
  return { ...stated, tags: (tags as unknown[]).map(String) };
}

/** Reads the beginning of a tar: enough for the first header and for the longest manifest. */
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
