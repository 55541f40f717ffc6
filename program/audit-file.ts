/**
 * The audit trail of a data folder: `audit.log`, one JSON object a line, and `audit.1.log`, the
 * file before it. It is never in the way of what it tells of: lines are gathered and written beside
 * everything else, and are lost, and counted, where the medium does not take them.
 *
 * @module
 */
import type { AuditEntry } from "../core/audit.ts";
import type { ReadAudit } from "../core/audit-query.ts";
import { refuse } from "../core/errors.ts";
import { AUDIT_FILE_BYTES, AUDIT_ROOM, AUDIT_WAITING, AUDIT_WRITE_MS } from "../core/limits.ts";
import { after, type Clock, type Timer } from "../core/ports.ts";
import { safeJson } from "../core/shown.ts";
import { readAuditLines } from "./audit-lines.ts";
import { reasonOf, warn } from "./print.ts";
import { isOfConsole } from "./logged-audit.ts";
import { mergeCalls } from "./merged-calls.ts";

/** It says who changed what: for the owner only. */
const PRIVATE_FILE = 0o600;
const NEW_LINE = Uint8Array.of(0x0a);

const encoder = new TextEncoder();

/** The audit trail of a data folder. */
export interface AuditFile {
  /**
   * Takes an entry: a first one is written within a second, others of its kind within a minute, as
   * one; of changes of users, the configuration and what belongs to it each one at once. Returns
   * the bytes that it makes the trail write.
   */
  tell(entry: AuditEntry): number;
  /**
   * Writes what waits, and reads what was written, with calls that wait to be told as one; refuses
   * (6) where the medium does not read.
   */
  readonly read: ReadAudit;
  /** Writes what waits, and closes the file; resolves when that is done, or has failed. */
  close(): Promise<void>;
}

/** An audit trail is made of this. */
export interface AuditFileParts {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Whether the medium has no room for the log, which needs all that it has. */
  readonly isFull: () => boolean;
}

/** The file, open to be added to, and its length in bytes. */
interface OpenFile {
  readonly file: Deno.FsFile;
  size: number;
}

/** Keeps the audit trail of a data folder. Nothing is made before there is something to write. */
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
    // To write a time takes as long as half a line, and in a rush many lines are of one.
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
    // A new admin must be found, whatever else was called in that minute.
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
    // One that was left behind has the mode that it was made with.
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
