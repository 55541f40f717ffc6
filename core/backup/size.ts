/**
 * The size of a backup, before it is made: that no restore would take it has to be known before the
 * backup is needed.
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import { jsonExcess } from "../json.ts";
import { BACKUP_BYTES, BACKUP_FILES, BACKUP_JSON_VALUES } from "../limits.ts";
import type { CooperativeScheduler } from "../ports.ts";
import type { State } from "../state.ts";
import { filesOfTag } from "./files.ts";
import { snapshotsOf } from "./snapshot-tag.ts";
import { type Tag, tagTable } from "./tags.ts";

const BLOCK_BYTES = 512;
/** Maximum length of the entry of a file in `sums.json`, in bytes. */
const SUM_BYTES = 256;
/** As long as a mac: to work out those of all snapshots would take longest. */
const ANY_MAC = "0".repeat(64);

/** Returns how many bytes a file takes in a tar, its header included. */
export function bytesInTar(bytes: number): number {
  return BLOCK_BYTES + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/**
 * Says why a backup could not be restored (11): too many files, too large ones, or more than `most`
 * bytes in all. The files are made and looked at one by one. USERS is passed over: as many users as
 * there may be take far less than a file may have.
 */
export async function sizeRefusal(
  state: State,
  tags: readonly Tag[],
  scheduler: CooperativeScheduler,
  most: number = BACKUP_BYTES,
): Promise<Refusal | undefined> {
  const files = tags.flatMap((tag): readonly unknown[] =>
    tag === "MXSNAPS" || tag === "CHSNAPS" ? snapshotsOf(state.snapshots, tag) : [tag]
  );
  if (files.length > BACKUP_FILES) return tooLarge("files", BACKUP_FILES);
  async function macOf(): Promise<string> {
    await scheduler.pause();
    return ANY_MAC;
  }
  let allBytes = 0;
  for (const tag of tags.filter((tag) => tag !== "USERS")) {
    for await (const { name, bytes } of filesOfTag(state, tag, macOf)) {
      allBytes += bytesInTar(bytes.length) + SUM_BYTES;
      if (allBytes > most) return tooLarge("bytes", most);
      if (bytes.length > tagTable[tag].bytes) {
        return tooLarge(`bytes in ${name}`, tagTable[tag].bytes);
      }
      // Each value takes a byte at least.
      const isMany = bytes.length > BACKUP_JSON_VALUES &&
        jsonExcess(new TextDecoder().decode(bytes), BACKUP_JSON_VALUES) !== undefined;
      if (isMany) return tooLarge(`values in ${name}`, BACKUP_JSON_VALUES);
    }
  }
}

function tooLarge(what: string, most: number): Refusal {
  const sentence = `this backup could not be restored: it has more than ${most} ${what}`;
  return refuse("limitReached", sentence);
}
