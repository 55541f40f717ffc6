/**
 * Snapshots as files, to be taken from one console of the site to another.
 *
 * @module
 */
import { rpc } from "../../state/live.ts";
import { notice } from "../../state/notices.ts";
import { download } from "../../parts/download.ts";
import { texts } from "../../texts/texts.ts";

/** Downloads a snapshot as the console hands it out. */
export async function downloadSnapshot(id: string, name: string, mixer: number): Promise<void> {
  const answer = await rpc("getsnapshot", { id, mixer });
  if (answer === undefined) return;
  const file = new Blob([JSON.stringify(answer.snapshotdata)], { type: "application/json" });
  download(`${name.replace(/[^\p{L}\p{N} ._-]+/gu, "_")}.sfp`, file);
}

/** Gives a file to the console; says whether it took it. */
export async function uploadSnapshot(file: File, mixer: number): Promise<boolean> {
  let snapshotdata: object;
  try {
    snapshotdata = JSON.parse(await file.text());
  } catch {
    notice(texts().snapshots.noSnapshot(file.name));
    return false;
  }
  return await rpc("setsnapshot", { snapshotdata, mixer }) !== undefined;
}
