/**
 * The texts of the page in each of its languages. Every page has a file with its own.
 *
 * @module
 */
import { adminTexts } from "./admin.ts";
import type { Choose } from "./choose.ts";
import { consoleTexts } from "./console.ts";
import { decimalIn } from "./decimal.ts";
import { listsTexts } from "./lists.ts";
import { mixerTexts } from "./mixer.ts";
import { picturesTexts } from "./pictures.ts";
import { plotsTexts } from "./plots.ts";
import { shellTexts } from "./shell.ts";
import { snapshotsTexts } from "./snapshots.ts";

/** All texts of a language. */
export type Texts = ReturnType<typeof textsIn>;

function textsIn(language: "en" | "de") {
  const t: Choose = (english, german) => language === "de" ? german : english;
  return {
    decimal: decimalIn(t("en-GB", "de-DE")),
    ...shellTexts(t),
    mixer: mixerTexts(t),
    snapshots: snapshotsTexts(t),
    lists: listsTexts(t),
    pictures: picturesTexts(t),
    console: consoleTexts(t),
    plots: plotsTexts(t),
    admin: adminTexts(t),
  };
}

/** The English texts. */
export const en: Texts = textsIn("en");

/** The German texts. */
export const de: Texts = textsIn("de");
