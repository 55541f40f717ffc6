import type { Choose } from "./choose.ts";

/** The texts of the audit trail. */
export const auditTexts = (t: Choose) => ({
  title: t("Who did what", "Wer was getan hat"),
  outcome: t("Outcome", "Ergebnis"),
  outcomes: {
    all: t("Everything", "Alles"),
    done: t("Done", "Getan"),
    refused: t("Refused", "Abgelehnt"),
  },
  user: t("User", "Benutzer"),
  anybody: t("everybody", "alle"),
  fader: "Fader",
  everything: t("The whole console", "Das ganze Pult"),
  faderHint: t(
    "A load names the first 20 values that it changed: it is found by the faders of these.",
    "Ein Laden nennt die ersten 20 Werte, die es geändert hat: An deren Fadern ist es zu finden.",
  ),
  since: t("From", "Von"),
  until: t("Before", "Vor"),
  readAgain: t("Read again", "Erneut lesen"),
  showMore: t("Show more", "Mehr zeigen"),
  oldest: (count: number) =>
    t(
      `These are the newest ${count}. For older ones choose an earlier time.`,
      `Das sind die neuesten ${count}. Für ältere bitte eine frühere Zeit wählen.`,
    ),
  none: t("There is nothing of that in the audit trail.", "Davon steht nichts im Protokoll."),
  time: t("Time", "Zeit"),
  call: t("Call", "Aufruf"),
  what: t("What", "Was"),
  nobody: t("nobody", "niemand"),
  change: (path: string, before: string, after: string) =>
    t(`${path}: ${before} to ${after}`, `${path}: ${before} auf ${after}`),
  more: (count: number) => t(`and ${count} further values`, `und ${count} weitere Werte`),
  again: (count: number) =>
    t(
      `the last of ${count} further calls within a minute`,
      `der letzte von ${count} weiteren Aufrufen binnen einer Minute`,
    ),
  lost: (count: number) =>
    t(
      `${count} lines before this one could not be written`,
      `${count} Zeilen davor ließen sich nicht schreiben`,
    ),
  lastChanged: (user: string, time: string) =>
    t(`Last changed by ${user}, ${time}`, `Zuletzt geändert von ${user}, ${time}`),
  notStored: t("not stored", "nicht gespeichert"),
});
