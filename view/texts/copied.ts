import type { Choose } from "./choose.ts";

/** The texts of the button that copies. */
export const copiedTexts = (t: Choose) => ({
  copy: t("Copy", "Kopieren"),
  copied: t("Copied", "Kopiert"),
  notCopied: t(
    "The browser does not copy here: select it and copy it.",
    "Der Browser lässt das Kopieren hier nicht zu: Bitte markieren und selbst kopieren.",
  ),
});
