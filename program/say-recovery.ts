/**
 * The sentences about reading the log of a data folder.
 *
 * @module
 */
import type { Quarantined, Recovery } from "../storage/contract.ts";
import { warn } from "./print.ts";

/**
 * Says on standard error what recovery had to cut off or to put aside; the storage alarm tells of
 * damage.
 */
export function sayRecovery(data: string, { cut, quarantined }: Recovery): void {
  if (cut !== undefined) {
    const { bytes, file, offset } = cut;
    warn(`${data}/${file}: cut off ${bytes} bytes of an unfinished write at offset ${offset}`);
  }
  if (quarantined !== undefined) warn(`${data}/${sentenceOfQuarantined(quarantined)}`);
}

/** Says of a file that is quarantined why, and where it is kept. */
export function sentenceOfQuarantined({ file, bytes, keptAs }: Quarantined): string {
  return `${file}: its header is not valid, so its ${bytes} bytes are an unfinished write, ` +
    `or damaged; the log goes on without them, and they are kept as ${keptAs}`;
}
