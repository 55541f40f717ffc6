import type { Choose } from "./choose.ts";

/** The texts of the external lists. */
export const listsTexts = (t: Choose) => ({
  list: t("List", "Liste"),
  none: t("This console has no external lists.", "Dieses Pult hat keine externen Listen."),
  absent: (name: string) =>
    t(
      `No system fills ${name} now. Its buttons appear when one does.`,
      `${name} wird zurzeit von keinem System gefüllt. Die Tasten erscheinen, sobald das geschieht.`,
    ),
  empty: (name: string) => t(`${name} has no buttons now.`, `${name} hat zurzeit keine Tasten.`),
  disabled: t(
    "The list says that this button cannot be pressed now.",
    "Laut Liste lässt sich diese Taste zurzeit nicht drücken.",
  ),
  pages: t("Pages of the list", "Seiten der Liste"),
  previous: t("Previous page", "Vorherige Seite"),
  next: t("Next page", "Nächste Seite"),
  page: (number: number) => t(`Page ${number}`, `Seite ${number}`),
  pageOf: (number: number, count: number) =>
    t(`Page ${number} of ${count}`, `Seite ${number} von ${count}`),
  jump: t("Go to a page", "Gehe zu Seite"),
});
