/**
 * Reads the files of an audit trail backwards, in pieces, so that lines that nobody asked for
 * neither block the event loop nor take up memory.
 *
 * @module
 */
import { auditFilter, type AuditLine, type AuditQuery } from "../core/audit-query.ts";

/** Number of bytes that are read and parsed at a time, which takes under a millisecond. */
const PIECE_BYTES = 32 * 1024;
const NEW_LINE = 0x0a;

const decoder = new TextDecoder();

/**
 * Returns the newest matching lines, the newest first: from files, in the order from the newest to
 * the oldest, and from lines that wait to be written.
 */
export async function readAuditLines(
  paths: readonly string[],
  query: AuditQuery,
  waiting: readonly AuditLine[] = [],
): Promise<readonly AuditLine[]> {
  const isAskedFor = auditFilter(query);
  const files = await openAll(paths);
  try {
    const written = await newestOf(files, isAskedFor, query.limit);
    // Sorted, because the line of merged calls is written up to a minute after its time.
    return [...waiting.filter(isAskedFor), ...written]
      .sort((one, other) => one.at === other.at ? 0 : one.at < other.at ? 1 : -1)
      .slice(0, query.limit);
  } finally {
    for (const file of files) file.close();
  }
}

async function newestOf(
  files: readonly Deno.FsFile[],
  isAskedFor: (line: AuditLine) => boolean,
  limit: number,
): Promise<readonly AuditLine[]> {
  const found: AuditLine[] = [];
  for (const file of files) {
    for await (const lines of piecesFromEnd(file)) {
      for (const text of lines) {
        const line = readLine(text);
        if (line === undefined || !isAskedFor(line)) continue;
        found.push(line);
        if (found.length === limit) return found;
      }
    }
  }
  return found;
}

/**
 * Opens the existing files. If the newest file is renamed to the file before it meanwhile, it is
 * found twice: then it is opened once.
 */
async function openAll(paths: readonly string[]): Promise<readonly Deno.FsFile[]> {
  const files: Deno.FsFile[] = [];
  const inodes = new Set<number | null>();
  for (const path of paths) {
    try {
      const file = await Deno.open(path);
      const { ino } = await file.stat();
      if (ino !== null && inodes.has(ino)) file.close();
      else files.push(file);
      inodes.add(ino);
    } catch (fault) {
      if (fault instanceof Deno.errors.NotFound) continue;
      for (const file of files) file.close();
      throw fault;
    }
  }
  return files;
}

/** Yields the lines of a file as it is now, in pieces, from the last line to the first. */
async function* piecesFromEnd(file: Deno.FsFile): AsyncGenerator<readonly string[]> {
  let end = (await file.stat()).size;
  // The end of a line that begins in an earlier piece.
  let rest: Uint8Array = new Uint8Array();
  while (end > 0) {
    const start = Math.max(0, end - PIECE_BYTES);
    const bytes = new Uint8Array(end - start + rest.length);
    await file.seek(start, Deno.SeekMode.Start);
    for (let at = 0; at < end - start;) {
      const read = await file.read(bytes.subarray(at, end - start));
      if (read === null) return;
      at += read;
    }
    bytes.set(rest, end - start);
    const first = start === 0 ? 0 : bytes.indexOf(NEW_LINE) + 1;
    const isWithinLine = start > 0 && first === 0;
    rest = isWithinLine ? bytes : bytes.subarray(0, first);
    if (!isWithinLine) yield decoder.decode(bytes.subarray(first)).split("\n").reverse();
    end = start;
  }
}

/** Returns undefined for a line that was cut off, or was written by another program. */
function readLine(text: string): AuditLine | undefined {
  try {
    const line = JSON.parse(text);
    const { at, what, changes = [] } = line;
    return typeof at === "string" && typeof what === "string" && Array.isArray(changes)
      ? line
      : undefined;
  } catch {
    return undefined;
  }
}
