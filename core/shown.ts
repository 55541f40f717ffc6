/**
 * Shows a value that came from outside in a sentence.
 *
 * @module
 */

/** At most so many characters of a text are shown. */
export const SHOWN_CHARACTERS = 40;

/**
 * Makes a value fit for one line of a log or an answer. A text is quoted, cut after {@linkcode
 * SHOWN_CHARACTERS} characters, and has its control characters and those that change the writing's
 * direction escaped. Of an object or a list only that it is one is said.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(shown("1\n2"), '"1\\n2"');
 * assertEquals(shown({ fader: 1 }), "an object");
 * ```
 */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? shownText(value) : String(value);
}

function shownText(value: string): string {
  // A character has at most two units, so this much is enough to cut from.
  const characters = [...value.slice(0, 2 * SHOWN_CHARACTERS + 1)];
  const beginning = characters.slice(0, SHOWN_CHARACTERS).join("");
  const quoted = JSON.stringify(beginning).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return beginning.length < value.length ? `${quoted}…` : quoted;
}
