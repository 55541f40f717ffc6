/**
 * Snapshots as files, to transfer them between the consoles of a site.
 *
 * @module
 */
import { rpc } from "../../state/live.ts";
import { notice } from "../../state/notices.ts";
import { download } from "../../parts/download.ts";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { textsOf } from "../../texts/texts.ts";

/** Downloads a snapshot in the form in which the console returns it. */
export async function downloadSnapshot(id: string, name: string, mixer: number): Promise<void> {
  const answer = await rpc("getsnapshot", { id, mixer });
  if (answer === undefined) return;
  const file = new Blob([JSON.stringify(answer.snapshotdata)], { type: "application/json" });
  download(`${name.replace(/[^\p{L}\p{N} ._-]+/gu, "_")}.sfp`, file);
}

/** Uploads a file to the console; returns whether the console accepted it. */
export async function uploadSnapshot(file: File, mixer: number): Promise<boolean> {
  let snapshotdata: object;
  try {
    snapshotdata = JSON.parse(await file.text());
  } catch {
    notice(textsOf(snapshotsTexts).noSnapshot(file.name));
    return false;
  }
  return await rpc("setsnapshot", { snapshotdata, mixer }) !== undefined;
}
