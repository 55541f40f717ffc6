/**
 * Reading files that the command line or a configuration names.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { Failure } from "./failure.ts";

/**
 * Reads the bytes of a file. Throws {@link Failure} if that fails; its message begins with `named`,
 * the place where the file is named and the path.
 */
export function readBytes(file: string, named = file): Uint8Array<ArrayBuffer> {
  try {
    return Deno.readFileSync(file);
  } catch (fault) {
    throw new Failure(`${named} cannot be read: ${reasonOf(fault)}`);
  }
}

/** Reads the text of a file as {@link readBytes} does; a byte order mark stays. */
export function readText(file: string, named?: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(readBytes(file, named));
}
