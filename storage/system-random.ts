/**
 * The random source of this machine, which a log takes unless it is given another.
 *
 * @module
 */
import type { Random } from "../core/ports.ts";

/** Random bytes of this machine. */
export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};
