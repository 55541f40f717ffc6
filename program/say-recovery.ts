/**
 * What people are told of reading the log of a data folder.
 *
 * @module
 */
import type { Aside, Recovery } from "../storage/contract.ts";
import { warn } from "./print.ts";

/**
 * Says on standard error what recovery had to cut off or to put aside; the storage alarm tells of
 * damage.
 */
export function sayRecovery(data: string, { cut, aside }: Recovery): void {
  if (cut !== undefined) {
    const { bytes, file, offset } = cut;
    warn(`${data}/${file}: cut off ${bytes} bytes of an unfinished write at offset ${offset}`);
  }
  if (aside !== undefined) warn(`${data}/${sentenceOfAside(aside)}`);
}

/** Says of a file that is put aside why, and where it is kept. */
export function sentenceOfAside({ file, bytes, keptAs }: Aside): string {
  return `${file}: its header is not valid, so its ${bytes} bytes are an unfinished write, ` +
    `or damaged; the log goes on without them, and they are kept as ${keptAs}`;
}
