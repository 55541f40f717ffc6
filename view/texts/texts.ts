/**
 * The texts of the page in the selected language.
 *
 * @module
 */
import { language } from "../state/preferences.ts";
import type { Choose } from "./choose.ts";
import { de, en, type Texts } from "./languages.ts";

/**
 * Returns the texts of the shell and of the mixer. A component that calls it is drawn again when the
 * language changes.
 */
export function texts(): Texts {
  return language.chosen.value === "de" ? de : en;
}

/** Returns the texts of a page that is loaded later: `textsOf(snapshotsTexts)`. */
export function textsOf<Own>(texts: (t: Choose) => Own): Own {
  const isGerman = language.chosen.value === "de";
  return texts((english, german) => isGerman ? german : english);
}
