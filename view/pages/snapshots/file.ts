/**
 * Snapshots as files, to be taken from one console of the site to another.
 *
 * @module
 */
import { notice } from "../../notices.ts";
import { rpc } from "../../live.ts";
import { texts } from "../../texts/texts.ts";

/** Downloads a snapshot as the console hands it out. */
export async function download(id: string, name: string, mixer: number): Promise<void> {
  const answer = await rpc("getsnapshot", { id, mixer });
  if (answer === undefined) return;
  const file = new Blob([JSON.stringify(answer.snapshotdata)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name.replace(/[^\p{L}\p{N} ._-]+/gu, "_")}.sfp`;
  link.click();
  // Once the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Gives a file to the console; says whether it took it. */
export async function upload(file: File, mixer: number): Promise<boolean> {
  let snapshotdata: object;
  try {
    snapshotdata = JSON.parse(await file.text());
  } catch {
    notice(texts().snapshots.noSnapshot(file.name));
    return false;
  }
  return await rpc("setsnapshot", { snapshotdata, mixer }) !== undefined;
}
