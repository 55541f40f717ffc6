/**
 * Whether a TLS certificate will do. What reads certificates is loaded only when one comes.
 *
 * @module
 */
import type { Tls } from "../core/backup/tls.ts";
import { reasonOf } from "./print.ts";

/**
 * Why a certificate will not do: it cannot be read, it has expired, the key is another's. Undefined
 * when it will.
 */
export async function checkCertificate({ certificate, key }: Tls): Promise<string | undefined> {
  const { createPrivateKey, X509Certificate } = await import("node:crypto");
  try {
    const chain = certificate.split(/(?<=-----END CERTIFICATE-----)\s+/)
      .filter((block) => block !== "")
      .map((block) => new X509Certificate(block));
    const expired = chain.find(({ validTo }) => Date.parse(validTo) <= Date.now());
    if (expired !== undefined) return `the certificate has expired on ${expired.validTo}`;
    return chain[0]!.checkPrivateKey(createPrivateKey(key))
      ? undefined
      : "the key does not fit the certificate";
  } catch (fault) {
    return `it cannot be read as a certificate and its key: ${reasonOf(fault)}`;
  }
}
