/**
 * The version of this program, read from deno.json, the only place that has it.
 *
 * @module
 */
import manifest from "../deno.json" with { type: "json" };

/** Three numbers: "1.0.0". */
export const VERSION: string = manifest.version;
