import type { Choose } from "./choose.ts";

/** The words for the differences of two states of a part of the console. */
export const differenceTexts = (t: Choose) => ({
  changes: t("What changes", "Änderungen"),
  changesCount: (count: number) =>
    t(
      count === 1 ? "1 value changes" : `${count} values change`,
      count === 1 ? "1 Wert ändert sich" : `${count} Werte ändern sich`,
    ),
  more: (count: number) => t(`… and ${count} more`, `… und ${count} weitere`),
  on: t("on", "ein"),
  off: t("off", "aus"),
  yes: t("yes", "ja"),
  no: t("no", "nein"),
  memberOf: (group: string) => t(`Member of ${group}`, `Mitglied von ${group}`),
  none: t("none", "keine"),
  fader: (number: number, label: string) =>
    label === "" ? `Fader ${number}` : `Fader ${number} (${label})`,
  /** The names of members that the page of a mixer does not show. */
  members: {
    fader: t("Level", "Pegel"),
    memo: "Memo",
    preparation: t("Preparation", "Vorbereitung"),
    solo: "Solo",
    voice: t("Voice", "Sprache"),
    label: t("Label", "Beschriftung"),
    maxattenuation: t("Maximum attenuation", "Maximale Dämpfung"),
    passiveattenuation: t("Attenuation at rest", "Dämpfung im Ruhezustand"),
    hold: t("Hold", "Haltezeit"),
    cut: "Cut",
    n: "N",
    outsel: t("Output", "Ausgang"),
    outgain: t("Output gain", "Verstärkung am Ausgang"),
    srcsel: t("Source", "Quelle"),
    directoffair: t("Off air at once", "Direkt Off Air"),
    afl: "AFL",
    aflwhenon: t("AFL when on", "AFL, wenn eingeschaltet"),
    mix: t("Mixed", "Gemischt"),
    reset: t("Reset", "Zurücksetzen"),
    resetfader: t("Reset by faders", "Zurücksetzen durch Fader"),
    return: t("Return", "Rückkehr"),
    autooffair: t("Off air by itself", "Automatisch Off Air"),
    combilogic0: t("Combined logic", "Verknüpfte Logik"),
    combilogic1: t("Combined logic 1", "Verknüpfte Logik 1"),
    combilogic2: t("Combined logic 2", "Verknüpfte Logik 2"),
    combilogic3: t("Combined logic 3", "Verknüpfte Logik 3"),
    automix: "Automix",
    passive: t("Passive", "Passiv"),
    group: t("Group", "Gruppe"),
    weight: t("Weight", "Gewicht"),
    autolevelgain: t("Automatic level", "Automatischer Pegel"),
    timerreset: t("Timer reset", "Timer zurücksetzen"),
  },
  /** The names of numbered resources, by their number in the control tree. */
  numbered: {
    mutegroups: (id: number) => t(`Mute group ${id + 1}`, `Mute-Gruppe ${id + 1}`),
    automix: (id: number) => `Automix ${id}`,
    bus: (id: number) => `Bus ${id}`,
    pots: (id: number) => t(`Pot ${id}`, `Regler ${id}`),
    logics: (id: number) => t(`Logic ${id}`, `Logik ${id}`),
    labels: (id: number) => t(`Label ${id}`, `Beschriftung ${id}`),
    selectors: (id: number) => t(`Selector ${id}`, `Wähler ${id}`),
    routes: (id: number) => t(`Route ${id}`, `Verbindung ${id}`),
    cleanfeeds: (id: number) => t(`Clean feed ${id}`, `Clean Feed ${id}`),
  },
  line: (what: string, from: string, to: string) =>
    t(
      what === "" ? `${from} to ${to}` : `${what}: ${from} to ${to}`,
      what === "" ? `${from} auf ${to}` : `${what}: ${from} auf ${to}`,
    ),
  missing: "–",
});
