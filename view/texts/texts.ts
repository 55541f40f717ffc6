/**
 * The texts of the page, in the language that was chosen.
 *
 * @module
 */
import { language } from "../state/preferences.ts";
import { de, en, type Texts } from "./languages.ts";

/** The texts; who calls it in a component sees another language at once. */
export function texts(): Texts {
  return language.chosen.value === "de" ? de : en;
}
