/**
 * The digest of the content of a backup's archive: it is the same for two archives of the same
 * content, whenever they were made.
 *
 * @module
 */
import { tagNames } from "../../core/backup/tags.ts";
import { type Packed, unpack } from "../../core/backup/unpack.ts";
import type { Refusal } from "../../core/errors.ts";
import type { CooperativeScheduler } from "../../core/ports.ts";
import { bytesDigest, textDigest } from "../drift/section-values.ts";

/**
 * Reads a packed archive to its end, and returns the SHA-256 of the digests and the names of its
 * files. Refused: an archive that is damaged or incomplete by its own manifest and checksums.
 */
export async function contentOf(
  packed: Packed,
  scheduler: CooperativeScheduler,
): Promise<{ readonly content: string } | Refusal> {
  const lines: string[] = [];
  const refusal = await unpack(packed, { wanted: tagNames, mayLack: tagNames }, async (file) => {
    lines.push(`${await scheduler.run(bytesDigest(file.bytes))}  ${file.name}\n`);
    return undefined;
  }, scheduler);
  return refusal ?? { content: await scheduler.run(textDigest(lines.join(""))) };
}
