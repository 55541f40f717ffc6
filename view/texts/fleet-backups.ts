import type { Choose } from "./choose.ts";

/** The texts of the page of the backups of all consoles. */
export const fleetBackupsTexts = (t: Choose) => ({
  notAdmin: t(
    "Backups hold all data of a console, so they are for admins of the whole fleet.",
    "Sicherungen enthalten alles eines Pults und sind Administratoren der ganzen Flotte vorbehalten.",
  ),
  none: t(
    'To have backups, give the configuration of the hub a member "backup", such as',
    'Für Sicherungen braucht die Konfiguration des Hubs einen Eintrag "backup", etwa',
  ),
  shows: { all: t("All", "Alle"), alarms: t("Old or none", "Alt oder keine") },
  never: t("There is no backup.", "Es gibt keine Sicherung."),
  noBackup: t("no backup", "keine Sicherung"),
  now: t("Back up now", "Jetzt sichern"),
  nowName: (name: string) => t(`Back up now: ${name}`, `Jetzt sichern: ${name}`),
  making: t("The backup is being made …", "Die Sicherung wird erstellt …"),
  made: (name: string, size: string) =>
    t(`${name} is backed up: ${size}.`, `${name} ist gesichert: ${size}.`),
  notLive: t("The hub does not reach this console now.", "Der Hub erreicht dieses Pult nicht."),
  all: t(
    "All live consoles, on the command line:",
    "Alle Pulte, die live sind, mit der Befehlszeile:",
  ),
  of: (name: string) => t(`Backups of ${name}`, `Sicherungen von ${name}`),
  time: t("Time", "Zeit"),
  age: t("Age", "Alter"),
  size: t("Size", "Größe"),
  get: (time: string) => t(`Download: ${time}`, `Herunterladen: ${time}`),
  loading: t("It is being loaded …", "Wird geladen …"),
  restore: t("Restore to a replacement", "Auf ein Ersatzpult wiederherstellen"),
  enrol: t(
    'Set the replacement up with "may": "admin" in "fleet" of its configuration, and with the ' +
      "site key of the old console if that has one. Add it with a code, and approve it: page Fleet.",
    'Richten Sie das Ersatzpult ein: mit "may": "admin" unter "fleet" in seiner Konfiguration, und ' +
      "mit dem Site-Key des alten Pults, falls es einen hat. Nehmen Sie es auf der Seite Flotte auf.",
  ),
  choose: t(
    "Choose the backup and the replacement, and restore.",
    "Wählen Sie Sicherung und Ersatzpult.",
  ),
  backup: t("Backup", "Sicherung"),
  replacement: t("Replacement", "Ersatzpult"),
  chooseOne: t("Choose …", "Auswählen …"),
  noneChosen: t("Choose the replacement.", "Wählen Sie das Ersatzpult."),
  remove: (name: string, id: string) =>
    t(
      `Both are called ${name} then. Remove the old one on the page Fleet: search for its id, ${id}.`,
      `Beide heißen dann ${name}. Entfernen Sie das alte auf der Seite Flotte: Suchen Sie dort nach ` +
        `seiner Kennung ${id}.`,
    ),
  apply: t("Restore", "Wiederherstellen"),
  applyTitle: (name: string) => t(`Overwrite ${name}?`, `${name} überschreiben?`),
  applyQuestion: (name: string, from: string, time: string) =>
    t(
      `All that ${name} holds is replaced by the backup of ${from} of ${time}: its name, its ` +
        "configuration, its users and its snapshots. That cannot be undone.",
      `Alles, was ${name} enthält, wird durch die Sicherung von ${from} vom ${time} ersetzt: Name, ` +
        "Konfiguration, Benutzer und Snapshots. Das lässt sich nicht rückgängig machen.",
    ),
  onAir: (name: string) =>
    t(
      `${name} is on air: one of its faders is ON. `,
      `${name} ist auf Sendung: ein Fader ist ON. `,
    ),
  applied: (name: string, tags: string) =>
    t(`${name} is restored: ${tags}.`, `${name} ist wiederhergestellt: ${tags}.`),
  byCommand: t("The same on the command line:", "Dasselbe mit der Befehlszeile:"),
});
