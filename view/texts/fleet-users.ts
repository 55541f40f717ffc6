import type { Choose } from "./choose.ts";

/** The texts of the page of the users of a fleet. */
export const fleetUsersTexts = (t: Choose) => ({
  users: t("Users of the fleet", "Benutzer der Flotte"),
  you: t("you", "Sie"),
  added: (time: string) => t(`added ${time}`, `angelegt ${time}`),
  mays: {
    view: t("view", "Ansehen"),
    press: t("press list buttons", "Listentasten drücken"),
    operate: t("operate", "Bedienen"),
    configure: t("configure", "Einrichten"),
    admin: t("admin", "Administrator"),
  },
  onAll: (right: string) => t(`${right} on all consoles`, `${right} auf allen Pulten`),
  atSite: (right: string, site: string) =>
    t(`${right} at site ${site}`, `${right} am Standort ${site}`),
  onConsole: (right: string, name: string) => t(`${right} on ${name}`, `${right} auf ${name}`),
  elsewhere: (right: string) => t(`${right} elsewhere`, `sonst ${right}`),
  noneElsewhere: t("no right elsewhere", "sonst kein Recht"),
  add: t("Add a user", "Benutzer anlegen"),
  change: (name: string) => t(`Change ${name}`, `${name} ändern`),
  removeName: (name: string) => t(`Remove ${name}`, `${name} entfernen`),
  removeQuestion: t(
    "All connections of this user are closed at once, on all hubs. Commands of this user that " +
      "still wait for a console are refused. The token is never valid again.",
    "Alle Verbindungen dieses Benutzers werden sofort getrennt, auf allen Hubs. Seine Befehle, die " +
      "noch auf ein Pult warten, werden abgelehnt. Das Token gilt nie wieder.",
  ),
  removeYou: t(
    "This is you: you are logged out, and cannot undo it. ",
    "Das sind Sie: Sie werden abgemeldet und können es nicht rückgängig machen. ",
  ),
  demoteYou: t(
    "This is you: without the right admin you lose this page, and cannot undo it.",
    "Das sind Sie: Ohne das Recht Administrator verlieren Sie diese Seite und können es nicht " +
      "rückgängig machen.",
  ),
  name: t("Name", "Name"),
  nameHint: t("Letters, digits, and . _ @ -", "Buchstaben, Ziffern und . _ @ -"),
  may: t("On all consoles", "Auf allen Pulten"),
  mayHint: t(
    "As far as each console allows. Below, the right for a console counts before that for its site.",
    "Soweit jedes Pult es zulässt. Ein Recht für ein Pult gilt vor dem für seinen Standort.",
  ),
  none: t("no right", "kein Recht"),
  rights: t("Rights at sites and on consoles", "Rechte an Standorten und auf Pulten"),
  place: (number: number) => t(`Site or console ${number}`, `Standort oder Pult ${number}`),
  right: (number: number) => t(`Right ${number}`, `Recht ${number}`),
  choose: t("Choose …", "Auswählen …"),
  sites: t("Sites", "Standorte"),
  addRight: t("Add a right", "Recht hinzufügen"),
  removeRight: (number: number) => t(`Remove right ${number}`, `Recht ${number} entfernen`),
  noRight: t(
    "Give at least one right. To take all of them, remove the user.",
    "Geben Sie mindestens ein Recht. Um alle zu nehmen, entfernen Sie den Benutzer.",
  ),
  save: t("Save", "Speichern"),
  tokenOf: (name: string) => t(`Token of ${name}`, `Token von ${name}`),
  tokenOnce: (url: string) =>
    t(
      `It is shown only this once: nobody can ask for it again. The user logs in with it at ${url}.`,
      "Es wird nur dieses eine Mal angezeigt und lässt sich nicht wieder abrufen. Der Benutzer " +
        `meldet sich damit an: ${url}.`,
    ),
});
