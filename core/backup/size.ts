/**
 * How large a backup will be, known before it is made: one that no restore takes is not to be found
 * out only when it is needed.
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import { BACKUP_BYTES, BACKUP_FILES, BACKUP_JSON_VALUES } from "../limits.ts";
import type { CooperativeScheduler } from "../ports.ts";
import type { State } from "../state.ts";
import { filesOfTag, type Sealing } from "./files.ts";
import { jsonValues } from "./json-file.ts";
import { isSnapshotTag, snapshotsOf } from "./snapshot-tag.ts";
import { type Tag, tagTable } from "./tags.ts";
import { unsealedUsers } from "./user-database.ts";

const BLOCK_BYTES = 512;
/** What the sum of a file takes in `sums.json`, and more. */
const SUM_BYTES = 256;
/** A mac of no worth, as long as one. */
const NO_MAC = "0".repeat(64);

/** Answers how many bytes a file takes in a tar, its header included. */
export function bytesInTar(bytes: number): number {
  return BLOCK_BYTES + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/**
 * Says why a backup could not be restored (11): too many files, or too large ones. They are made
 * and looked at one by one, but nothing is sealed, which is what takes long.
 */
export async function sizeRefusal(
  state: State,
  tags: readonly Tag[],
  scheduler: CooperativeScheduler,
): Promise<Refusal | undefined> {
  const unsealed: Sealing = {
    async macOf() {
      await scheduler.pause();
      return NO_MAC;
    },
    users: (users) => Promise.resolve(unsealedUsers(users)),
  };
  const snapshots = tags.filter(isSnapshotTag).flatMap((tag) => snapshotsOf(state.snapshots, tag));
  if (snapshots.length > BACKUP_FILES) {
    return tooLarge("it has more files", BACKUP_FILES);
  }
  let [files, allBytes] = [0, 0];
  for (const tag of tags) {
    const most = tagTable[tag].bytes;
    for await (const { name, bytes } of filesOfTag(state, tag, unsealed)) {
      const { length } = bytes;
      files++;
      allBytes += bytesInTar(length) + SUM_BYTES;
      if (length > most) return tooLarge(`${name} has ${length} bytes`, most);
      // Each value takes a byte at least.
      const values = length < BACKUP_JSON_VALUES ? 0 : jsonValues(bytes);
      if (values > BACKUP_JSON_VALUES) {
        return tooLarge(`${name} has ${values} values`, BACKUP_JSON_VALUES);
      }
      if (files > BACKUP_FILES) return tooLarge("it has more files", BACKUP_FILES);
      if (allBytes > BACKUP_BYTES) return tooLarge("it has more bytes", BACKUP_BYTES);
    }
  }
}

function tooLarge(what: string, most: number): Refusal {
  const sentence = `this backup could not be restored: ${what}, expected at most ${most}`;
  return refuse("limitReached", sentence);
}
