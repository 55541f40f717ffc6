import type { Choose } from "./choose.ts";

/** The texts of the hand-over of a user to a device, on either side. */
export const handOverTexts = (t: Choose) => ({
  handOver: (name: string) => t(`Hand over ${name}`, `${name} übergeben`),
  handOverByCode: t("Hand over by QR code", "Per QR-Code übergeben"),
  handOverInstead: t(
    "A phone or a tablet logs in with its camera. It gets a token of its own: this one is then no " +
      "longer valid.",
    "Ein Telefon oder Tablet meldet sich mit seiner Kamera an. Es erhält ein eigenes Token: Dieses " +
      "hier wird dann ungültig.",
  ),
  question: t(
    "A device logs in by a QR code or a link, once. It gets a new token: the token that the user " +
      "has now is no longer valid from then on, and its connections are closed.",
    "Ein Gerät meldet sich einmalig per QR-Code oder Link an. Es erhält ein neues Token: Das " +
      "bisherige wird dabei ungültig, und seine Verbindungen werden getrennt.",
  ),
  ownQuestion: t(
    "That is you: this page is logged out, too.",
    "Das sind Sie selbst: Auch diese Seite wird abgemeldet.",
  ),
  make: t("Make the code", "Code erstellen"),
  making: t("The code is made …", "Der Code wird erstellt …"),
  scan: t(
    "Scan the QR code with the camera of the device, or open the link there.",
    "Scannen Sie den QR-Code mit der Kamera des Geräts, oder öffnen Sie dort den Link.",
  ),
  picture: t("QR code of the link", "QR-Code des Links"),
  link: t("Link", "Link"),
  left: (time: string) =>
    t(
      `Valid for ${time}, until it is used or the console restarts.`,
      `Gültig für ${time}, bis zur Benutzung oder bis zum Neustart des Pults.`,
    ),
  used: (name: string) =>
    t(
      `Used: the device has a new token of ${name}.`,
      `Benutzt: Das Gerät hat ein neues Token von ${name}.`,
    ),
  over: t("The code has expired.", "Der Code ist abgelaufen."),
  again: t("Make another one", "Neuen Code erstellen"),
  missed: t(
    "The connection was lost for a while: this page does not know whether the code was used then.",
    "Die Verbindung war unterbrochen: Wurde der Code währenddessen benutzt, ist das hier nicht " +
      "bekannt.",
  ),
  onlyHere: t(
    "This link works on this machine alone. Open the page by the name or the address that the " +
      "console has in the network, and make the code there.",
    "Dieser Link funktioniert nur auf diesem Rechner. Öffnen Sie die Seite unter dem Namen oder " +
      "der Adresse des Pults im Netzwerk, und erstellen Sie den Code dort.",
  ),
  plainHttp: t(
    "This console is reached without encryption: whoever listens in on the network can read the " +
      "token, as at any login.",
    "Die Verbindung zu diesem Pult ist nicht verschlüsselt: Wer im Netzwerk mithört, kann das Token " +
      "lesen, wie bei jeder Anmeldung.",
  ),
  title: t("Log this device in", "Dieses Gerät anmelden"),
  takes: t(
    "You opened a link that logs this device in, once.",
    "Sie haben einen Link geöffnet, der dieses Gerät einmalig anmeldet.",
  ),
  replaces: (name: string) =>
    t(
      `This device is logged in as ${name}; the new login replaces this one.`,
      `Dieses Gerät ist als ${name} angemeldet; diese Anmeldung wird ersetzt.`,
    ),
  noCode: t(
    "The address has no code any more. Open the link again, or scan the QR code again.",
    "Die Adresse enthält keinen Code mehr. Bitte öffnen Sie den Link erneut, oder scannen Sie den " +
      "QR-Code noch einmal.",
  ),
  worthless: t(
    "This code is not valid any more: it was used, it has expired, or the console was restarted. " +
      "Ask for a new one.",
    "Dieser Code gilt nicht mehr: Er wurde schon benutzt, ist abgelaufen, oder das Pult wurde neu " +
      "gestartet. Bitte lassen Sie sich einen neuen geben.",
  ),
  unanswered: t(
    "The console did not answer. Try again.",
    "Das Pult hat nicht geantwortet. Bitte versuchen Sie es erneut.",
  ),
  device: (name: string) => t(`This is ${name}'s device`, `Das ist das Gerät von ${name}`),
  keepQuestion: t(
    "You are logged in. Keep the login on this device, or only until this tab is closed? Keep it " +
      "only on a device that stays where the console is.",
    "Sie sind angemeldet. Soll die Anmeldung auf diesem Gerät gespeichert werden oder nur gelten, " +
      "bis der Tab geschlossen wird? Speichern Sie sie nur auf einem Gerät, das beim Pult bleibt.",
  ),
  keep: t("Keep on this device", "Auf diesem Gerät speichern"),
  notKept: t("Only for this tab", "Nur für diesen Tab"),
});
