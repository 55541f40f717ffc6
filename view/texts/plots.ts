import type { Choose } from "./choose.ts";

/** The texts of the plots. */
export const plotsTexts = (t: Choose) => ({
  nothing: t(
    "This console has no meters of levels or loudness.",
    "Dieses Pult hat keine Messung von Pegeln oder Lautheit.",
  ),
  drawn: (name: string, unit: string) =>
    t(`${name}: the last minute in ${unit}`, `${name}: die letzte Minute in ${unit}`),
  left: t("Left", "Links"),
  right: t("Right", "Rechts"),
  correlation: t("Correlation", "Korrelation"),
  highest: t("Highest of the minute", "Höchster der Minute"),
  momentary: t("Momentary", "Momentan"),
  shortTerm: t("Short-term", "Kurzzeit"),
  integrated: t("Integrated", "Integriert"),
  maxMomentary: t("Highest momentary", "Höchster momentan"),
  maxShortTerm: t("Highest short-term", "Höchster Kurzzeit"),
  maxPeak: t("Highest peak, dBTP", "Höchste Spitze, dBTP"),
});
