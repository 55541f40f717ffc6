import type { Choose } from "./choose.ts";

/** The texts of the page Do, for requests to many consoles. */
export const fleetDoTexts = (t: Choose) => ({
  what: t("On the ticked consoles", "Auf den gewählten Pulten"),
  deeds: {
    label: t("Label a fader", "Fader beschriften"),
    load: t("Load a snapshot", "Snapshot laden"),
    save: t("Save a snapshot", "Snapshot speichern"),
    set: t("Set a value", "Wert setzen"),
  },
  fields: {
    mixer: t("Mixer", "Mischer"),
    fader: t("Fader", "Fader"),
    label: t("Label", "Beschriftung"),
    name: t("Name of the snapshot", "Name des Snapshots"),
    path: t("Path", "Pfad"),
    value: t("Value", "Wert"),
  },
  keep: t("Wait for consoles that are not there", "Auf Pulte warten, die nicht da sind"),
  together: t("All at one instant", "Alle gleichzeitig"),
  force: t("Consoles on air, too", "Auch Pulte auf Sendung"),
  tickFound: (count: number) => t(`Tick all ${count}`, `Alle ${count} wählen`),
  untick: t("Tick none", "Keines wählen"),
  ticked: (count: number) =>
    t(
      count === 1 ? "1 console is ticked" : `${count} consoles are ticked`,
      count === 1 ? "1 Pult ist gewählt" : `${count} Pulte sind gewählt`,
    ),
  noneTicked: t("Tick at least one console.", "Wählen Sie mindestens ein Pult."),
  unfilled: t("Fill in what is to be done.", "Geben Sie an, was zu tun ist."),
  preview: t("Preview", "Vorschau"),
  run: t("Run", "Ausführen"),
  busy: t("The hub asks the consoles …", "Der Hub fragt die Pulte …"),
  again: (count: number) =>
    t(`Repeat for the ${count} that failed`, `Für die ${count} fehlgeschlagenen wiederholen`),
  results: t("Results", "Ergebnisse"),
  previews: t("What would change", "Was sich ändern würde"),
  unchanged: t("Nothing would change.", "Es würde sich nichts ändern."),
  more: (count: number) => t(`and ${count} more`, `und ${count} weitere`),
  changes: (count: number) =>
    t(
      count === 1 ? "1 value would change." : `${count} values would change.`,
      count === 1 ? "1 Wert würde sich ändern." : `${count} Werte würden sich ändern.`,
    ),
  noPreview: t("no preview", "keine Vorschau"),
  withoutPreview: (count: number) => t(`${count} without a preview.`, `${count} ohne Vorschau.`),
  wouldRefuse: (count: number, all: number) =>
    t(`${count} of ${all} would refuse it.`, `${count} von ${all} würden es ablehnen.`),
  outcomes: {
    queued: t("waiting", "wartet"),
    sent: t("sent", "gesendet"),
    done: t("done", "erledigt"),
    refused: t("refused", "abgelehnt"),
    expired: t("expired", "abgelaufen"),
    unknown: t("unknown", "ungewiss"),
  },
  forgotten: t(
    "The hub does not show this batch, or no longer; what it has kept is carried out all the same.",
    "Der Hub zeigt diesen Auftrag nicht oder nicht mehr; Vorgemerktes wird trotzdem ausgeführt.",
  ),
});
