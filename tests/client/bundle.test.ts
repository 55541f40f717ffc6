/** The client as one file for a browser: how large it is, and that it knows no runtime. */
import { assert, assertEquals } from "@std/assert";

const MOST_BYTES = 5 * 1024;

Deno.test("the client has at most 5 KiB as one file, minified and packed", async () => {
  const entry = new URL("../../client/client.ts", import.meta.url).pathname;
  const args = ["bundle", "--quiet", "--minify", "--platform", "browser", entry];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  assertEquals(code, 0);
  const packed = new Blob([stdout]).stream().pipeThrough(new CompressionStream("gzip"));
  const { size } = await new Response(packed).blob();
  assert(size > 1024 && size <= MOST_BYTES, `${size} bytes`);
  const text = new TextDecoder().decode(stdout);
  assertEquals(text.match(/\b(Deno|process|require|import)\b/g), null);
});
