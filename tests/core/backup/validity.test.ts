import { assertEquals } from "@std/assert";
import { validityOf } from "../../../core/backup/validity.ts";

const CERTIFICATES = new URL("../../program/certificates/", import.meta.url);
const read = (name: string) => Deno.readTextFileSync(new URL(`${name}.pem`, CERTIFICATES));

/** As `openssl x509 -dates` tells them. */
const rows: readonly (readonly [name: string, from: string, until: string])[] = [
  ["one", "2026-11-20T09:39:43.000Z", "2126-10-27T09:39:43.000Z"],
  ["expired", "2026-11-20T09:39:43.000Z", "2026-11-19T09:39:43.000Z"],
  ["future", "2125-01-01T00:00:00.000Z", "2126-01-01T00:00:00.000Z"],
  ["rsa1024", "2026-11-20T10:33:57.000Z", "2126-10-27T10:33:57.000Z"],
];

for (const [name, from, until] of rows) {
  Deno.test(`the validity of ${name}.pem is that which openssl tells`, () => {
    assertEquals(validityOf(read(name)), { from, until });
  });
}

Deno.test("of a chain it is that of the first, the device's own", () => {
  assertEquals(validityOf(read("two") + read("one")), validityOf(read("two")));
});

Deno.test("what is cut off, or no certificate, has none", () => {
  const pem = (bytes: string) =>
    `-----BEGIN CERTIFICATE-----\n${btoa(bytes)}\n-----END CERTIFICATE-----\n`;
  const [, base64] = /BEGIN CERTIFICATE-----([^-]+)/.exec(read("one"))!;
  const whole = atob(base64!);
  for (let length = 0; length < whole.length; length++) {
    assertEquals(validityOf(pem(whole.slice(0, length))), undefined, `${length} bytes`);
  }
  for (const text of ["", "x", pem("x"), pem("\x30\x80"), pem("\x30\x03\x30\x01\x30")]) {
    assertEquals(validityOf(text), undefined);
  }
});
