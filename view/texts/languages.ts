/**
 * The texts around the pages of a console and of a hub in each language. Every page has a file with
 * its own texts, which is loaded with it.
 *
 * @module
 */
import type { Choose } from "./choose.ts";
import { decimalIn } from "./decimal.ts";
import { shellTexts } from "./shell.ts";

/** The texts of a language that are loaded at once. */
export type Texts = ReturnType<typeof textsIn>;

function textsIn(t: Choose) {
  return { decimal: decimalIn(t("en-GB", "de-DE")), ...shellTexts(t) };
}

/** The English texts. */
export const en: Texts = textsIn((english) => english);

/** The German texts. */
export const de: Texts = textsIn((_, german) => german);
