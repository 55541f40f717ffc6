/**
 * Makes the audio engine of a browser tab, `engine/web-audio/page/engine.js`: `deno task engine-page`.
 *
 * @module
 */
import { bundled } from "./esbuild.ts";

const { code } = await bundled("engine/web-audio/page/engine.ts", { minify: true });
await Deno.writeTextFile(new URL("../engine/web-audio/page/engine.js", import.meta.url), code);
