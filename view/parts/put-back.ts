/**
 * Elements that a browser sets by itself, before the console has answered.
 *
 * @module
 */

/**
 * Waits for the answer to a `set`, and calls `putBack`, which shows what is in force. It has to be
 * done by hand: where the console refused what was chosen, or took its nearest bound, which stood
 * there already, nothing has changed that would draw the element anew.
 */
export async function putBackAfter(
  asked: Promise<unknown>,
  putBack: () => void,
): Promise<void> {
  await asked;
  putBack();
}
