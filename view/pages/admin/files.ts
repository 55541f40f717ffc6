/**
 * Files between the browser and the console, over HTTP: what a WebSocket does not carry.
 *
 * @module
 */
import { download } from "../../parts/download.ts";
import { askWho, credentials } from "../../state/rights.ts";

/** A backup that has come. */
export interface Backup {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Takes a backup of tags, as `ALL` or `TLS,USERS`, and gives it to the browser to keep. How much
 * has come is told meanwhile; how much it will be nobody knows. Rejects with the console's own
 * sentence, or where `signal` ends it.
 */
export async function takeBackup(
  tags: string,
  onReceived: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<Backup> {
  const answer = await ask(`action/backup?Tags=${tags}`, signal === undefined ? {} : { signal });
  const disposition = answer.headers.get("content-disposition");
  const [, name] = /filename="([^"]+)"/.exec(disposition ?? "") ?? [];
  if (name === undefined) throw refused((await answer.json()).Error);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = answer.body!.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    onReceived(bytes += read.value.length);
  }
  download(name, new Blob(chunks));
  return { name, bytes };
}

/**
 * Applies tags of a backup, and answers which. Rejects with the console's own sentence where it
 * refuses, and where not all that follows a restore could be done.
 */
export async function applyBackup(file: File, tags: readonly string[]): Promise<readonly string[]> {
  const body = new FormData();
  body.append("Tags", tags.join());
  body.append("file", file);
  const { Restored, Error: fault } = await (await ask("action/restore", { body })).json();
  if (fault !== undefined) throw refused(fault);
  return Restored;
}

/** The numbers of `GET /metrics` that have no labels; undefined where they are turned off. */
export async function readMetrics(): Promise<ReadonlyMap<string, number> | undefined> {
  const answer = await ask("metrics", {});
  if (!answer.ok) return undefined;
  const lines = (await answer.text()).matchAll(/^faderd_(\w+) (\S+)$/gm);
  return new Map(Array.from(lines, ([, name, value]) => [name!, Number(value)]));
}

function ask(path: string, options: { body?: FormData; signal?: AbortSignal }): Promise<Response> {
  const method = options.body === undefined ? "GET" : "POST";
  const url = new URL(path, document.baseURI);
  return fetch(url, { ...options, method, headers: credentials(), cache: "no-store" });
}

/**
 * The console's own sentence, as an error. It has no code over HTTP: whether it is for want of a
 * right that this user had before, the page has to ask.
 */
function refused(sentence: string): Error {
  askWho();
  return new Error(sentence);
}
