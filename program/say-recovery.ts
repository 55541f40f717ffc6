/**
 * Reports on standard error the findings of the recovery of a log.
 *
 * @module
 */
import type { Recovery } from "../storage/contract.ts";
import { recoverySentences } from "../storage/recovery-sentences.ts";
import { warn } from "./print.ts";

/** Reports the parts of the log that recovery cut off or quarantined. */
export function sayRecovery(data: string, recovery: Recovery): void {
  for (const sentence of recoverySentences(data, recovery)) warn(sentence);
}
