/**
 * Elements that a browser sets by itself, before the console has answered.
 *
 * @module
 */

/**
 * Waits for the answer of `set`, and calls `putBack` where the console refused: the element has to
 * be brought back to what is in force by hand, because nothing has changed that would draw it anew.
 */
export async function putBackIfRefused(
  asked: Promise<unknown>,
  putBack: () => void,
): Promise<void> {
  if (await asked === undefined) putBack();
}
