import type { Choose } from "./choose.ts";

/** The texts of what stands around every page. */
export const shellTexts = (t: Choose) => ({
  /** The titles of the pages, by their names. */
  titles: {
    mixer: t("Mixer", "Mischer"),
    snapshots: "Snapshots",
    lists: t("Lists", "Listen"),
    pictures: t("Pictures", "Bilder"),
    console: t("Console", "Pult"),
    plots: t("Plots", "Verläufe"),
    admin: "Admin",
  },
  shell: {
    group: (number: number) => t(`Group ${number}`, `Gruppe ${number}`),
    pages: t("Pages", "Seiten"),
    skip: t("Go to the page", "Zur Seite"),
    menu: t("Settings of this page", "Einstellungen dieser Seite"),
    close: t("Close", "Schließen"),
    cancel: t("Cancel", "Abbrechen"),
    nobody: t("Looking on", "Nur ansehen"),
    logIn: t("Log in", "Anmelden"),
    logOut: t("Log out", "Abmelden"),
    logOutTitle: (name: string) => t(`Log ${name} out?`, `${name} abmelden?`),
    logOutQuestion: t(
      "The token is forgotten here. Whoever logs in again needs it.",
      "Das Token wird hier vergessen. Wer sich wieder anmeldet, braucht es.",
    ),
    lock: t("Lock against touch", "Gegen Berührung sperren"),
    unlock: t("Hold to unlock", "Zum Entsperren halten"),
    viewOnly: t("View only", "Nur Ansicht"),
    noPage: t("There is no such page.", "Diese Seite gibt es nicht."),
    loading: t("Loading …", "Lädt …"),
    notLoaded: t("This page could not be loaded.", "Diese Seite konnte nicht geladen werden."),
    loadAgain: t("Load again", "Erneut laden"),
    dismiss: t("Put away", "Weglegen"),
  },
  login: {
    title: t("Log in", "Anmelden"),
    token: "Token",
    hint: t(
      "xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx, as whoever looks after the console gave it to you",
      "xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx, wie es Ihnen der Betreuer des Pultes gegeben hat",
    ),
    keep: t("Keep it on this device", "Auf diesem Gerät behalten"),
    keepHint: t("Else it is forgotten with this tab.", "Sonst wird es mit diesem Tab vergessen."),
    refused: t("The console does not take this token.", "Das Pult nimmt dieses Token nicht an."),
    needed: t(
      "This console shows itself to known users only.",
      "Dieses Pult zeigt sich nur bekannten Benutzern.",
    ),
  },
  link: {
    connecting: t("Connecting to the console …", "Verbindung zum Pult wird aufgebaut …"),
    lost: t("The connection to the console is lost", "Die Verbindung zum Pult ist verloren"),
    silent: t("Nothing comes from the console", "Vom Pult kommt nichts"),
    unsent: t(
      "Nothing comes from the console: this was not sent.",
      "Vom Pult kommt nichts: Das wurde nicht gesendet.",
    ),
    since: (duration: string) => t(`for ${duration}`, `seit ${duration}`),
    held: t(
      "What you see is how it was. It goes on by itself when the console is back.",
      "Zu sehen ist der letzte Stand. Es geht von selbst weiter, wenn das Pult wieder da ist.",
    ),
    open: t("Connected", "Verbunden"),
    unanswered: t(
      "The connection was lost; nobody knows whether this came.",
      "Die Verbindung ging verloren; niemand weiß, ob das noch ankam.",
    ),
    /** Why, by the code with which the connection was closed. */
    closed: {
      1001: t("The console is being shut down.", "Das Pult wird heruntergefahren."),
      1006: t(
        "The console, or the network to it, does not answer.",
        "Das Pult oder das Netz dorthin antwortet nicht.",
      ),
      1012: t(
        "The users or the settings of the console were changed.",
        "Die Benutzer oder die Einstellungen des Pultes wurden geändert.",
      ),
      1013: t(
        "The console has no room for another connection now.",
        "Das Pult hat gerade keinen Platz für eine weitere Verbindung.",
      ),
    },
    unstored: t(
      "This is in force, but the medium did not take it: a restart would lose it.",
      "Das ist in Kraft, aber nicht gespeichert: Ein Neustart würde es verlieren.",
    ),
  },
  alarms: {
    engineLost: t(
      "The audio engine of this console is gone: what is set here is not heard.",
      "Die Audio-Engine dieses Pultes ist weg: Was hier gestellt wird, ist nicht zu hören.",
    ),
    engineLate: t(
      "The audio engine of this console falls behind: the sound has gaps.",
      "Die Audio-Engine dieses Pultes kommt nicht nach: Der Ton hat Lücken.",
    ),
    storageSlow: t(
      "The medium is slow: changes are stored, but answered late.",
      "Der Speicher ist langsam: Änderungen werden gespeichert, aber spät bestätigt.",
    ),
    storageFull: t(
      "The medium is full: changes are in force, but a restart would lose them.",
      "Der Speicher ist voll: Änderungen gelten, aber ein Neustart würde sie verlieren.",
    ),
    storageReadonly: t(
      "The medium takes no writes: changes are in force, but a restart would lose them.",
      "Der Speicher lässt sich nicht beschreiben: Änderungen gelten, aber ein Neustart würde sie " +
        "verlieren.",
    ),
    storageDamaged: t(
      "The medium is damaged: changes are in force, but a restart may lose them.",
      "Der Speicher ist beschädigt: Änderungen gelten, aber ein Neustart kann sie verlieren.",
    ),
  },
  rights: {
    noConnection: t(
      "There is no connection to the console.",
      "Es besteht keine Verbindung zum Pult.",
    ),
    viewOnly: t("This page only looks on.", "Diese Seite zeigt nur an."),
    locked: t("This page is locked against touch.", "Diese Seite ist gegen Berührung gesperrt."),
    needsLogin: t("Log in to do this.", "Dazu bitte anmelden."),
    needsAdmin: t("This is for admins.", "Das ist Administratoren vorbehalten."),
    needsRight: (right: string) =>
      t(`This needs the right to ${right}.`, `Dazu ist das Recht „${right}“ nötig.`),
    names: {
      view: t("view", "Ansehen"),
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
    touch: t("A touched fader", "Ein berührter Fader"),
    relative: t("Moves from where it is", "Bewegt sich von dort, wo er steht"),
    jump: t("Goes where it is touched", "Springt zur Berührung"),
  },
});
