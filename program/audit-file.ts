/**
 * The audit trail of a data folder: `audit.log`, one JSON object a line, and `audit.1.log`, the
 * file before it. It never delays the calls that it records: lines are gathered and written in the
 * background, and are lost, and counted, if the medium does not take them.
 *
 * @module
 */
import { type AuditEntry, isOfConsole } from "../core/audit.ts";
import type { ReadAudit } from "../core/audit-query.ts";
import { reasonOf, refuse } from "../core/errors.ts";
import { AUDIT_ROOM, AUDIT_WAITING, AUDIT_WRITE_MS } from "../core/limits.ts";
import { mergeCalls, type MergedCalls, type MergeOptions } from "../core/merged-calls.ts";
import { after, type Clock, type Timer } from "../core/ports.ts";
import { safeJson } from "../core/shown.ts";
import { readAuditLines } from "./audit-lines.ts";
import { warn } from "./print.ts";
import { createRotatingFile } from "./rotating-file.ts";

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

/** Keeps the audit trail of a data folder. No file is made before the first line. */
export function createAuditFile(folder: string, parts: AuditFileParts): AuditFile {
  const { clock, timer, isFull } = parts;
  const path = `${folder}/audit.log`;
  const olderPath = `${folder}/audit.1.log`;
  const file = createRotatingFile(path, olderPath);
  const merged = mergeEntries(parts, add);
  // Bytes, because waiting text would become garbage, which costs more to collect than all the
  // rest.
  let waiting: Uint8Array<ArrayBuffer> | undefined;
  let filled = 0;
  let lines = 0;
  let lost = 0;
  let time = { ms: NaN, text: "" };
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
    // Formatting a time takes as long as half a line, and in a rush many lines have the same time.
    if (time.ms !== ms) time = { ms, text: new Date(ms).toISOString() };
    return `${safeJson({ at: time.text, ...members })}\n`;
  }

  function write(): void {
    stopWait?.();
    stopWait = undefined;
    if (isFull()) {
      fail("the log needs the room that is left on the medium");
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
        await file.append(encoder.encode(loss));
        lost -= lostBefore;
        await file.append(bytes);
        failing = false;
      } catch (fault) {
        lost += count;
        file.close();
        fail(reasonOf(fault));
      }
    }
  }

  function fail(why: string): void {
    if (!failing) warn(`${path} could not be written: ${why}`);
    failing = true;
  }

  return {
    tell: merged.take,
    async read(query) {
      if (filled > 0) write();
      await writing;
      try {
        return await readAuditLines([path, olderPath], query, merged.waiting());
      } catch (fault) {
        return refuse("noSuchObject", `the audit trail could not be read: ${reasonOf(fault)}`);
      }
    },
    async close() {
      merged.end();
      write();
      stopWait?.();
      await writing;
      file.close();
    },
  };
}

/** Merges the calls of entries that are not of the console itself, each kind in its own quota. */
function mergeEntries(
  { clock, timer }: Pick<MergeOptions, "clock" | "timer">,
  tell: MergeOptions["tell"],
): MergedCalls {
  const merged = (quota: number, others: string) =>
    mergeCalls({ clock, timer, quota, others, tell });
  const changes = merged(AUDIT_ROOM.changes, "other changes");
  const snapshots = merged(AUDIT_ROOM.snapshots, "other changes of snapshots");
  const refused = merged(AUDIT_ROOM.refused, "other refused attempts");
  const all = [changes, snapshots, refused];

  return {
    take(entry) {
      if (entry.refused !== undefined) return refused.take(entry);
      // A new admin must be found, whatever other calls there were in that minute.
      if (isOfConsole(entry)) return tell(entry);
      const isSnapshot = entry.changes?.[0]?.path.startsWith("/snapshots/");
      return (isSnapshot ? snapshots : changes).take(entry);
    },
    waiting: () => all.flatMap((calls) => calls.waiting()),
    end() {
      for (const calls of all) calls.end();
    },
  };
}
