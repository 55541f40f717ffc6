import type { Choose } from "./choose.ts";

/** The texts around every page of a console that the page of a hub does not need. */
export const consoleShellTexts = (t: Choose) => ({
  /** The titles of the pages, by their names. */
  titles: {
    mixer: t("Mixer", "Mischer"),
    snapshots: "Snapshots",
    lists: t("Lists", "Listen"),
    own: t("Own pages", "Eigene Seiten"),
    pictures: t("Pictures", "Bilder"),
    console: t("Console", "Pult"),
    meters: t("Meters", "Pegel"),
    plots: t("Plots", "Verläufe"),
    admin: "Admin",
    "hand-over": t("Hand-over", "Übergabe"),
  },
  alarms: {
    lost: t(
      "The audio engine of this console is gone: what is set here is not heard.",
      "Die Audio-Engine dieses Pults ist ausgefallen: Was hier eingestellt wird, ist nicht zu hören.",
    ),
    late: t(
      "The audio engine of this console falls behind: the sound has gaps.",
      "Die Audio-Engine dieses Pults kommt nicht nach: Der Ton hat Aussetzer.",
    ),
    slow: t(
      "The medium is slow: changes are stored, but answered late.",
      "Der Speicher ist langsam: Änderungen werden gespeichert, aber spät bestätigt.",
    ),
    // With `storage.onFault` "refuse" changes are refused; with "play" most are in force unstored.
    full: t(
      "The medium is full: changes are refused, or lost at a restart.",
      "Der Speicher ist voll: Änderungen werden abgelehnt oder gehen beim Neustart verloren.",
    ),
    readonly: t(
      "The medium takes no writes: changes are refused, or lost at a restart.",
      "Der Speicher lässt sich nicht beschreiben: Änderungen werden abgelehnt oder gehen beim " +
        "Neustart verloren.",
    ),
    damaged: t(
      "The medium is damaged: changes are refused, or a restart may lose them.",
      "Der Speicher ist beschädigt: Änderungen werden abgelehnt oder können bei einem Neustart " +
        "verloren gehen.",
    ),
  },
});
