/**
 * The texts of the page in German; `en.ts` says what there is.
 *
 * @module
 */
import type { Texts } from "./en.ts";

/** The German texts. */
export const de: Texts = {
  shell: {
    pages: "Seiten",
    skip: "Zur Seite",
    menu: "Einstellungen dieser Seite",
    close: "Schließen",
    nobody: "Nur ansehen",
    logIn: "Anmelden",
    logOut: "Abmelden",
    lock: "Gegen Berührung sperren",
    unlock: "Zum Entsperren halten",
    viewOnly: "Nur Ansicht",
    noPage: "Diese Seite gibt es nicht.",
    loading: "Lädt …",
    dismiss: "Weglegen",
  },
  login: {
    title: "Anmelden",
    token: "Token",
    hint: "xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx, wie es Ihnen der Betreuer des Pultes gegeben hat",
    keep: "Auf diesem Gerät behalten",
    keepHint: "Sonst wird es mit diesem Tab vergessen.",
    refused: "Das Pult nimmt dieses Token nicht an.",
    needed: "Dieses Pult zeigt sich nur bekannten Benutzern.",
  },
  link: {
    connecting: "Verbindung zum Pult wird aufgebaut …",
    lost: "Die Verbindung zum Pult ist verloren",
    since: (duration) => `seit ${duration}`,
    held: "Zu sehen ist der letzte Stand. Es geht von selbst weiter, wenn das Pult wieder da ist.",
    open: "Verbunden",
  },
  alarms: {
    engineLost:
      "Die Audio-Engine dieses Pultes ist weg: Was hier gestellt wird, ist nicht zu hören.",
    storageFull: "Der Speicher ist voll: Änderungen gelten, aber ein Neustart würde sie verlieren.",
    storageReadonly:
      "Der Speicher lässt sich nicht beschreiben: Änderungen gelten, aber ein Neustart würde sie " +
      "verlieren.",
    storageDamaged:
      "Der Speicher ist beschädigt: Änderungen gelten, aber ein Neustart kann sie verlieren.",
  },
  rights: {
    noConnection: "Es besteht keine Verbindung zum Pult.",
    viewOnly: "Diese Seite zeigt nur an.",
    locked: "Diese Seite ist gegen Berührung gesperrt.",
    needsLogin: "Dazu bitte anmelden.",
    needsAdmin: "Das ist Administratoren vorbehalten.",
    needsRight: (right) => `Dazu ist das Recht „${right}“ nötig.`,
    names: { view: "Ansehen", operate: "Bedienen", configure: "Einrichten" },
  },
  preferences: {
    theme: "Farben",
    dark: "Dunkel",
    light: "Hell",
    contrast: "Kontrast",
    normal: "Normal",
    high: "Hoch",
    language: "Sprache",
    touch: "Ein berührter Fader",
    relative: "Bewegt sich von dort, wo er steht",
    jump: "Springt zur Berührung",
  },
  mixer: {
    title: "Mischer",
  },
  snapshots: {
    title: "Snapshots",
  },
  lists: {
    title: "Listen",
  },
  pictures: {
    title: "Bilder",
  },
  console: {
    title: "Pult",
  },
  plots: {
    title: "Verläufe",
  },
  admin: {
    title: "Administration",
  },
};
