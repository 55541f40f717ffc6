import { assertEquals } from "@std/assert";
import { hexOf } from "../../core/hex.ts";
import { createSha256, sha256 } from "../../core/sha256.ts";

Deno.test("SHA-256 of the examples of FIPS 180-4", () => {
  const hash = (text: string) => hexOf(sha256(new TextEncoder().encode(text)));
  assertEquals(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assertEquals(
    hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

Deno.test("the digest equals the SHA-256 of WebCrypto, for each length around a block and for a long text", async () => {
  for (const length of [...Array(200).keys(), 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => 31 * at + length);
    const expected = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    assertEquals(sha256(bytes), expected, `${length} bytes`);
  }
});

Deno.test("the SHA-256 of bytes in parts equals that of the whole bytes, wherever they are cut", () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, at) => 7 * at);
  for (const part of [1, 7, 63, 64, 65, 200, 1000]) {
    const hash = createSha256();
    for (let at = 0; at < bytes.length; at += part) hash.update(bytes.subarray(at, at + part));
    assertEquals(hash.digest(), sha256(bytes), `parts of ${part}`);
  }
});
