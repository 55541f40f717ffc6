/**
 * Failures, which end the program with one line and an exit status.
 *
 * @module
 */

/** Exit statuses of a failed command, and of a wrong command line. */
const FAILED = 1;
const MISUSED = 2;

/** A failure that the user of the command line can solve. */
export class Failure extends Error {
  override name = "Failure";

  /** `status` is the exit status. */
  constructor(message: string, readonly status: number = FAILED) {
    super(message);
  }
}

/** Makes the failure of a wrong command line: exit status 2. */
export function misuse(message: string): Failure {
  return new Failure(message, MISUSED);
}
