/**
 * The audit trail of a data folder: `audit.log`, one JSON object a line, and `audit.1.log`, the
 * file before it. It never delays the calls that it records: lines are gathered and written beside
 * everything else, and are lost, and counted, if the medium does not take them.
 *
 * @module
 */
import { type AuditEntry, isOfConsole } from "../core/audit.ts";
import type { ReadAudit } from "../core/audit-query.ts";
import { refuse } from "../core/errors.ts";
import { AUDIT_FILE_BYTES, AUDIT_ROOM, AUDIT_WAITING, AUDIT_WRITE_MS } from "../core/limits.ts";
import { mergeCalls } from "../core/merged-calls.ts";
import { after, type Clock, type Timer } from "../core/ports.ts";
import { safeJson } from "../core/shown.ts";
import { readAuditLines } from "./audit-lines.ts";
import { reasonOf, warn } from "./print.ts";

/** It names users and their changes: for the owner only. */
const PRIVATE_FILE = 0o600;
const NEW_LINE = Uint8Array.of(0x0a);

const encoder = new TextEncoder();

/** The audit trail of a data folder. */
export interface AuditFile {
  /**
   * Takes an entry: the first of a kind is written within a second, further ones within a minute,
   * as one line; each change of users, of the configuration and of its parts is written at once.
   * Returns the number of bytes that the trail writes for it.
   */
  tell(entry: AuditEntry): number;
  /**
   * Writes the waiting lines, and reads the trail, with calls that still wait to be merged; refuses
   * (6) if the medium cannot be read.
   */
  readonly read: ReadAudit;
  /** Writes the waiting lines, and closes the file; resolves when that is done, or has failed. */
  close(): Promise<void>;
}

/** The parts of an audit trail. */
export interface AuditFileParts {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Whether the medium has no room for the log, which then needs all remaining room. */
  readonly isFull: () => boolean;
}

/** The file, open for appending, and its length in bytes. */
interface OpenFile {
  readonly file: Deno.FsFile;
  size: number;
}

/** Keeps the audit trail of a data folder. No file is made before the first line. */
export function createAuditFile(folder: string, parts: AuditFileParts): AuditFile {
  const { clock, timer, isFull } = parts;
  const path = `${folder}/audit.log`;
  const olderPath = `${folder}/audit.1.log`;
  const merge = { clock, timer, tell: add };
  const changes = mergeCalls({ ...merge, quota: AUDIT_ROOM.changes, others: "other changes" });
  const snapshots = mergeCalls({
    ...merge,
    quota: AUDIT_ROOM.snapshots,
    others: "other changes of snapshots",
  });
  const refused = mergeCalls({
    ...merge,
    quota: AUDIT_ROOM.refused,
    others: "other refused attempts",
  });
  // Text would have to be collected as garbage, which costs more than all the rest.
  let waiting: Uint8Array<ArrayBuffer> | undefined;
  let filled = 0;
  let lines = 0;
  let lost = 0;
  let time = { ms: NaN, text: "" };
  let open: OpenFile | undefined;
  let failing = false;
  let writing: Promise<void> | undefined;
  let stopWait: (() => void) | undefined;

  function add(members: object, ms = clock.now()): number {
    waiting ??= new Uint8Array(AUDIT_WAITING);
    const line = lineOf(members, ms);
    const { read, written } = encoder.encodeInto(line, waiting.subarray(filled));
    if (read < line.length) {
      lost++;
      return line.length;
    }
    filled += written;
    lines++;
    if (filled >= AUDIT_WAITING / 2 && !failing) write();
    else stopWait ??= after(timer, AUDIT_WRITE_MS, write);
    return written;
  }

  function lineOf(members: object, ms: number): string {
    // To format a time takes as long as half a line, and in a rush many lines have the same time.
    if (time.ms !== ms) time = { ms, text: new Date(ms).toISOString() };
    return `${safeJson({ at: time.text, ...members })}\n`;
  }

  function write(): void {
    stopWait?.();
    stopWait = undefined;
    if (isFull()) {
      fail("the log needs what room the medium has");
      stopWait = after(timer, AUDIT_WRITE_MS, write);
      return;
    }
    writing ??= writeAll().finally(() => writing = undefined);
  }

  async function writeAll(): Promise<void> {
    while (waiting !== undefined && !isFull()) {
      const bytes = waiting.subarray(0, filled);
      const count = lines;
      const lostBefore = lost;
      waiting = undefined;
      filled = lines = 0;
      const loss = lostBefore === 0 ? "" : lineOf({ what: "audit", lost: lostBefore }, clock.now());
      try {
        await leaveRemoved();
        await append(encoder.encode(loss));
        lost -= lostBefore;
        await append(bytes);
        failing = false;
      } catch (fault) {
        lost += count;
        closeFile();
        fail(reasonOf(fault));
      }
    }
  }

  function fail(why: string): void {
    if (!failing) warn(`${path} could not be written: ${why}`);
    failing = true;
  }

  /** A file that was removed takes lines that nobody reads. */
  async function leaveRemoved(): Promise<void> {
    if ((await open?.file.stat())?.nlink === 0) closeFile();
  }

  async function append(bytes: Uint8Array): Promise<void> {
    open ??= await openFile(path);
    if (open.size > 0 && open.size + bytes.length > AUDIT_FILE_BYTES) {
      closeFile();
      await Deno.rename(path, olderPath);
      open = await openFile(path);
    }
    for (let at = 0; at < bytes.length;) at += await open.file.write(bytes.subarray(at));
    open.size += bytes.length;
  }

  function closeFile(): void {
    open?.file.close();
    open = undefined;
  }

  function tell(entry: AuditEntry): number {
    if (entry.refused !== undefined) return refused.take(entry);
    // A new admin must be found, whatever other calls there were in that minute.
    if (isOfConsole(entry)) return add(entry);
    const isSnapshot = entry.changes?.[0]?.path.startsWith("/snapshots/");
    return (isSnapshot ? snapshots : changes).take(entry);
  }

  return {
    tell,
    async read(query) {
      if (filled > 0) write();
      await writing;
      try {
        const waiting = [changes, snapshots, refused].flatMap((calls) => calls.waiting());
        return await readAuditLines([path, olderPath], query, waiting);
      } catch (fault) {
        return refuse("noSuchObject", `the audit trail could not be read: ${reasonOf(fault)}`);
      }
    },
    async close() {
      changes.end();
      snapshots.end();
      refused.end();
      write();
      stopWait?.();
      await writing;
      closeFile();
    },
  };
}

async function openFile(path: string): Promise<OpenFile> {
  const options = { read: true, append: true, create: true, mode: PRIVATE_FILE };
  const file = await Deno.open(path, options);
  try {
    // An existing file has the mode with which it was made.
    await Deno.chmod(path, PRIVATE_FILE);
    const { size } = await file.stat();
    if (size === 0) return { file, size };
    const last = new Uint8Array(1);
    await file.seek(-1, Deno.SeekMode.End);
    await file.read(last);
    if (last[0] === NEW_LINE[0]) return { file, size };
    // A write was cut off.
    return { file, size: size + await file.write(NEW_LINE) };
  } catch (fault) {
    file.close();
    throw fault;
  }
}
