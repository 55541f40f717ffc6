import type { Choose } from "./choose.ts";

/** The texts of the meter bridge. */
export const metersTexts = (t: Choose) => ({
  shown: t("What is measured", "Was gemessen wird"),
  console: t("Console", "Pult"),
  nothing: t("There is nothing to be measured here.", "Hier gibt es nichts zu messen."),
  resetPeaks: t("Reset peaks", "Spitzen löschen"),
  pages: t("Pages of meters", "Seiten mit Pegeln"),
  page: (page: number, pages: number) =>
    t(`Page ${page} of ${pages}`, `Seite ${page} von ${pages}`),
  before: t("Back", "Zurück"),
  next: t("Next", "Weiter"),
  peak: t("Peak", "Spitze"),
  peakTitle: t(
    "Highest level since the peaks were reset, in dBFS",
    "Höchster Pegel seit dem Löschen der Spitzen, in dBFS",
  ),
  momentary: t("Momentary loudness in LUFS", "Momentane Lautheit in LUFS"),
  shortTerm: t("Short-term loudness in LUFS", "Kurzzeit-Lautheit in LUFS"),
  integrated: t("Integrated loudness in LUFS", "Integrierte Lautheit in LUFS"),
  truePeak: t("Highest true peak in dBTP", "Höchste wahre Spitze in dBTP"),
  correlationOf: (name: string) => t(`Correlation of ${name}`, `Korrelation von ${name}`),
});
