/**
 * What ends the program with one clear line and exit code 1.
 *
 * @module
 */

/** A reason to stop that the person at the keyboard can mend. */
export class Failure extends Error {
  override name = "Failure";
}
