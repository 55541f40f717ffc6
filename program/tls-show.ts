/**
 * `faderd tls show`: the certificate of a data folder that no service is running on.
 *
 * @module
 */
import { certificatesOf } from "./certificate.ts";
import { loadConfiguration } from "./configuration-file.ts";
import { expectFolder, onDataFolder } from "./data-folder.ts";
import { Failure } from "./failure.ts";
import { print } from "./print.ts";

/**
 * Prints each certificate of the chain, the device's own first: whom it is for, by whom it was made,
 * when it is valid, and its fingerprint; of the key nothing. Throws {@link Failure} where there is
 * none.
 */
export async function tlsShow(data: string): Promise<void> {
  expectFolder(data);
  // The certificate does not depend on the configuration, so that of the demo console will do.
  const tls = await onDataFolder(
    data,
    loadConfiguration(undefined),
    ({ console }) => Promise.resolve(console.state.tls),
  );
  if (tls === undefined) throw new Failure(`${data} holds no certificate`);
  for (const certificate of await certificatesOf(tls)) {
    const { subject, subjectAltName, issuer, validFrom, validTo, fingerprint256 } = certificate;
    const rows = [
      ["subject", oneLine(subject)],
      ["names", subjectAltName ?? "none"],
      ["issuer", oneLine(issuer)],
      ["valid from", validFrom],
      ["valid until", validTo],
      ["SHA-256", fingerprint256],
    ];
    for (const [what, value] of rows) print(`${`${what}:`.padEnd(13)}${value}`);
  }
}

function oneLine(name: string): string {
  return name.split("\n").join(", ");
}
