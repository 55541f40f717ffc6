/**
 * Says on standard error what reading the log of a data folder found.
 *
 * @module
 */
import type { Recovery } from "../storage/contract.ts";
import { recoverySentences } from "../storage/recovery-sentences.ts";
import { warn } from "./print.ts";

/** Says what recovery had to cut off or to put aside. */
export function sayRecovery(data: string, recovery: Recovery): void {
  for (const sentence of recoverySentences(data, recovery)) warn(sentence);
}
