/**
 * The archives of backups, which are transferred over HTTP: a WebSocket does not carry them.
 *
 * @module
 */
import { download } from "../parts/download.ts";
import { credentials } from "../state/rights.ts";

/** Has the browser save the archive of a backup. Rejects with the message of the hub. */
export async function saveBackup(console: string, content: string): Promise<void> {
  const answer = await ask(`backups/${console}/${content}`);
  if (!answer.ok) throw await refusalIn(answer);
  const [, name = "backup.tgz"] =
    /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "") ?? [];
  download(name, await answer.blob());
}

/**
 * Restores all tags of a backup to another console, and returns the restored tags. Rejects with the
 * message of the hub or of that console.
 */
export async function restoreBackup(
  console: string,
  content: string,
  replacement: string,
): Promise<readonly string[]> {
  const archive = await ask(`backups/${console}/${content}`);
  if (!archive.ok) throw await refusalIn(archive);
  const body = new FormData();
  body.append("file", await archive.blob(), "backup.tgz");
  const answer = await ask(`consoles/${replacement}/action/restore?Tags=ALL`, body);
  const { Restored, Error: why } = await answer.clone().json().catch(() => ({}));
  if (!Array.isArray(Restored) || why !== undefined) throw await refusalIn(answer);
  return Restored;
}

function ask(path: string, body?: FormData): Promise<Response> {
  return fetch(new URL(path, document.baseURI), {
    headers: credentials(),
    cache: "no-store",
    ...(body && { method: "POST", body }),
  });
}

async function refusalIn(answer: Response): Promise<Error> {
  const said = await answer.json().catch(() => ({}));
  return new Error(said.Error ?? said.error?.message ?? `HTTP ${answer.status}`);
}
