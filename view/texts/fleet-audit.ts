import type { Choose } from "./choose.ts";

/** The texts of the page of the audit trail of a fleet. */
export const fleetAuditTexts = (t: Choose) => ({
  trail: t("Audit trail, the newest first", "Protokoll, das Neueste zuerst"),
  searchHint: t("User, address, call, console", "Benutzer, Adresse, Aufruf, Pult"),
  shows: { all: t("All", "Alle"), refused: t("Refused", "Abgelehnt") },
  found: (count: number, all: number) =>
    t(`${count} of ${all} lines`, `${count} von ${all} Zeilen`),
  none: t("No line matches.", "Keine Zeile entspricht dem."),
  readAgain: t("Read again", "Erneut lesen"),
  showMore: t("Show more", "Mehr zeigen"),
  newest: (count: number) => t(`These are the newest ${count}.`, `Das sind die neuesten ${count}.`),
  nobody: t("nobody", "niemand"),
  several: t("several users", "mehrere Benutzer"),
  refused: (why: string) => t(`Refused: ${why}`, `Abgelehnt: ${why}`),
  /** The details that a console has reported about a call. */
  told: {
    more: (count: number) => t(`and ${count} more`, `und ${count} weitere`),
    notStored: t("not stored", "nicht gespeichert"),
    again: (count: number) =>
      t(count === 1 ? "once more" : `${count} times more`, `noch ${count} Mal`),
    lost: (count: number) =>
      t(
        count === 1 ? "1 line before it is missing" : `${count} lines before it are missing`,
        count === 1 ? "1 Zeile davor fehlt" : `${count} Zeilen davor fehlen`,
      ),
  },
  /** The calls in plain words, by their names in the trail. */
  calls: {
    enrol: t("Enrol a console", "Pult anmelden"),
    uplink: t("Connect a console", "Pult verbinden"),
    makecode: t("Make a code for a console", "Code für ein Pult erzeugen"),
    approve: t("Approve a console", "Pult freigeben"),
    remove: t("Remove a console", "Pult entfernen"),
    adduser: t("Add a user", "Benutzer anlegen"),
    modifyuser: t("Change a user", "Benutzer ändern"),
    removeuser: t("Remove a user", "Benutzer entfernen"),
    set: t("Set a value", "Wert setzen"),
    fleetdo: t("Act on consoles", "Auf Pulten ausführen"),
    fleetagain: t("Repeat where it failed", "Wiederholen, wo es fehlschlug"),
    backup: t("Back up a console", "Pult sichern"),
    getbackup: t("Download a backup", "Sicherung herunterladen"),
    savetemplate: t("Save a template", "Vorlage speichern"),
    removetemplate: t("Remove a template", "Vorlage entfernen"),
  },
});
