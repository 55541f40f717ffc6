/**
 * The device's TLS certificate and its key, as PEM: the tag `TLS`.
 *
 * @module
 */

/** A certificate chain, the device's own certificate first, and its private key; both PEM. */
export interface Tls {
  readonly certificate: string;
  readonly key: string;
}

/** The beginning of the first and the last line of a block. */
const BOUNDARY = "-----";
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;

/**
 * Makes the file `tls.pem`: the chain and then the key; empty for a device without a certificate.
 */
export function pemOf(tls: Tls | undefined): Uint8Array {
  return new TextEncoder().encode(tls === undefined ? "" : tls.certificate + tls.key);
}

/**
 * Reads `tls.pem`: one or more certificates and one private key, in any order. Text around them, as
 * tools write it (RFC 7468, section 2), and the `EC PARAMETERS` of `openssl ecparam -genkey` are
 * not kept: the key names its curve. Undefined if there is any other or an incomplete block.
 * Whether the certificate and the key belong together is checked by the device.
 */
export function parsePem(bytes: Uint8Array): { readonly tls: Tls | undefined } | undefined {
  const text = new TextDecoder().decode(bytes);
  const blocks = [...text.matchAll(BLOCK)]
    .map(([block, label]) => ({ block: `${block}\n`, label }))
    .filter(({ label }) => label !== "EC PARAMETERS");
  const certificates = blocks.filter(({ label }) => label === "CERTIFICATE");
  const keys = blocks.filter(({ label }) => label?.endsWith("PRIVATE KEY"));
  if (text.trim() === "") return { tls: undefined };
  const isBroken = text.replace(BLOCK, "").includes(BOUNDARY);
  if (isBroken || certificates.length === 0 || keys.length !== 1) return undefined;
  if (certificates.length + keys.length !== blocks.length) return undefined;
  const certificate = certificates.map(({ block }) => block).join("");
  return { tls: { certificate, key: keys[0]!.block } };
}
