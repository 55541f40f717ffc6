/**
 * A log of numbers, each a record. Its state is the last number; a number that is not one more than
 * its predecessor means a lost or a doubled record.
 *
 * @module
 */
import type { Log, LogOptions } from "../../storage/contract.ts";

/** Small segments, so that segments change and compactions run all the time. */
const segmentBytes = 16 * 1024;
/** Number of records in flight. */
const writers = 8;
/** Every 25th number is printed only once the log was compacted. */
const compactsEvery = 25;

/**
 * A writer that has printed more numbers than this has compacted its log: at most `writers` numbers
 * can wait for the end of a compaction.
 */
export const numbersToCompaction = writers * compactsEvery;

/** Opens a log on the file system of a runtime. */
export type OpenLog = (folder: string, options: LogOptions) => Promise<Log>;

/** The content of the log in a folder, and the function that appends to it. */
export interface Numbers {
  readonly log: Log;
  /** The last number stored. */
  last(): number;
  /** Appends the next number; resolves with it. */
  next(): Promise<number>;
}

function encode(kind: 1 | 2, number: number): Uint8Array {
  const payload = new Uint8Array(5 + number % 300).fill(number & 0xff, 5);
  const view = new DataView(payload.buffer);
  view.setUint8(0, kind);
  view.setUint32(1, number);
  return payload;
}

/** Opens the log of numbers in `folder`. Rejects when one is missing, doubled or changed. */
export async function openNumbers(openLog: OpenLog, folder: string): Promise<Numbers> {
  let last = 0;
  let given = 0;
  const log = await openLog(folder, {
    segmentBytes,
    checkpoint: () => [encode(2, last)],
    replay(payload) {
      const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
      const number = view.getUint32(1);
      if (view.getUint8(0) === 1 && number !== last + 1) throw new Error(`${number} after ${last}`);
      if (payload.subarray(5).some((byte) => byte !== (number & 0xff))) {
        throw new Error(`${number} came back changed`);
      }
      last = number;
    },
  });
  if (log.recovery.damage !== undefined) throw new Error(log.condition.why);
  given = last;
  return {
    log,
    last: () => last,
    async next() {
      const number = ++given;
      await log.append(encode(1, number));
      last = number;
      return number;
    },
  };
}

/**
 * Appends numbers without end, and prints each once it is acknowledged. Before it opens its log it
 * prints 0.
 */
export async function writeNumbers(
  openLog: OpenLog,
  folder: string,
  print: (number: number) => void,
): Promise<void> {
  print(0);
  const numbers = await openNumbers(openLog, folder);
  await Promise.all(Array.from({ length: writers }, async () => {
    for (;;) {
      const number = await numbers.next();
      if (number % compactsEvery === 0) await numbers.log.compact();
      print(number);
    }
  }));
}
