/**
 * The size of a backup before it is made: a backup that is too large to be restored is refused when
 * it is made, not when it is needed.
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import { jsonExcess, listItems } from "../json.ts";
import { BACKUP_BYTES, BACKUP_FILES, BACKUP_JSON_VALUES } from "../limits.ts";
import type { CooperativeScheduler } from "../ports.ts";
import type { State } from "../state.ts";
import { filesOfTag } from "./files.ts";
import { snapshotsOf } from "./snapshot-tag.ts";
import { type Tag, tagTable } from "./tags.ts";

const BLOCK_BYTES = 512;
/** Maximum length of the entry of a file in `sums.json`, in bytes. */
const SUM_BYTES = 256;
/**
 * A placeholder with the length of a MAC; computing the MACs of all snapshots would take too long.
 */
const ANY_MAC = "0".repeat(64);

/** Returns the number of bytes of a file in a tar, including its header. */
export function bytesInTar(bytes: number): number {
  return BLOCK_BYTES + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/**
 * Refuses (11) a backup that could not be restored: with too many files, too large ones, or more
 * than `most` bytes in total. The files are made and measured one by one. USERS is skipped, because
 * the maximum number of users takes far less than the limit of a file.
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
      // A restore reads the default snapshots one by one.
      for (const json of tag === "SNAPZERO" ? listItems(bytes) : [bytes]) {
        await scheduler.pause();
        // Each value takes at least one byte.
        const isMany = json!.length > BACKUP_JSON_VALUES &&
          jsonExcess(new TextDecoder().decode(json), BACKUP_JSON_VALUES) !== undefined;
        if (isMany) return tooLarge(`values in ${name}`, BACKUP_JSON_VALUES);
      }
    }
  }
}

function tooLarge(what: string, most: number): Refusal {
  const sentence = `this backup could not be restored: it has more than ${most} ${what}`;
  return refuse("limitReached", sentence);
}
