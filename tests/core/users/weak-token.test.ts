import { assertEquals } from "@std/assert";
import { isWeak, makeToken } from "../../../core/users/token.ts";

/** A token that a person chose, and whether it is refused. */
const table: readonly (readonly [string, boolean])[] = [
  ["00000000-00000000-00000000-00000000", true],
  ["aaaaaaaa-00000000-00000000-00000001", true],
  ["01234567-89abcdef-01234567-89abcdef", true],
  ["01234567-89abcdef-fedcba98-76543210", true],
  ["00112233-44556677-8899aabb-ccddeeff", true],
  ["FFEEDDCC-BBAA9988-77665544-33221100", true],
  ["deadbeef-deadbeef-deadbeef-deadbeef", true],
  ["1a2b3c4d-5e6f7081-1A2B3C4D-92a3b4c5", true],
  ["13131313-57575757-31313131-75757575", true],
  ["bffdc628-88e85b99-b86db9ef-9032ccac", false],
  ["13579bdf-02468ace-fdb97531-eca86420", false],
];

for (const [token, weak] of table) {
  Deno.test(`a token chosen by a person is ${weak ? "refused as weak" : "accepted"}: ${token}`, () => {
    assertEquals(isWeak(token), weak);
  });
}

Deno.test("none of 20,000 random tokens is weak", () => {
  const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
  const weak = Array.from({ length: 20_000 }, () => makeToken(random)).filter(isWeak);
  assertEquals(weak, []);
});
