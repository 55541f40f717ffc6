import type { Choose } from "./choose.ts";

/** The texts of the wide strip that no other part of the page has. */
export const wideTexts = (t: Choose) => ({
  sections: t("Sections", "Abschnitte"),
  source: t("Source", "Quelle"),
  equalizer: "Equalizer",
  dynamics: t("Dynamics", "Dynamik"),
  panorama: "Panorama",
  buses: t("Buses", "Busse"),
  colour: t("Colour", "Farbe"),
  bands: t("Bands", "Bänder"),
  blocks: t("Blocks", "Blöcke"),
  /** The labels of the keys of bands and of dynamics, for which the whole name has no room. */
  short: {
    subsonic: t("Sub", "Tritt"),
    eq1: "1",
    eq2: "2",
    eq3: "3",
    eq4: "4",
  },
  bus: (number: string) => `Bus ${number}`,
  blockNames: {
    automix: "Automix",
    preparation: t("Preparation", "Vorbereitung"),
  },
  memberNames: {
    weight: t("Weight", "Gewicht"),
    group: t("Group", "Gruppe"),
    passive: t("Passive", "Passiv"),
    autolevelgain: t("Automatic level", "Automatischer Pegel"),
  },
  others: t("Level and logics", "Pegel und Logiken"),
  combinedLogics: t("Combined logics", "Verknüpfte Logiken"),
  combinedLogic: (number: number) => t(`Combined logic ${number}`, `Verknüpfte Logik ${number}`),
  transfer: (block: string) => t(`Curve of ${block}`, `Kennlinie: ${block}`),
  handle: (name: string) => t(`Handle of ${name}`, `Griff für ${name}`),
  bandHint: t(
    "Left and right: frequency. Up and down: gain. Plus and minus: Q. 0: gain to 0 dB. Enter: on or off. With Shift a tenth.",
    "Links und rechts: Frequenz. Auf und ab: Verstärkung. Plus und Minus: Güte. 0: Verstärkung auf 0 dB. Eingabe: ein oder aus. Mit Umschalt ein Zehntel.",
  ),
  blockHint: t(
    "Arrow keys: value. Enter: on or off. With Shift a tenth.",
    "Pfeiltasten: Wert. Eingabe: ein oder aus. Mit Umschalt ein Zehntel.",
  ),
  off: t("off", "aus"),
  qOf: (q: string) => t(`Q ${q}`, `Güte ${q}`),
  type: (name: string, value: string) => t(`${value}, type ${name}`, `${value}, ${name} eintippen`),
  bounded: (name: string, bound: string) =>
    t(`${name}: set to its bound, ${bound}.`, `${name}: auf die Grenze gesetzt, ${bound}.`),
  notTyped: (name: string, min: string, max: string) =>
    t(`${name}: expected ${min} to ${max}.`, `${name}: Erwartet wird ${min} bis ${max}.`),
  none: t("This fader has none of these.", "Dieser Fader hat nichts davon."),
});
