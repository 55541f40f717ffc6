/**
 * The check of TLS certificates. The reader of certificates is loaded only when one comes.
 *
 * @module
 */
import type { X509Certificate } from "node:crypto";
import { reasonOf } from "../core/errors.ts";
import type { Validity } from "../core/backup/device.ts";
import type { Tls } from "../core/backup/tls.ts";
import { listen } from "../runtimes/deno/server.ts";
import { machineTimer } from "../runtimes/clock.ts";

/**
 * Returns the fault of a certificate: it cannot be read, it has expired or is not valid yet, the
 * key is encrypted or belongs to another certificate, HTTPS cannot be served with it. Undefined
 * without a fault.
 */
export async function checkCertificate({ certificate, key }: Tls): Promise<string | undefined> {
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
  } catch (fault) {
    return `it cannot be read as a certificate and its key: ${reasonOf(fault)}`;
  }
  return await serveFault({ certificate, key });
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

// A server is started, because `node:crypto` knows more kinds of keys than the TLS server.
async function serveFault(tls: Tls): Promise<string | undefined> {
  try {
    const service = () => Promise.resolve(new Response());
    const parts = { service, timer: machineTimer, onFault: () => {} };
    const behind = { tls, connectionAt: () => undefined };
    await listen({ hostname: "127.0.0.1", port: 0 }, parts, behind).stop();
    return undefined;
  } catch (fault) {
    return `HTTPS cannot be served with it: ${reasonOf(fault)}`;
  }
}
