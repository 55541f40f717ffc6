/**
 * The texts of the page in the selected language.
 *
 * @module
 */
import { language } from "../state/preferences.ts";
import { de, en, type Texts } from "./languages.ts";

/** Returns the texts. A component that calls it is drawn again when the language changes. */
export function texts(): Texts {
  return language.chosen.value === "de" ? de : en;
}
