import type { Choose } from "./choose.ts";

/** The texts of the button that copies. */
export const copyFieldTexts = (t: Choose) => ({
  copy: t("Copy", "Kopieren"),
  copied: t("Copied", "Kopiert"),
  notCopied: t(
    "The browser does not allow copying here: select the text and copy it.",
    "Der Browser lässt das Kopieren hier nicht zu: Bitte markieren und selbst kopieren.",
  ),
});
