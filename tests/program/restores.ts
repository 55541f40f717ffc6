/**
 * Restores to a running faderd, as an automation makes them.
 *
 * @module
 */
import type { Tag } from "../../core/backup/tags.ts";
import { entriesOf, type Entry, gzip, tarOf } from "../core/backup/archives.ts";
import { type Running, tokenIn } from "./faderd.ts";

/** A backup of some files, with a manifest of their tags. */
export function archiveOf(...files: Entry[]): Promise<Uint8Array<ArrayBuffer>> {
  return gzip(tarOf(entriesOf(files)));
}

/** Restores tags of an archive; resolves with the JSON object of the action. */
export async function restoreTo(
  { url }: Pick<Running, "url">,
  archive: Uint8Array<ArrayBuffer>,
  tags: readonly Tag[] | "ALL",
  token: string,
): Promise<ReturnType<typeof JSON.parse>> {
  const body = new FormData();
  body.append("Tags", String(tags));
  body.append("Token", token);
  body.append("file", new File([archive], "backup.tgz"));
  const answer = await fetch(`${url}/action/restore`, { method: "POST", body });
  return await answer.json();
}

/** Fetches a backup. */
export async function backupOf(
  { url }: Pick<Running, "url">,
  tags: readonly Tag[] | "ALL",
  token: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(`${url}/action/backup?Tags=${tags}&Token=${token}`);
  if (answer.headers.get("content-type") !== "application/octet-stream") {
    throw new Error(await answer.text());
  }
  return new Uint8Array(await answer.arrayBuffer());
}

/** The token of the admin of a first start. */
export function adminOf({ stdout }: Running): string {
  return tokenIn(stdout);
}
