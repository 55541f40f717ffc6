/**
 * Elements that a browser sets by itself, before the console has answered.
 *
 * @module
 */

/**
 * Waits for the answer to a `set`, and has the element show what is in force then. It has to be
 * brought there by hand: where the console refused, or took a value that stood there already, as
 * the nearest bound, nothing has changed that would draw the element anew.
 */
export async function putBack(asked: Promise<unknown>, showInForce: () => void): Promise<void> {
  await asked;
  showInForce();
}
