/**
 * Files between the browser and the console over HTTP, because a WebSocket does not carry them.
 *
 * @module
 */
import { download } from "../../parts/download.ts";
import { askWho, credentials } from "../../state/rights.ts";
import { texts } from "../../texts/texts.ts";

/** A received backup. */
export interface Backup {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Takes a backup of tags, such as `ALL` or `TLS,USERS`, and has the browser save it. The number of
 * bytes received so far is reported meanwhile; the total is not known. Rejects with the message of
 * the console, if the connection is lost, or when `signal` aborts it.
 */
export function takeBackup(
  tags: string,
  onReceived: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<Backup> {
  return unlessLost(texts().link.lost, received(tags, onReceived, signal));
}

async function received(
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
 * Applies tags of a backup, and returns the applied tags. Rejects with the message of the console
 * if it refuses, and if a step after the restore failed; and if the connection is lost, in which
 * case they may have been applied.
 */
export function applyBackup(file: File, tags: readonly string[]): Promise<readonly string[]> {
  return unlessLost(texts().link.unanswered, applied(file, tags));
}

async function applied(file: File, tags: readonly string[]): Promise<readonly string[]> {
  const body = new FormData();
  body.append("Tags", tags.join());
  body.append("file", file);
  const { Restored, Error: fault } = await (await ask("action/restore", { body })).json();
  if (fault !== undefined) throw refused(fault);
  return Restored;
}

/**
 * The numbers of `GET /metrics` that have no labels; undefined if metrics are turned off. Rejects
 * with the message of the console if it refuses, and if the connection is lost.
 */
export function readMetrics(): Promise<ReadonlyMap<string, number> | undefined> {
  return unlessLost(texts().link.lost, metrics());
}

async function metrics(): Promise<ReadonlyMap<string, number> | undefined> {
  const answer = await ask("metrics", {});
  if (answer.status === 404) return undefined;
  if (!answer.ok) {
    const { error } = await answer.json().catch(() => ({}));
    throw refused(error?.message ?? `HTTP ${answer.status}`);
  }
  const lines = (await answer.text()).matchAll(/^faderd_(\w+) (\S+)$/gm);
  return new Map(Array.from(lines, ([, name, value]) => [name!, Number(value)]));
}

function ask(path: string, options: { body?: FormData; signal?: AbortSignal }): Promise<Response> {
  const method = options.body === undefined ? "GET" : "POST";
  const url = new URL(path, document.baseURI);
  return fetch(url, { ...options, method, headers: credentials(), cache: "no-store" });
}

/** Rejects with `lost` for a loss of the connection: a `TypeError` in the browser's own words. */
async function unlessLost<Result>(lost: string, asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (fault) {
    throw fault instanceof TypeError ? new Error(lost) : fault;
  }
}

/**
 * Returns the message of the console as an error. It has no code over HTTP, so the page has to ask
 * whether this user has lost a right.
 */
function refused(sentence: string): Error {
  askWho();
  return new Error(sentence);
}
