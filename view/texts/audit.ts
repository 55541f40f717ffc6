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
    "The line of a load lists the first 20 values that it changed: it is found by the faders of " +
      "these values.",
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
  none: t("The audit trail has no such line.", "Davon steht nichts im Protokoll."),
  time: t("Time", "Zeit"),
  call: t("Call", "Aufruf"),
  what: t("What", "Was"),
  /** The calls in plain words, by their names in the interfaces. */
  calls: {
    set: t("Change", "Ändern"),
    undo: t("Undo", "Rückgängig machen"),
    fadetovalue: t("Fade", "Blenden"),
    setchannellabel: t("Label a channel", "Kanal beschriften"),
    setaccess: t("Give access", "Zugriff geben"),
    loadsnapshot: t("Load a snapshot", "Snapshot laden"),
    savesnapshot: t("Save a snapshot", "Snapshot speichern"),
    modifysnapshot: t("Modify a snapshot", "Snapshot ändern"),
    setsnapshot: t("Write a snapshot", "Snapshot schreiben"),
    removesnapshot: t("Remove a snapshot", "Snapshot löschen"),
    adduser: t("Add a user", "Benutzer anlegen"),
    modifyuser: t("Modify a user", "Benutzer ändern"),
    removeuser: t("Remove a user", "Benutzer löschen"),
    login: t("Log in", "Anmelden"),
    logout: t("Log out", "Abmelden"),
    makehandover: t("Begin a hand-over", "Übergabe beginnen"),
    takehandover: t("Take a hand-over", "Übergabe annehmen"),
    setviewdocument: t("Write pages and names", "Seiten und Namen schreiben"),
    setextlist: t("Fill a list", "Liste füllen"),
    pressextlist: t("Press a list button", "Listentaste drücken"),
    registerextlist: t("Register a list", "Liste anmelden"),
    unregisterextlist: t("Release a list", "Liste abmelden"),
  },
  nobody: t("nobody", "niemand"),
  change: (path: string, before: string, after: string) =>
    t(`${path}: ${before} to ${after}`, `${path}: ${before} auf ${after}`),
  more: (count: number) =>
    t(
      count === 1 ? "and 1 further value" : `and ${count} further values`,
      count === 1 ? "und 1 weiterer Wert" : `und ${count} weitere Werte`,
    ),
  again: (count: number) =>
    t(
      count === 1
        ? "one further call within a minute"
        : `the last of ${count} further calls within a minute`,
      count === 1
        ? "ein weiterer Aufruf binnen einer Minute"
        : `der letzte von ${count} weiteren Aufrufen binnen einer Minute`,
    ),
  lost: (count: number) =>
    t(
      count === 1
        ? "1 line before this one could not be written"
        : `${count} lines before this one could not be written`,
      count === 1
        ? "1 Zeile davor ließ sich nicht schreiben"
        : `${count} Zeilen davor ließen sich nicht schreiben`,
    ),
  lastChanged: (user: string, time: string) =>
    t(`Last changed by ${user}, ${time}`, `Zuletzt geändert von ${user}, ${time}`),
  notStored: t("not stored", "nicht gespeichert"),
});
