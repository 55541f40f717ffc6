/**
 * The audit trail of a data folder: `audit.log`, one JSON object a line, and `audit.1.log`, the
 * file before it. It is never in the way of what it tells of: lines are gathered and written beside
 * everything else, and are lost, and counted, where the medium does not take them.
 *
 * @module
 */
import type { AuditEntry } from "../core/audit.ts";
import {
  AUDIT_FILE_BYTES,
  AUDIT_REFUSED_MS,
  AUDIT_WAITING,
  AUDIT_WRITE_MS,
} from "../core/limits.ts";
import { after, type Clock, type Timer } from "../core/ports.ts";
import { safeJson } from "../core/shown.ts";
import { reasonOf, warn } from "./print.ts";
import { refusedAttempts } from "./refused-attempts.ts";

/** It says who changed what: for the owner only. */
const PRIVATE_FILE = 0o600;
const NEW_LINE = Uint8Array.of(0x0a);

const encoder = new TextEncoder();

/** The audit trail of a data folder. */
export interface AuditFile {
  /** Takes an entry; it is written within a second. */
  tell(entry: AuditEntry): void;
  /** Writes what waits, and closes the file; resolves when that is done, or has failed. */
  close(): Promise<void>;
}

/** The file, open to be added to, and its length in bytes. */
interface OpenFile {
  readonly file: Deno.FsFile;
  size: number;
}

/** Keeps the audit trail of a data folder. Nothing is made before there is something to write. */
export function createAuditFile(
  folder: string,
  { clock, timer }: { readonly clock: Clock; readonly timer: Timer },
): AuditFile {
  const path = `${folder}/audit.log`;
  const attempts = refusedAttempts();
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
  let stopSum: (() => void) | undefined;

  function add(members: object): void {
    waiting ??= new Uint8Array(AUDIT_WAITING);
    const line = lineOf(members);
    const { read, written } = encoder.encodeInto(line, waiting.subarray(filled));
    if (read < line.length) return void lost++;
    filled += written;
    lines++;
    if (filled >= AUDIT_WAITING / 2) write();
    else stopWait ??= after(timer, AUDIT_WRITE_MS, write);
  }

  function lineOf(members: object): string {
    const ms = clock.now();
    // To write a time takes as long as half a line, and in a rush many lines are of one.
    if (time.ms !== ms) time = { ms, text: new Date(ms).toISOString() };
    return `${safeJson({ at: time.text, ...members })}\n`;
  }

  function sumUp(): void {
    stopSum?.();
    stopSum = undefined;
    for (const told of attempts.sumUp()) add(told);
  }

  function write(): void {
    stopWait?.();
    stopWait = undefined;
    writing ??= writeAll().finally(() => writing = undefined);
  }

  async function writeAll(): Promise<void> {
    while (waiting !== undefined) {
      const [bytes, count, lostBefore] = [waiting.subarray(0, filled), lines, lost];
      waiting = undefined;
      filled = lines = 0;
      const loss = lostBefore === 0 ? "" : lineOf({ what: "audit", lost: lostBefore });
      try {
        await append(encoder.encode(loss));
        lost -= lostBefore;
        await append(bytes);
        failing = false;
      } catch (fault) {
        lost += count;
        closeFile();
        if (!failing) warn(`${path} could not be written: ${reasonOf(fault)}`);
        failing = true;
      }
    }
  }

  async function append(bytes: Uint8Array): Promise<void> {
    open ??= await openFile(path);
    if (open.size > 0 && open.size + bytes.length > AUDIT_FILE_BYTES) {
      closeFile();
      await Deno.rename(path, `${folder}/audit.1.log`);
      open = await openFile(path);
    }
    for (let at = 0; at < bytes.length;) at += await open.file.write(bytes.subarray(at));
    open.size += bytes.length;
  }

  function closeFile(): void {
    open?.file.close();
    open = undefined;
  }

  return {
    tell(entry) {
      if (entry.refused === undefined) return add(entry);
      stopSum ??= after(timer, AUDIT_REFUSED_MS, sumUp);
      if (attempts.isFirst(entry)) add(entry);
    },
    async close() {
      sumUp();
      write();
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
