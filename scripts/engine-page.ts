/**
 * Makes the audio engine of a browser tab, `engine/page/engine.js`: `deno task engine-page`.
 *
 * @module
 */
import { bundled } from "./esbuild.ts";

const { code } = await bundled("engine/page/engine.ts", { minify: true });
await Deno.writeTextFile(new URL("../engine/page/engine.js", import.meta.url), code);
