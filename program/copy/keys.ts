/**
 * `faderd copy keys`: a pair of keys, so that the machine that makes copies cannot open them.
 *
 * @module
 */
import { reasonOf } from "../../core/errors.ts";
import type { Given } from "../command-line.ts";
import { Failure } from "../failure.ts";
import { print } from "../print.ts";
import { replaceText } from "../private-file.ts";
import { keyLine } from "../seal/keys.ts";

/** The public key is no secret: every program that makes copies has to read it. */
const READ_BY_ALL = 0o644;

/** Writes a secret key to a new file, and its public key beside it. */
export async function copyKeys(given: Given): Promise<void> {
  const file = given.get("file")!;
  const { sodium } = await import("../../core/sodium.ts");
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  for (const path of [file, `${file}.pub`]) {
    if (await Deno.lstat(path).then(() => true, () => false)) {
      throw new Failure(`${path} is there already: a key is never replaced`);
    }
  }
  try {
    await replaceText(file, keyLine("secret", privateKey));
    await Deno.writeTextFile(`${file}.pub`, keyLine("public", publicKey), { createNew: true });
    await Deno.chmod(`${file}.pub`, READ_BY_ALL);
  } catch (fault) {
    throw new Failure(`${file} could not be written: ${reasonOf(fault)}`);
  }
  print(`${file}: the secret key, which opens copies; keep it away from the console`);
  print(`${file}.pub: the public key, for faderd copy save --to`);
}
