/**
 * `faderd tls show`: the certificate of a data folder that no service uses, or the certificate that
 * a service shows.
 *
 * @module
 */
import type { X509Certificate } from "node:crypto";
import { certificatesOf } from "../runtimes/certificate.ts";
import type { Given } from "./command-line.ts";
import { loadConfiguration } from "./configuration-file.ts";
import { expectFolder, folderOf, onDataFolder } from "./data-folder.ts";
import { Failure, misuse } from "./failure.ts";
import { print, printJson } from "./print.ts";
import { shownCertificate } from "./shown-certificate.ts";

/**
 * Prints each certificate of the chain, the device's own first, or only that of a service: its
 * subject, its issuer, its validity and its fingerprint; nothing of the key. Throws {@link Failure}
 * if there is none.
 */
export async function tlsShow(given: Given): Promise<void> {
  const chain = await chainOf(given);
  const described = chain.map((certificate) => ({
    subject: oneLine(certificate.subject),
    names: certificate.subjectAltName?.split(", ") ?? [],
    issuer: oneLine(certificate.issuer),
    from: new Date(certificate.validFrom).toISOString(),
    until: new Date(certificate.validTo).toISOString(),
    sha256: certificate.fingerprint256,
  }));
  if (given.has("json")) return printJson(described);
  for (const [at, { subject, names, issuer, sha256 }] of described.entries()) {
    const { validFrom, validTo } = chain[at]!;
    const rows = [
      ["subject", subject],
      ["names", names.join(", ") || "none"],
      ["issuer", issuer],
      ["valid from", validFrom],
      ["valid until", validTo],
      ["SHA-256", sha256],
    ] as const;
    for (const [what, value] of rows) print(`${`${what}:`.padEnd(13)}${value}`);
  }
}

async function chainOf(given: Given): Promise<readonly X509Certificate[]> {
  const url = given.get("url");
  if (url !== undefined) {
    if (given.has("data")) throw misuse("--data goes without --url");
    return [await shownCertificate(httpsAddress(url))];
  }
  const data = expectFolder(folderOf(given));
  // The certificate does not depend on the configuration, so the configuration of the demo console
  // is enough.
  const tls = await onDataFolder(
    data,
    loadConfiguration(undefined),
    ({ console }) => Promise.resolve(console.state.tls),
  );
  if (tls === undefined) throw new Failure(`${data} holds no certificate`);
  return await certificatesOf(tls);
}

function httpsAddress(text: string): { readonly hostname: string; readonly port: number } {
  const url = URL.parse(text);
  if (url?.protocol !== "https:") {
    throw misuse(`--url: expected one like https://console.studio:8443, got ${text}`);
  }
  return { hostname: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 443) };
}

function oneLine(name: string): string {
  return name.split("\n").join(", ");
}
