import type { Choose } from "./choose.ts";

/** The texts of own pages. */
export const ownTexts = (t: Choose) => ({
  none: t(
    "An own page shows what you choose: strips, keys, lists, meters and snapshots.",
    "Eine eigene Seite zeigt, was Sie auswählen: Kanalzüge, Tasten, Listen, Meter und Snapshots.",
  ),
  absent: (name: string) =>
    t(`There is no own page ${name}.`, `Eine eigene Seite ${name} gibt es nicht.`),
  add: t("New page", "Neue Seite"),
  titleField: t("Title", "Titel"),
  icon: t("Icon", "Symbol"),
  icons: {
    own: t("Tiles", "Kacheln"),
    mixer: t("Faders", "Fader"),
    lists: t("Buttons", "Tasten"),
    snapshots: t("Camera", "Kamera"),
    plots: t("Curve", "Kurve"),
    console: t("Controls", "Regler"),
    user: t("Person", "Person"),
  },
  place: t("Kept", "Gespeichert"),
  places: {
    device: t("On this device", "Auf diesem Gerät"),
    console: t("In the console, for all", "Im Pult, für alle"),
  },
  placeHint: t(
    "To change a page in the console, you need the right to configure.",
    "Um eine Seite im Pult zu ändern, ist das Recht „Einrichten“ nötig.",
  ),
  notKept: t(
    "This console keeps no own pages: they stay on this device.",
    "Dieses Pult speichert keine eigenen Seiten: Sie bleiben auf diesem Gerät.",
  ),
  notStored: t(
    "This browser does not store the page: its storage is forbidden or full.",
    "Dieser Browser speichert die Seite nicht: Sein Speicher ist gesperrt oder voll.",
  ),
  full: (items: number) =>
    t(
      `A page holds up to ${items} items: remove one first.`,
      `Eine Seite fasst bis zu ${items} Elemente: Entfernen Sie zuerst eines.`,
    ),
  fullPlace: (pages: number) =>
    t(
      `${pages} own pages are kept there already: remove one first.`,
      `Dort sind schon ${pages} eigene Seiten gespeichert: Löschen Sie zuerst eine.`,
    ),
  renamed: (name: string) =>
    t(
      `Another page has this address there, so this one is now at #/own/${name}.`,
      `Dort hat eine andere Seite diese Adresse; diese hier ist nun unter #/own/${name} zu finden.`,
    ),
  create: t("Create", "Anlegen"),
  edit: t("Edit", "Bearbeiten"),
  editOf: (title: string) => t(`Edit ${title}`, `${title} bearbeiten`),
  done: t("Done", "Fertig"),
  kiosk: t("Show alone", "Allein anzeigen"),
  removePage: t("Remove page", "Seite löschen"),
  removeTitle: (title: string) => t(`Remove the page ${title}?`, `Seite ${title} löschen?`),
  removeHint: {
    device: t("It is gone from this device then.", "Sie ist dann von diesem Gerät gelöscht."),
    console: t(
      "It is gone from all devices of this console then.",
      "Sie ist dann auf allen Geräten dieses Pults gelöscht.",
    ),
  },
  remove: t("Remove", "Löschen"),
  empty: t("There is nothing on this page yet.", "Auf dieser Seite ist noch nichts."),
  items: t("On this page", "Auf dieser Seite"),
  addItem: t("Add", "Hinzufügen"),
  what: t("What", "Was"),
  which: t("Which", "Welches"),
  nothing: t("This console has none of these.", "Davon hat dieses Pult nichts."),
  kinds: {
    strip: t("Strip", "Kanalzug"),
    on: t("ON key", "Taste ON"),
    pfl1: t("PFL 1 key", "Taste PFL 1"),
    pfl2: t("PFL 2 key", "Taste PFL 2"),
    mute: t("Mute group", "Mute-Gruppe"),
    logic: t("Logic", "Logik"),
    list: t("External list", "Externe Liste"),
    levels: t("Level meter", "Pegelmesser"),
    loudness: t("Loudness meter", "Lautheitsmesser"),
    snapshot: t("Snapshot", "Snapshot"),
    channelsnapshot: t("Channel snapshot", "Kanal-Snapshot"),
    processingsnapshot: t("Processing snapshot", "Processing-Snapshot"),
    text: t("Text", "Text"),
  },
  target: t("Loaded to", "Geladen in"),
  asks: t("Ask before it is loaded", "Vor dem Laden nachfragen"),
  text: t("Text", "Text"),
  move: (what: string) =>
    t(
      `Move ${what}: drag it, or use the arrow keys`,
      `${what} verschieben: ziehen oder Pfeiltasten benutzen`,
    ),
  moved: (what: string, place: number, count: number) =>
    t(`${what} is at ${place} of ${count}`, `${what} steht an Stelle ${place} von ${count}`),
  removeItem: (what: string) => t(`Remove ${what}`, `${what} entfernen`),
  unread: t(
    "This item cannot be read here: another program has written it.",
    "Dieses Element lässt sich hier nicht lesen: Ein anderes Programm hat es geschrieben.",
  ),
  unreadShort: t("Unknown item", "Unbekanntes Element"),
  missing: (what: string) =>
    t(`This console has no ${what}.`, `Auf diesem Pult gibt es das nicht: ${what}.`),
  names: {
    strip: (fader: string, mixer: string) =>
      t(`strip ${fader}, ${mixer}`, `Kanalzug ${fader}, ${mixer}`),
    fader: (key: string, fader: string, mixer: string) =>
      t(`${key} of fader ${fader}, ${mixer}`, `${key} von Fader ${fader}, ${mixer}`),
    logic: (name: string) => t(`logic ${name}`, `Logik ${name}`),
    list: (name: string) => t(`external list ${name}`, `externe Liste ${name}`),
    levels: (name: string) => t(`level meter ${name}`, `Pegelmesser ${name}`),
    loudness: (name: string) => t(`loudness meter ${name}`, `Lautheitsmesser ${name}`),
    snapshot: (name: string, mixer: string) => `Snapshot ${name}, ${mixer}`,
    channelsnapshot: (name: string, fader: string, mixer: string) =>
      t(
        `channel snapshot ${name} to ${fader}, ${mixer}`,
        `Kanal-Snapshot ${name} in ${fader}, ${mixer}`,
      ),
    processingsnapshot: (name: string, processing: string) =>
      t(
        `processing snapshot ${name} to ${processing}`,
        `Processing-Snapshot ${name} in ${processing}`,
      ),
    text: (text: string) => t(`text ${text}`, `Text ${text}`),
  },
  momentary: "M",
  shortTerm: "S",
  integrated: "I",
  units: "LUFS",
});
