import type { Choose } from "./choose.ts";

/** The texts of the MIDI controllers. */
export const midiTexts = (t: Choose) => ({
  missing: t(
    "This browser has no MIDI here. Chromium, Edge and Firefox have it, over HTTPS and on the " +
      "console itself only.",
    "Dieser Browser bietet hier kein MIDI. Chromium, Edge und Firefox bieten es, jedoch nur über " +
      "HTTPS und auf dem Pult selbst.",
  ),
  asking: t(
    "Waiting for the browser, which may ask whether this page may use MIDI.",
    "Der Browser fragt möglicherweise, ob diese Seite MIDI verwenden darf.",
  ),
  refused: t(
    "The browser does not let this page use MIDI. Allow it in the settings of the page.",
    "Der Browser erlaubt dieser Seite kein MIDI. Bitte erlauben Sie es in den Einstellungen der " +
      "Website.",
  ),
  none: t(
    "No controller is connected. A controller is found as soon as it is connected.",
    "Es ist kein Controller angeschlossen. Er wird gefunden, sobald er angeschlossen ist.",
  ),
  hint: t(
    "Tick what speaks Mackie Control. The faders follow each other in this order.",
    "Bitte kreuzen Sie an, was Mackie Control spricht. Die Fader folgen in dieser Reihenfolge " +
      "aufeinander.",
  ),
});
