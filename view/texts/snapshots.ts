import type { Choose } from "./choose.ts";

/** The texts of the snapshots. */
export const snapshotsTexts = (t: Choose) => ({
  type: t("Kind", "Art"),
  types: {
    mixer: t("Mixer", "Mischer"),
    channel: t("Channel", "Kanal"),
    processing: "Processing",
  },
  mixer: t("Mixer", "Mischer"),
  none: t("There are no snapshots yet.", "Es gibt noch keine Snapshots."),
  noTarget: t(
    "This console has nothing to save here.",
    "Auf diesem Pult gibt es hier nichts zu speichern.",
  ),
  saveAs: t("Save …", "Speichern …"),
  load: t("Load", "Laden"),
  save: t("Save", "Speichern"),
  upload: t("Upload", "Hochladen"),
  download: t("Download", "Herunterladen"),
  compare: t("Compare …", "Vergleichen …"),
  compareTitle: t("Compare two snapshots", "Zwei Snapshots vergleichen"),
  inForce: t("In force now", "Jetzt eingestellt"),
  inForceOf: t("Values in force of", "Jetzt eingestellt in"),
  value: t("Value", "Wert"),
  alike: t("They are alike.", "Sie stimmen überein."),
  differ: (count: number) =>
    t(
      count === 1 ? "1 value differs" : `${count} values differ`,
      count === 1 ? "1 Wert ist verschieden" : `${count} Werte sind verschieden`,
    ),
  overwrite: t("Overwrite", "Überschreiben"),
  edit: t("Name and groups", "Name und Gruppen"),
  change: t("Change", "Ändern"),
  remove: t("Remove", "Entfernen"),
  moreOf: (name: string) => t(`More of ${name}`, `Mehr zu ${name}`),
  isDefault: t("Default", "Standard"),
  defaultHint: t("Snapshot 0 of this mixer", "Snapshot 0 dieses Mischers"),
  isFactory: t("Factory", "Werk"),
  last: t("Loaded last", "Zuletzt geladen"),
  forGroups: (groups: string) => t(`For groups ${groups}`, `Für Gruppen ${groups}`),
  loadTitle: (name: string) => t(`Load ${name}`, `${name} laden`),
  loaded: (name: string, to: string) =>
    t(`${name} is loaded: ${to}.`, `${name} wurde geladen: ${to}.`),
  saveTitle: t("Save a snapshot", "Einen Snapshot speichern"),
  saved: (name: string) =>
    t(
      `${name === "" ? "The snapshot" : name} is saved.`,
      `${name === "" ? "Der Snapshot" : name} wurde gespeichert.`,
    ),
  changed: (before: string, name: string) =>
    before === name
      ? t(`${name} is changed.`, `${name} wurde geändert.`)
      : t(`${before} is renamed to ${name}.`, `${before} wurde in ${name} umbenannt.`),
  overwriteTitle: (name: string) => t(`Overwrite ${name}`, `${name} überschreiben`),
  sameName: (name: string) => t(`${name} exists already.`, `${name} ist schon vorhanden.`),
  keepBoth: t("Keep both", "Beide behalten"),
  overwriteHint: t(
    "Once overwritten, it holds the values in force now. Its previous content is lost.",
    "Nach dem Überschreiben enthält er die jetzigen Einstellungen. Der bisherige Inhalt geht " +
      "verloren.",
  ),
  editTitle: (name: string) => t(`Change ${name}`, `${name} ändern`),
  removeTitle: (name: string) => t(`Remove ${name}?`, `${name} entfernen?`),
  removed: (name: string) => t(`${name} is removed.`, `${name} wurde entfernt.`),
  removeHint: t("This cannot be undone.", "Das lässt sich nicht rückgängig machen."),
  to: t("To", "Laden in"),
  from: t("From", "Speichern von"),
  name: "Name",
  nameHint: t("Date and time", "Datum und Uhrzeit"),
  who: t("Who may change and load it", "Wer ihn ändern und laden darf"),
  writegroups: t("Groups that may change it", "Gruppen, die ihn ändern dürfen"),
  writeHint: t("At least one.", "Mindestens eine Gruppe."),
  readgroups: t("Groups that may load it", "Gruppen, die ihn laden dürfen"),
  readAll: t("None: everybody may load it.", "Keine Auswahl: Alle dürfen ihn laden."),
  readHint: t(
    "In addition to the groups that may change it.",
    "Zusätzlich zu den Gruppen, die ihn ändern dürfen.",
  ),
  noChange: t(
    "Nothing changes: all of its values are in force.",
    "Es ändert sich nichts: Alle Werte sind bereits so eingestellt.",
  ),
  noSnapshot: (file: string) =>
    t(`${file} is not a file of a snapshot.`, `${file} ist keine Snapshot-Datei.`),
  obstacles: {
    needsGroup: t(
      "You are in no group that may do this.",
      "Sie gehören keiner Gruppe an, die das darf.",
    ),
    needsLogin: t("Log in to do this.", "Bitte zuerst anmelden."),
    isFactory: t(
      "A factory snapshot cannot be changed.",
      "Ein Werks-Snapshot lässt sich nicht ändern.",
    ),
    isDefault: t(
      "The default snapshot can only be loaded and overwritten.",
      "Der Standard-Snapshot kann nur geladen und überschrieben werden.",
    ),
  },
});
