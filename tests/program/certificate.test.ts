/** The validity of certificates, as `openssl x509 -dates` prints it. */
import { assertEquals } from "@std/assert";
import { validityOf } from "../../runtimes/certificate.ts";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`./certificates/${name}.pem`, import.meta.url));
const validity = (certificate: string) => validityOf({ certificate, key: "" });

const rows: readonly (readonly [name: string, from: string, until: string])[] = [
  ["one", "2026-11-20T09:39:43.000Z", "2126-10-27T09:39:43.000Z"],
  ["expired", "2026-11-20T09:39:43.000Z", "2026-11-19T09:39:43.000Z"],
  ["future", "2125-01-01T00:00:00.000Z", "2126-01-01T00:00:00.000Z"],
  ["rsa1024", "2026-11-20T10:33:57.000Z", "2126-10-27T10:33:57.000Z"],
];

for (const [name, from, until] of rows) {
  Deno.test(`the validity of ${name}.pem is the same as openssl prints`, async () => {
    assertEquals(await validity(certificateIn(read(name))), { from, until });
  });
}

Deno.test("the validity of a chain is that of its first certificate, that of the device; other text has none", async () => {
  const [one, two] = ["one", "two"].map((name) => certificateIn(read(name)));
  assertEquals(await validity(`${two}${one}`), await validity(two!));
  for (const text of ["", "x", one!.slice(0, -40)]) assertEquals(await validity(text), undefined);
});

/** The certificate in a file, which may hold its key, too. */
function certificateIn(pem: string): string {
  return /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/.exec(pem)![0];
}
