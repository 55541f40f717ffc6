import type { Choose } from "./choose.ts";

/** The texts of the plots. */
export const plotsTexts = (t: Choose) => ({
  nothing: t(
    "This console has no meters of levels or loudness.",
    "Dieses Pult misst weder Pegel noch Lautheit.",
  ),
  drawn: (name: string, unit: string) =>
    t(`${name}: the last minute in ${unit}`, `${name}: die letzte Minute in ${unit}`),
  left: t("Left", "Links"),
  right: t("Right", "Rechts"),
  correlation: t("Correlation", "Korrelation"),
  highest: t("Highest of the minute", "Höchstwert der letzten Minute"),
  momentary: t("Momentary", "Momentan"),
  shortTerm: t("Short-term", "Kurzzeit"),
  integrated: t("Integrated", "Integriert"),
  maxMomentary: t("Highest momentary", "Höchstwert momentan"),
  maxShortTerm: t("Highest short-term", "Höchstwert Kurzzeit"),
  maxPeak: t("Highest peak, dBTP", "Höchste Spitze, dBTP"),
});
