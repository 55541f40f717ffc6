/** The client as one file for a browser: its size, and that it depends on no runtime. */
import { assert, assertEquals } from "@std/assert";
import { bundled } from "../../tools/esbuild.ts";

const MOST_BYTES = 5 * 1024;

Deno.test("the client as one file, minified and compressed, has at most 5 KiB", async () => {
  const { code } = await bundled("client/client.ts", { minify: true });
  const packed = new Blob([code]).stream().pipeThrough(new CompressionStream("gzip"));
  const { size } = await new Response(packed).blob();
  assert(size > 1024 && size <= MOST_BYTES, `${size} bytes`);
  assertEquals(code.match(/\b(Deno|process|require|import)\b/g), null);
});
