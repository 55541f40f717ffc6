/** How far a stream has come. */
import { assertEquals } from "@std/assert";
import { counted } from "../../program/progress.ts";

Deno.test("a stream says four times a second how much of it has come, and comes whole", async () => {
  const mebibyte = new Uint8Array(1024 * 1024);
  const said: string[] = [];
  let now = 0;
  async function* pieces() {
    for (let at = 0; at < 6; at++) {
      yield await Promise.resolve(mebibyte);
      now += 100;
    }
  }
  const stream = counted(ReadableStream.from(pieces()), (how) => said.push(how), () => now);
  let bytes = 0;
  for await (const piece of stream) bytes += piece.length;
  assertEquals([bytes, said.length], [6 * mebibyte.length, 2]);
  assertEquals(said[0], "1.0 MiB");
});
