/**
 * `faderd tls pack`: an archive with a certificate and its key, to be restored with the tag `TLS`.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { vouchedFor } from "../core/backup/files.ts";
import { packFiles } from "../core/backup/pack.ts";
import { tagTable } from "../core/backup/tags.ts";
import { parsePem, pemOf } from "../core/backup/tls.ts";
import { withoutPauses } from "../core/cooperative-scheduler.ts";
import { checkCertificate } from "./certificate.ts";
import { Failure } from "./failure.ts";
import { readText } from "./named-file.ts";
import { print } from "./print.ts";
import { replaceFile } from "./private-file.ts";

/**
 * Packs a certificate chain, the device's own first, and its key into `file`, for its owner alone.
 * Throws {@link Failure} for a pair that a restore would refuse.
 */
export async function tlsPack(cert: string, key: string, file: string): Promise<void> {
  const pem = `${readText(cert)}\n${readText(key)}`;
  const tls = parsePem(new TextEncoder().encode(pem))?.tls;
  const both = `${cert} and ${key}`;
  if (tls === undefined) {
    throw new Failure(`${both} are not a certificate and one key as PEM, unencrypted`);
  }
  const fault = await checkCertificate(tls);
  if (fault !== undefined) throw new Failure(`${both}: ${fault}`);
  const { file: name, bytes } = tagTable.TLS;
  const content = pemOf(tls);
  if (content.length > bytes) {
    throw new Failure(`${both}: expected at most ${bytes} bytes, got ${content.length}`);
  }
  const origin = {
    device: "faderd tls pack",
    firmware: "",
    time: new Date().toISOString(),
    tags: ["TLS"],
  } as const;
  const files = vouchedFor([{ name, bytes: content }], origin);
  try {
    await replaceFile(file, packFiles(files, withoutPauses));
  } catch (fault) {
    throw new Failure(`${file} could not be written: ${reasonOf(fault)}`);
  }
  print(`${file}: TLS`);
}
