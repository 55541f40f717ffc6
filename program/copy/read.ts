/**
 * Reading a whole copy, from a file or from standard input, and checking all of it.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { createTarDecoder } from "modern-tar";
import { reasonOf } from "../../core/errors.ts";
import { streamOf } from "../../core/backup/stream-of.ts";
import { STANDARD_OUTPUT as STANDARD_INPUT } from "../archive-file.ts";
import { isFull } from "../../storage/storage-error.ts";
import type { Given } from "../command-line.ts";
import { Failure } from "../failure.ts";
import { openerOf } from "../seal/keys.ts";
import { unsealed } from "../seal/unseal.ts";
import {
  isContent,
  LIST_BYTES,
  ORIGIN,
  type Origin,
  readOrigin,
  readSums,
  type Sum,
  SUMS,
} from "./contents.ts";
import { hashed } from "./hashed.ts";

/** Takes a file of a copy, piece by piece. */
export type TakeFile = (name: string, pieces: AsyncIterable<Uint8Array>) => Promise<void>;

/** The content of a copy. */
export interface ReadCopy {
  readonly origin: Origin;
  readonly sums: readonly Sum[];
}

/**
 * Reads the copy that a command line names, and passes each of its files to `take`. Throws {@link
 * Failure} if it cannot be opened, is not whole, or holds no console: the taken files must not be
 * used then. A fault for lack of space for a taken file stays as it is.
 */
export async function readCopy(given: Given, take: TakeFile): Promise<ReadCopy> {
  const path = given.get("file")!;
  const opener = openerOf(given);
  try {
    const archive = path === STANDARD_INPUT
      ? Deno.stdin.readable
      : (await Deno.open(path)).readable;
    const plain = unsealed(archive, opener);
    return await readFiles(streamOf(plain), take);
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) throw new Failure(`${path} is not there`);
    // The medium of the taken files is at fault: the copy is only read.
    if (isFull(fault)) throw fault;
    throw new Failure(`${path} cannot be read as a copy: ${reasonOf(fault)}`);
  }
}

async function readFiles(
  packed: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: TakeFile,
): Promise<ReadCopy> {
  const found: Sum[] = [];
  let origin: Origin | undefined;
  let sums: readonly Sum[] | undefined;
  const decoder = createTarDecoder({ strict: true });
  // Waited for, since the sum of gzip stands behind the end of the tar.
  const unpacked = packed.pipeThrough(new DecompressionStream("gzip")).pipeTo(decoder.writable);
  // If the loop fails, its error is the reason.
  unpacked.catch(() => {});
  for await (const { header: { name, type, size }, body } of decoder.readable) {
    if (sums !== undefined) throw new Failure(`${name} stands after ${SUMS}`);
    if (type !== "file") throw new Failure(`${name} is not a plain file but a ${type}`);
    const note = (bytes: number, sha256: string) => void found.push({ name, bytes, sha256 });
    if (origin === undefined) {
      if (name !== ORIGIN) throw new Failure(`the first file is ${name} and not ${ORIGIN}`);
      origin = readOrigin(await bytesOf(name, hashed(body, note), size));
    } else if (name === SUMS) {
      sums = readSums(await bytesOf(name, body, size));
    } else {
      if (!isContent(name)) throw new Failure(`${name} is not a file of a copy`);
      if (found.some((one) => one.name === name)) throw new Failure(`${name} is there twice`);
      await take(name, hashed(body, note));
    }
  }
  await unpacked;
  if (origin === undefined || sums === undefined) throw new Failure("it is incomplete");
  if (origin.records === 0) throw new Failure("it holds no console");
  const text = (list: readonly Sum[]) =>
    list.map(({ name, bytes, sha256 }) => `${name} ${bytes} ${sha256}`).sort();
  const stated = text(sums);
  const wrong = text(found).find((line) => !stated.includes(line));
  if (wrong !== undefined) throw new Failure(`${wrong.split(" ")[0]} is not what ${SUMS} says`);
  if (found.length !== sums.length) throw new Failure(`it lacks files that ${SUMS} lists`);
  return { origin, sums };
}

async function bytesOf(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  size: number,
): Promise<Uint8Array> {
  if (size > LIST_BYTES) throw new Failure(`${name} has more than ${LIST_BYTES} bytes`);
  return concat(await Array.fromAsync(pieces));
}
