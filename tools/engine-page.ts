/**
 * Makes the audio engine of a browser tab, `engine/web-audio/page/engine.js`: `deno task engine-page`.
 *
 * @module
 */
import { bundled } from "./esbuild.ts";

/** Returns the script of the page, which contains the module of the audio thread as a text. */
export async function enginePage(): Promise<string> {
  const worklet = await bundled("engine/web-audio/worklet.ts", { minify: true });
  const define = { WORKLET: JSON.stringify(worklet.code) };
  const { code } = await bundled("engine/web-audio/page/engine.ts", { minify: true, define });
  return code;
}

if (import.meta.main) {
  const script = new URL("../engine/web-audio/page/engine.js", import.meta.url);
  await Deno.writeTextFile(script, await enginePage());
}
