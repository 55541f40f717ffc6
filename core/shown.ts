/**
 * Formats received values for a sentence.
 *
 * @module
 */

/** Maximum number of shown characters of a text. */
export const SHOWN_CHARACTERS = 40;

/**
 * Maximum number of examined characters of a text: after the removal of tokens enough of it
 * remains.
 */
const LOOKED_AT = 15 * SHOWN_CHARACTERS;

const TOKENS = /[0-9a-f]{8}(-[0-9a-f]{8}){3}/gi;

/**
 * Returns a text in which `***` replaces all parts in the form of a token. A client may have sent
 * its token in the wrong place, and an answer or a log would disclose it.
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
 * Formats a value for one line of a log or an answer. A text is quoted and cut after {@linkcode
 * SHOWN_CHARACTERS} characters. Its control characters and those that change the direction of
 * writing are escaped, and tokens are masked. The content of objects and lists is not shown.
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
 * Formats JSON for one line of a log: control characters and those that change the direction of
 * writing are escaped.
 */
export function safeJson(value: string | object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function shownText(value: string): string {
  const text = withoutTokens(value.slice(0, LOOKED_AT));
  // A character has at most two UTF-16 units, so this length is sufficient before the cut.
  const characters = [...text.slice(0, 2 * SHOWN_CHARACTERS + 1)];
  const beginning = characters.slice(0, SHOWN_CHARACTERS).join("");
  const quoted = safeJson(beginning);
  const isWhole = beginning.length === text.length && value.length <= LOOKED_AT;
  return isWhole ? quoted : `${quoted}…`;
}
