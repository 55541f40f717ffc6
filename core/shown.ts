/**
 * How a value that came from outside is shown in a sentence.
 *
 * @module
 */

/** The most characters of a value that are shown. */
export const maxShown = 40;

/**
 * `value` in quotes, fit for one line of a log or an answer: control characters and those that
 * change the writing's direction are escaped, and a long one is cut off after
 * {@linkcode maxShown} characters.
 *
 * @example
 * ```ts
 * `ObjectID must be an integer, not ${shown("1\n2")}`; // ObjectID must be an integer, not "1\n2"
 * ```
 */
export function shown(value: string): string {
  // A character has at most two units, so this much is enough to cut from.
  const beginning = [...value.slice(0, 2 * maxShown + 1)].slice(0, maxShown).join("");
  const quoted = JSON.stringify(beginning).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return beginning.length < value.length ? `${quoted}…` : quoted;
}
