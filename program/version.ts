/**
 * The version of this program, from deno.json, so that it stands once.
 *
 * @module
 */
import manifest from "../deno.json" with { type: "json" };

/** Three numbers: "1.0.0". */
export const VERSION: string = manifest.version;
