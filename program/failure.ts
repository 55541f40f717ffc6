/**
 * What ends the program with one clear line and an exit status.
 *
 * @module
 */

/** Exit statuses of what could not be done, and of what the command line should not say. */
const FAILED = 1;
const MISUSED = 2;

/** A reason to stop that the person at the keyboard can mend. */
export class Failure extends Error {
  override name = "Failure";

  /** `status` is the exit status. */
  constructor(message: string, readonly status: number = FAILED) {
    super(message);
  }
}

/** Makes the failure of a command line that says what no command takes: exit status 2. */
export function misuse(message: string): Failure {
  return new Failure(message, MISUSED);
}
