import type { Choose } from "./choose.ts";

/** The texts of the frame around every page. */
export const shellTexts = (t: Choose) => ({
  shell: {
    group: (number: number) => t(`Group ${number}`, `Gruppe ${number}`),
    pages: t("Pages", "Seiten"),
    skip: t("Go to the page", "Zur Seite"),
    fleet: t("To the fleet", "Zur Flotte"),
    menu: t("Settings of this page", "Einstellungen dieser Seite"),
    close: t("Close", "Schließen"),
    cancel: t("Cancel", "Abbrechen"),
    lookingOn: t("Looking on", "Nur Ansicht"),
    notLoggedIn: t("Not logged in", "Nicht angemeldet"),
    logIn: t("Log in", "Anmelden"),
    logOut: t("Log out", "Abmelden"),
    logOutTitle: (name: string) => t(`Log ${name} out?`, `${name} abmelden?`),
    logOutQuestion: t(
      "The token is forgotten here. Whoever logs in again needs it.",
      "Das Token wird hier gelöscht. Wer sich wieder anmeldet, braucht es.",
    ),
    lock: t("Lock against touch", "Gegen Berührung sperren"),
    unlock: t("Hold to unlock", "Zum Entsperren halten"),
    viewOnly: t("View only", "Nur Ansicht"),
    noPage: t("There is no such page.", "Diese Seite gibt es nicht."),
    loading: t("Loading …", "Wird geladen …"),
    noDocuments: t(
      "This console stores nothing for pages: this was not stored.",
      "Dieses Pult speichert nichts für Seiten: Das wurde nicht gespeichert.",
    ),
    notLoaded: t("This page could not be loaded.", "Diese Seite konnte nicht geladen werden."),
    loadAgain: t("Load again", "Erneut laden"),
    dismiss: t("Dismiss", "Ausblenden"),
  },
  login: {
    title: t("Log in", "Anmelden"),
    token: "Token",
    hint: t(
      "xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx, from the person who looks after the console",
      "xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx, wie vom Betreuer des Pults erhalten",
    ),
    keep: t("Keep it on this device", "Auf diesem Gerät speichern"),
    keepHint: t(
      "Otherwise it is forgotten with this tab.",
      "Sonst gilt es nur, bis der Tab geschlossen wird.",
    ),
    refused: t("The console does not accept this token.", "Das Pult hat dieses Token abgelehnt."),
    needed: t(
      "This console shows itself to known users only.",
      "Dieses Pult ist nur für angemeldete Benutzer zugänglich.",
    ),
  },
  link: {
    connecting: t("Connecting to the console …", "Verbindung zum Pult wird aufgebaut …"),
    lost: t("The connection to the console is lost", "Die Verbindung zum Pult ist unterbrochen"),
    silent: t("Nothing comes from the console", "Das Pult antwortet nicht"),
    unsent: t(
      "Nothing comes from the console: this was not sent.",
      "Das Pult antwortet nicht: Die Änderung wurde nicht gesendet.",
    ),
    since: (duration: string) => t(`for ${duration}`, `seit ${duration}`),
    held: t(
      "You see the last known state. The page goes on by itself when the console is back.",
      "Zu sehen ist der letzte Stand. Es geht von selbst weiter, sobald das Pult wieder da ist.",
    ),
    open: t("Connected", "Verbunden"),
    unanswered: t(
      "The connection was lost; nobody knows whether this arrived.",
      "Die Verbindung wurde unterbrochen; niemand weiß, ob die Änderung noch ankam.",
    ),
    /** The reason, by the code with which the connection was closed. */
    closed: {
      1001: t("The console is being shut down.", "Das Pult wird heruntergefahren."),
      1006: t(
        "The console, or the network to it, does not answer.",
        "Das Pult oder das Netzwerk dorthin antwortet nicht.",
      ),
      1012: t(
        "The users or the settings of the console were changed.",
        "Die Benutzer oder die Einstellungen des Pults wurden geändert.",
      ),
      1013: t(
        "The console has no room for this connection now, or this page could not keep up.",
        "Das Pult hat zurzeit keinen Platz für diese Verbindung, oder die Seite kam nicht nach.",
      ),
      4503: t(
        "The hub does not reach this console now.",
        "Der Hub erreicht dieses Pult zurzeit nicht.",
      ),
    },
    unstored: t(
      "This is in force, but is not stored: a restart would lose it.",
      "Die Änderung gilt, ist aber nicht gespeichert: Bei einem Neustart ginge sie verloren.",
    ),
  },
  rights: {
    noConnection: t(
      "There is no connection to the console.",
      "Es besteht keine Verbindung zum Pult.",
    ),
    viewOnly: t("This page only looks on.", "Diese Seite ist nur zur Ansicht."),
    locked: t("This page is locked against touch.", "Diese Seite ist gegen Berührung gesperrt."),
    needsLogin: t("Log in to do this.", "Bitte zuerst anmelden."),
    needsAdmin: t("This is for admins.", "Das ist Administratoren vorbehalten."),
    needsRight: (right: string) =>
      t(`This needs the right to ${right}.`, `Dazu ist das Recht „${right}“ nötig.`),
    names: {
      view: t("view", "Ansehen"),
      press: t("press list buttons", "Listentasten drücken"),
      operate: t("operate", "Bedienen"),
      configure: t("configure", "Einrichten"),
    },
  },
  preferences: {
    theme: t("Colours", "Farben"),
    dark: t("Dark", "Dunkel"),
    light: t("Light", "Hell"),
    contrast: t("Contrast", "Kontrast"),
    normal: "Normal",
    high: t("High", "Hoch"),
    language: t("Language", "Sprache"),
    touch: t("A touched fader", "Berührter Fader"),
    relative: t("Moves from where it is", "Folgt dem Finger"),
    jump: t("Goes where it is touched", "Springt zum Finger"),
    midi: t("MIDI controllers", "MIDI-Controller"),
    off: t("Off", "Aus"),
    on: t("Mackie Control", "Mackie Control"),
  },
});
