import { assert, assertEquals } from "@std/assert";
import { parsePem, pemOf } from "../../../core/backup/tls.ts";

const block = (label: string, text: string) =>
  `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`;
const own = block("CERTIFICATE", "b3du");
const issuer = block("CERTIFICATE", "aXNz");
const bytes = (text: string) => new TextEncoder().encode(text);

for (const label of ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]) {
  Deno.test(`a chain and its ${label} are read, in any order, and written chain first`, () => {
    const key = block(label, "a2V5");
    const tls = { certificate: own + issuer, key };
    for (
      const text of [own + issuer + key, key + own + issuer, `\r\n${own}\n\n${issuer}${key}\n`]
    ) {
      assertEquals(parsePem(bytes(text)), { tls });
    }
    assertEquals(new TextDecoder().decode(pemOf(tls)), own + issuer + key);
  });
}

Deno.test("EC PARAMETERS, which openssl ecparam writes before a key, are ignored and not kept", () => {
  const parameters = block("EC PARAMETERS", "BggqhkjOPQMBBw==");
  const key = block("EC PRIVATE KEY", "a2V5");
  for (const text of [own + parameters + key, parameters + key + own, own + key + parameters]) {
    assertEquals(parsePem(bytes(text)), { tls: { certificate: own, key } });
  }
  assertEquals(parsePem(bytes(own + parameters)), undefined);
  assertEquals(parsePem(bytes(parameters)), undefined);
});

Deno.test("text around certificate and key, as openssl and people write it, is ignored and not kept", () => {
  const key = block("PRIVATE KEY", "a2V5");
  const attributes = "Bag Attributes\n    friendlyName: studio\nsubject=CN = studio\n";
  for (const text of [attributes + own + key, `# ours\n${own}Key Attributes: <none>\n${key}end`]) {
    assertEquals(parsePem(bytes(text)), { tls: { certificate: own, key } });
  }
});

Deno.test("a device without a certificate has an empty file", () => {
  assertEquals(pemOf(undefined).length, 0);
  assertEquals(parsePem(new Uint8Array()), { tls: undefined });
});

const key = block("PRIVATE KEY", "a2V5");
for (
  const [what, text] of Object.entries({
    "text alone": "Bag Attributes",
    "half a block beside it": `-----BEGIN CERTIFICATE-----\nb3du\n${own}${key}`,
    "a block of another kind": own + key + block("X509 CRL", "Y3Js"),
    "a block that ends as another": own.replace("END CERTIFICATE", "END PRIVATE KEY") + key,
    "a block that is not base64": own.replace("b3du", "b3-du") + key,
    "an encrypted key and another": own + key + block("ENCRYPTED PRIVATE KEY", "a2V5"),
  })
) {
  Deno.test(`PEM with ${what} is refused`, () => {
    assertEquals(parsePem(bytes(text)), undefined);
  });
}

Deno.test("the time to refuse a file does not explode with its length", () => {
  const start = performance.now();
  const hostile = `-----BEGIN CERTIFICATE-----${" ".repeat(250_000)}`;
  assertEquals(parsePem(bytes(hostile)), undefined);
  assertEquals(parsePem(bytes("-----BEGIN A-----\n".repeat(14_000))), undefined);
  // It takes some ms, on a busy machine more; where it explodes, minutes.
  assert(performance.now() - start < 20_000);
});
