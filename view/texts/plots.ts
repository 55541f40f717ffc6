import type { Choose } from "./choose.ts";

/** The texts of the plots. */
export const plotsTexts = (t: Choose) => ({
  nothing: t(
    "This console has no meters of levels or loudness.",
    "Dieses Pult misst weder Pegel noch Lautheit.",
  ),
  range: t("Shown are the last", "Gezeigt werden die letzten"),
  minutes: (range: string) => `${range} min`,
  /** The range, in a sentence. */
  last: (range: string) =>
    range === "1"
      ? t("the last minute", "die letzte Minute")
      : t(`the last ${range} minutes`, `die letzten ${range} Minuten`),
  drawn: (name: string, last: string, unit: string) => `${name}: ${last} in ${unit}`,
  left: t("Left", "Links"),
  right: t("Right", "Rechts"),
  correlation: t("Correlation", "Korrelation"),
  highest: (range: string) =>
    range === "1"
      ? t("Highest of the minute", "Höchstwert der letzten Minute")
      : t(`Highest of ${range} minutes`, `Höchstwert der letzten ${range} Minuten`),
  momentary: t("Momentary", "Momentan"),
  shortTerm: t("Short-term", "Kurzzeit"),
  integrated: t("Integrated", "Integriert"),
  loudnessRange: t("Loudness range, LU", "Lautheitsumfang, LU"),
  maxMomentary: t("Highest momentary", "Höchstwert momentan"),
  maxShortTerm: t("Highest short-term", "Höchstwert Kurzzeit"),
  maxPeak: t("Highest peak, dBTP", "Höchste Spitze, dBTP"),
});
