/**
 * The sentences about what recovery found in a folder, for people.
 *
 * @module
 */
import type { Quarantined, Recovery } from "./contract.ts";

/** Says what recovery cut off or quarantined; the storage alarm tells of damage. */
export function recoverySentences(folder: string, { cut, quarantined }: Recovery): string[] {
  const sentences: string[] = [];
  if (cut !== undefined) {
    const { bytes, file, offset } = cut;
    sentences.push(
      `${folder}/${file}: cut off ${bytes} bytes of an unfinished write at offset ${offset}`,
    );
  }
  if (quarantined !== undefined) sentences.push(`${folder}/${sentenceOfQuarantined(quarantined)}`);
  return sentences;
}

/** Says why a file is quarantined, and where it is kept. */
export function sentenceOfQuarantined({ file, bytes, keptAs }: Quarantined): string {
  return `${file}: its header is not valid, so its ${bytes} bytes are an unfinished write, ` +
    `or damaged; the log goes on without them, and they are kept as ${keptAs}`;
}
