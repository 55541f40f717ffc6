/**
 * The check of TLS certificates by `node:crypto`, for the program and for Node. That module is
 * loaded only when a certificate comes.
 *
 * @module
 */
import type { X509Certificate } from "node:crypto";
import { reasonOf } from "../core/errors.ts";
import type { Validity } from "../core/backup/device.ts";
import type { Tls } from "../core/backup/tls.ts";

/**
 * Returns the fault of a certificate: it cannot be read, it has expired or is not valid yet, the
 * key is encrypted or belongs to another certificate. Undefined without a fault.
 */
export async function certificateFault({ certificate, key }: Tls): Promise<string | undefined> {
  if (key.startsWith("-----BEGIN ENCRYPTED")) {
    return "the key is encrypted, expected it without a passphrase";
  }
  const { createPrivateKey } = await import("node:crypto");
  try {
    const chain = await certificatesOf({ certificate, key });
    const expired = chain.find(({ validTo }) => Date.parse(validTo) <= Date.now());
    if (expired !== undefined) return `the certificate has expired on ${expired.validTo}`;
    const early = chain.find(({ validFrom }) => Date.parse(validFrom) > Date.now());
    if (early !== undefined) return `the certificate is not valid before ${early.validFrom}`;
    if (!chain[0]!.checkPrivateKey(createPrivateKey(key))) {
      return "the key does not fit the certificate";
    }
    return undefined;
  } catch (fault) {
    return `it cannot be read as a certificate and its key: ${reasonOf(fault)}`;
  }
}

/** Reads the certificates of a chain; throws if one cannot be read. */
export async function certificatesOf({ certificate }: Tls): Promise<readonly X509Certificate[]> {
  const { X509Certificate } = await import("node:crypto");
  return certificate.split(/(?<=-----END CERTIFICATE-----)\s+/)
    .filter((block) => block !== "")
    .map((block) => new X509Certificate(block));
}

/**
 * Reads the validity of the first certificate of a chain, the device's own; undefined if it cannot
 * be read.
 */
export async function validityOf(tls: Tls): Promise<Validity | undefined> {
  try {
    const [own] = await certificatesOf(tls);
    const [from, until] = [own!.validFrom, own!.validTo].map((time) =>
      new Date(time).toISOString()
    );
    return { from: from!, until: until! };
  } catch {
    return undefined;
  }
}
