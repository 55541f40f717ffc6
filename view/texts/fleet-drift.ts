import type { Choose } from "./choose.ts";

/** The texts of the page Drift, which shows the differences of consoles. */
export const fleetDriftTexts = (t: Choose) => ({
  other: t("Compare with", "Vergleichen mit"),
  choose: t("Choose …", "Auswählen …"),
  templates: t("Templates", "Vorlagen"),
  chooseFirst: t(
    "Choose a template or a console: each console then says whether it differs.",
    "Wählen Sie eine Vorlage oder ein Pult: Dann zeigt jedes Pult, ob es abweicht.",
  ),
  noTemplates: (why: string) => t(`No templates: ${why}.`, `Keine Vorlagen: ${why}.`),
  shows: {
    all: t("All", "Alle"),
    differs: t("Differ", "Abweichend"),
    same: t("Same", "Gleich"),
    open: t("Not known", "Ungewiss"),
  },
  standings: {
    itself: t("compared with", "Vergleichspult"),
    same: t("the same", "gleich"),
    differs: t("differs", "weicht ab"),
    foreign: t("another model", "anderes Modell"),
    unknown: t("not known", "ungewiss"),
  },
  sections: {
    labels: t("Labels", "Beschriftungen"),
    processing: t("Processing", "Bearbeitung"),
    setup: t("Setup", "Einrichtung"),
    snapshots: "Snapshots",
    users: t("Users", "Benutzer"),
    pictures: t("Pictures", "Bilder"),
    views: t("View documents", "Ansichtsdokumente"),
    configuration: t("Configuration", "Konfiguration"),
    settings: t("Settings", "Einstellungen"),
  },
  act: (count: number) =>
    count === 1
      ? t("Act on the console that differs", "Das abweichende Pult ändern")
      : t(`Act on the ${count} consoles that differ`, `Die ${count} abweichenden Pulte ändern`),
  opened: (name: string) => t(`${name}: what differs`, `${name}: Abweichungen`),
  gone: t("This console is not in the fleet.", "Dieses Pult ist nicht in der Flotte."),
  read: t("Read", "Lesen"),
  readName: (section: string) => t(`Read: ${section}`, `Lesen: ${section}`),
  differing: (count: number) =>
    t(
      count === 1 ? "1 value differs." : `${count} values differ.`,
      count === 1 ? "1 Wert weicht ab." : `${count} Werte weichen ab.`,
    ),
  reading: t("The hub reads it …", "Der Hub liest …"),
  path: t("Path", "Pfad"),
  template: (name: string) => t(`Template ${name}`, `Vorlage ${name}`),
  more: (count: number) => t(`and ${count} more`, `und ${count} weitere`),
  take: (path: string) => t(`Do it: ${path}`, `Ausführen: ${path}`),
  hint: t(
    "Nothing is changed here. The arrow opens the page Do with that value filled in.",
    "Hier wird nichts geändert. Der Pfeil öffnet die Seite Ausführen mit dem Wert.",
  ),
  save: t("New template", "Neue Vorlage"),
  from: t("Console", "Pult"),
  name: t("Name", "Name"),
  nameHint: t(
    "Letters, digits, '.', '_' and '-', at most 64",
    "Buchstaben, Ziffern, '.', '_' und '-', höchstens 64",
  ),
  has: t("Sections", "Abschnitte"),
  replaces: t(
    "It takes the place of the template of this name.",
    "Sie ersetzt die Vorlage dieses Namens.",
  ),
  remove: t("Remove template", "Vorlage entfernen"),
  removeTitle: (name: string) => t(`Remove the template ${name}?`, `Vorlage ${name} entfernen?`),
  removeQuestion: t(
    "Nothing is compared with it any more. No console changes.",
    "Mit ihr wird nichts mehr verglichen. Kein Pult ändert sich.",
  ),
});
