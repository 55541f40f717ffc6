import type { Choose } from "./choose.ts";

/** The texts of the dialog that undoes. */
export const undoTexts = (t: Choose) => ({
  undo: t("Undo", "Rückgängig"),
  hint: t("Undo (Ctrl+Z)", "Rückgängig (Strg+Z)"),
  steps: t("The last changes", "Die letzten Änderungen"),
  none: t("There is nothing to undo.", "Es gibt nichts rückgängig zu machen."),
  nobody: t("nobody", "niemand"),
  calls: {
    set: t("Change", "Änderung"),
    fade: t("Fade", "Blende"),
    label: t("Label", "Beschriftung"),
    load: (name: string) =>
      name === "default"
        ? t("Default snapshot loaded", "Standard-Snapshot geladen")
        : t(`${name} loaded`, `${name} geladen`),
    undo: t("Undone", "Rückgängig gemacht"),
  },
  everywhere: t("In several places", "An mehreren Stellen"),
  values: (count: number) =>
    t(
      count === 1 ? "1 value" : `${count} values`,
      count === 1 ? "1 Wert" : `${count} Werte`,
    ),
  tooLarge: t(
    "This change is too large to undo.",
    "Diese Änderung ist zu groß, um sie rückgängig zu machen.",
  ),
  isGone: t(
    "This change is no longer in the list.",
    "Diese Änderung steht nicht mehr in der Liste.",
  ),
  isBack: t(
    "Nothing changes: all values are as they were before.",
    "Es ändert sich nichts: Alle Werte sind wieder wie vorher.",
  ),
  force: (count: number) =>
    t(
      count === 1
        ? "1 value was changed since. Put it back, too"
        : `${count} values were changed since. Put them back, too`,
      count === 1
        ? "1 Wert wurde seitdem geändert. Auch ihn zurücksetzen"
        : `${count} Werte wurden seitdem geändert. Auch sie zurücksetzen`,
    ),
  forceHint: (count: number) =>
    t(
      count === 1 ? "Otherwise it stays as it is." : "Otherwise they stay as they are.",
      count === 1 ? "Sonst bleibt er, wie er ist." : "Sonst bleiben sie, wie sie sind.",
    ),
  undone: (count: number) =>
    t(
      count === 1 ? "1 value is as it was before." : `${count} values are as they were before.`,
      count === 1 ? "1 Wert ist wieder wie vorher." : `${count} Werte sind wieder wie vorher.`,
    ),
});
