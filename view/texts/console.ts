import type { Choose } from "./choose.ts";

/** The texts of the parts of a console other than its mixers. */
export const consoleTexts = (t: Choose) => ({
  nothing: t(
    "This console has nothing beside its mixers.",
    "Dieses Pult hat außer seinen Mischern nichts zu bedienen.",
  ),
  pots: t("Pots", "Regler"),
  logics: t("Logics", "Logiken"),
  selectors: t("Selectors", "Wahlschalter"),
  routing: t("Routing", "Kreuzschiene"),
  labels: t("Labels", "Beschriftungen"),
  labelsHint: t(
    "An empty label restores the configured one.",
    "Bleibt das Feld leer, gilt wieder die Beschriftung aus der Konfiguration.",
  ),
  label: (id: number, initial: string) =>
    t(`Label ${id}: ${initial}`, `Beschriftung ${id}: ${initial}`),
  place: (name: string, device: string) => device === "" ? name : `${name} (${device})`,
  noInput: t("Nothing", "Kein Eingang"),
  sides: (left: string, right: string) =>
    t(`Left ${left}, right ${right}`, `Links ${left}, rechts ${right}`),
  on: t("On", "Ein"),
  off: t("Off", "Aus"),
});
