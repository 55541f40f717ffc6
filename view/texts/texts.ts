/**
 * The texts of the page in the selected language.
 *
 * @module
 */
import { language } from "../state/preferences.ts";
import type { Choose } from "./choose.ts";
import { de, en, type Texts } from "./languages.ts";

const english: Choose = (text) => text;
const german: Choose = (_, text) => text;

const all = { en, de };

/** Replaces some of the texts for a page that is not the page of a console. */
export function reword(own: (t: Choose) => Partial<Texts>): void {
  all.en = { ...en, ...own(english) };
  all.de = { ...de, ...own(german) };
}

/**
 * Returns the texts around every page. A component that calls it is drawn again when the
 * language changes.
 */
export function texts(): Texts {
  return all[language.chosen.value];
}

/**
 * Makes a function that returns texts which many parts show at the same time: they are made once
 * for each language, and not for each part.
 */
export function textsOnce<Own>(texts: (t: Choose) => Own): () => Own {
  const own = { en: texts(english), de: texts(german) };
  return () => own[language.chosen.value];
}

/** Returns the texts of a page that is loaded later: `textsOf(snapshotsTexts)`. */
export function textsOf<Own>(texts: (t: Choose) => Own): Own {
  return texts(language.chosen.value === "de" ? german : english);
}
