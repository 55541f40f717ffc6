/**
 * The data folder of commands that do not make one.
 *
 * @module
 */
import { Failure } from "./failure.ts";

/** Throws {@link Failure} where a data folder is not there. */
export function expectFolder(data: string): void {
  try {
    if (Deno.statSync(data).isDirectory) return;
  } catch {
    // It is not there, or not ours to look at: either way there is nothing to work on.
  }
  throw new Failure(`there is no data folder ${data}`);
}
