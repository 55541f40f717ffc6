/**
 * Shows a value that came from outside in a sentence.
 *
 * @module
 */

/** Maximum number of characters of a text that are shown. */
export const SHOWN_CHARACTERS = 40;

/** Length in characters of the examined text: however many tokens are removed, enough is left. */
const LOOKED_AT = 15 * SHOWN_CHARACTERS;

const TOKENS = /[0-9a-f]{8}(-[0-9a-f]{8}){3}/gi;

/**
 * Returns a text with `***` in the place of all parts in the form of a token, which a client may
 * have sent in the wrong place: an answer or a log would give it away.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const text = "no user has 01234567-89abcdef-01234567-89abcdef";
 * assertEquals(withoutTokens(text), "no user has ***");
 * ```
 */
export function withoutTokens(text: string): string {
  return text.replace(TOKENS, "***");
}

/**
 * Makes a value fit for one line of a log or an answer. A text is quoted, cut after {@linkcode
 * SHOWN_CHARACTERS} characters, has its control characters and those that change the writing's
 * direction escaped, and shows no token. Of an object or a list only that it is one is said.
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

/**
 * Writes JSON that is fit for one line of a log: control characters and those that change the
 * writing's direction are escaped.
 */
export function safeJson(value: string | object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function shownText(value: string): string {
  const text = withoutTokens(value.slice(0, LOOKED_AT));
  // A character has at most two units, so this much is enough to cut from.
  const characters = [...text.slice(0, 2 * SHOWN_CHARACTERS + 1)];
  const beginning = characters.slice(0, SHOWN_CHARACTERS).join("");
  const quoted = safeJson(beginning);
  const isWhole = beginning.length === text.length && value.length <= LOOKED_AT;
  return isWhole ? quoted : `${quoted}…`;
}
