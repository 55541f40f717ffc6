/**
 * The files of keys, one line each, and of passphrases.
 *
 * @module
 */
import type { Given } from "../command-line.ts";
import { Failure, misuse } from "../failure.ts";
import { readText } from "../named-file.ts";
import type { Recipient } from "./seal.ts";
import type { Opener } from "./unseal.ts";

/** Minimum length of a passphrase: a shorter one can be guessed, whatever a guess costs. */
const PASSPHRASE_LETTERS = 12;

/** Makes the line of the file of a key. */
export function keyLine(kind: "public" | "secret", key: Uint8Array): string {
  return `faderd ${kind} key ${key.toHex()}\n`;
}

/** Returns the recipient for whom a command has to encrypt; undefined without encryption. */
export function recipientOf(given: Given): Recipient | undefined {
  const to = given.get("to");
  const file = given.get("passphrase-file");
  if (to !== undefined && file !== undefined) {
    throw misuse("expected --to or --passphrase-file, got both");
  }
  if (to !== undefined) return { publicKey: keyIn(to, "to", "public") };
  if (file === undefined) return undefined;
  const passphrase = passphraseIn(file);
  if (passphrase.length < PASSPHRASE_LETTERS) {
    throw new Failure(
      `--passphrase-file ${file}: expected at least ${PASSPHRASE_LETTERS} letters in its first line`,
    );
  }
  return { passphrase };
}

/** Returns the key by which a command may open encrypted files. */
export function openerOf(given: Given): Opener {
  const key = given.get("key");
  const file = given.get("passphrase-file");
  return {
    secretKey: key === undefined ? undefined : keyIn(key, "key", "secret"),
    passphrase: file === undefined ? undefined : passphraseIn(file),
  };
}

function keyIn(file: string, option: string, kind: "public" | "secret"): Uint8Array {
  const found = /^faderd (public|secret) key ([0-9a-f]{64})$/.exec(
    readText(file, `--${option} ${file}`).trim(),
  );
  if (found?.[1] === kind) return Uint8Array.fromHex(found[2]!);
  throw new Failure(
    `--${option} ${file} does not hold a ${kind} key, as faderd copy keys writes it`,
  );
}

function passphraseIn(file: string): string {
  return readText(file, `--passphrase-file ${file}`).split(/\r?\n/, 1)[0]!;
}
