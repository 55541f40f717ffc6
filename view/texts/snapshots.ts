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
  none: t("There are none yet.", "Es gibt noch keine."),
  noTarget: t(
    "This console has nothing to save here.",
    "Dieses Pult hat hier nichts zu speichern.",
  ),
  saveAs: t("Save …", "Speichern …"),
  load: t("Load", "Laden"),
  save: t("Save", "Speichern"),
  upload: t("Upload", "Hochladen"),
  download: t("Download", "Herunterladen"),
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
    t(`${name} is loaded: ${to}.`, `${name} ist geladen: ${to}.`),
  saveTitle: t("Save a snapshot", "Einen Snapshot speichern"),
  saved: (name: string) =>
    t(
      `${name === "" ? "The snapshot" : name} is saved.`,
      `${name === "" ? "Der Snapshot" : name} ist gespeichert.`,
    ),
  overwriteTitle: (name: string) => t(`Overwrite ${name}`, `${name} überschreiben`),
  sameName: (name: string) => t(`${name} is there already.`, `${name} gibt es schon.`),
  keepBoth: t("Keep both", "Beide behalten"),
  overwriteHint: t(
    "Overwritten, it holds what is in force now. What it held is gone.",
    "Überschrieben enthält er, was jetzt in Kraft ist. Was er enthielt, ist weg.",
  ),
  editTitle: (name: string) => t(`Change ${name}`, `${name} ändern`),
  removeTitle: (name: string) => t(`Remove ${name}?`, `${name} entfernen?`),
  removed: (name: string) => t(`${name} is removed.`, `${name} ist entfernt.`),
  removeHint: t("This cannot be undone.", "Das lässt sich nicht rückgängig machen."),
  to: t("To", "Wohin"),
  from: t("From", "Wovon"),
  name: "Name",
  nameHint: t("Date and time", "Datum und Uhrzeit"),
  who: t("Who may change and load it", "Wer ihn ändern und laden darf"),
  writegroups: t("Groups that may change it", "Gruppen, die ihn ändern dürfen"),
  writeHint: t("One at least.", "Wenigstens eine."),
  readgroups: t("Groups that may load it", "Gruppen, die ihn laden dürfen"),
  readAll: t("None: everybody may.", "Keine: Alle dürfen."),
  readHint: t("And those that may change it.", "Und die, die ihn ändern dürfen."),
  changes: t("What changes", "Was sich ändert"),
  changesCount: (count: number) =>
    t(
      count === 1 ? "1 value changes" : `${count} values change`,
      count === 1 ? "1 Wert ändert sich" : `${count} Werte ändern sich`,
    ),
  noChange: t(
    "Nothing changes: all of it is in force.",
    "Nichts ändert sich: Alles davon ist in Kraft.",
  ),
  more: (count: number) => t(`… and ${count} more`, `… und ${count} weitere`),
  noSnapshot: (file: string) =>
    t(`${file} is not a file of a snapshot.`, `${file} ist keine Snapshot-Datei.`),
  obstacles: {
    needsGroup: t(
      "You are in no group that may do this.",
      "Sie sind in keiner Gruppe, die das darf.",
    ),
    needsLogin: t("Log in to do this.", "Dazu bitte anmelden."),
    isFactory: t("A factory snapshot stays as it is.", "Ein Snapshot ab Werk bleibt, wie er ist."),
    isDefault: t(
      "The default snapshot can only be loaded and overwritten.",
      "Der Standard-Snapshot kann nur geladen und überschrieben werden.",
    ),
  },
  words: {
    on: t("on", "ein"),
    off: t("off", "aus"),
    none: t("none", "keine"),
    fader: (number: number, label: string) =>
      label === "" ? `Fader ${number}` : `Fader ${number} (${label})`,
    line: (what: string, from: string, to: string) =>
      t(
        what === "" ? `${from} to ${to}` : `${what}: ${from} to ${to}`,
        what === "" ? `${from} auf ${to}` : `${what}: ${from} auf ${to}`,
      ),
  },
});
