/** The client as one file for a browser: how large it is, and that it knows no runtime. */
import { assert, assertEquals } from "@std/assert";
import { bundled } from "../../tools/esbuild.ts";

const MOST_BYTES = 5 * 1024;

Deno.test("the client has at most 5 KiB as one file, minified and packed", async () => {
  const { code } = await bundled("client/client.ts", { minify: true });
  const packed = new Blob([code]).stream().pipeThrough(new CompressionStream("gzip"));
  const { size } = await new Response(packed).blob();
  assert(size > 1024 && size <= MOST_BYTES, `${size} bytes`);
  assertEquals(code.match(/\b(Deno|process|require|import)\b/g), null);
});
