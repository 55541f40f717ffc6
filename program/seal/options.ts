/**
 * The options of commands that encrypt and open. They stand apart, for an idle service does without
 * the rest.
 *
 * @module
 */
import type { Option } from "../command-line.ts";

/** The options by which a command encrypts what it writes. */
export const sealOptions: readonly Option[] = [
  ["--to FILE", "encrypt for a public key, a file of faderd copy keys: its secret key opens it"],
  ["--passphrase-file FILE", "encrypt with the passphrase in the first line of a file"],
];

/** The options by which a command opens what is encrypted. */
export const unsealOptions: readonly Option[] = [
  ["--key FILE", "the secret key that opens what is encrypted for its public key"],
  ["--passphrase-file FILE", "the passphrase that opens it"],
];
