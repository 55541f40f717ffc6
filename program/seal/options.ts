/**
 * The options of commands that encrypt and open. They are in a file of their own, so that an idle
 * service does not load the rest.
 *
 * @module
 */
import type { Option } from "../command-line.ts";

/** The options for the encryption of written files. */
export const sealOptions: readonly Option[] = [
  ["--to FILE", "encrypt for a public key, a file of faderd copy keys: its secret key opens it"],
  ["--passphrase-file FILE", "encrypt with the passphrase in the first line of a file"],
];

/** The options for the opening of encrypted files. */
export const unsealOptions: readonly Option[] = [
  ["--key FILE", "the secret key that opens what is encrypted for its public key"],
  ["--passphrase-file FILE", "the passphrase that opens it"],
];
