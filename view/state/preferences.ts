/**
 * The user's choices for this device: looks and language. They are kept on the device, and are not
 * sent to the console.
 *
 * @module
 */
import { effect, type Signal, signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

/** A choice: its signal, and its options. */
export interface Preference<Choice extends string> {
  readonly choices: readonly Choice[];
  readonly chosen: Signal<Choice>;
}

/** The colours. */
export const theme = preference("theme", ["dark", "light"], "dark");

/** `high` for lines and texts with more contrast. */
export const contrast = preference(
  "contrast",
  ["normal", "high"],
  matchMedia("(prefers-contrast: more)").matches ? "high" : "normal",
);

/** The language of the texts. */
export const language = preference(
  "language",
  ["en", "de"],
  navigator.language.startsWith("de") ? "de" : "en",
);

/** Whether a fader jumps to the touched place, or moves from where it stands. */
export const touch = preference("touch", ["relative", "jump"], "relative");

/** Whether MIDI controllers of this device operate the page. */
export const midi = preference("midi", ["off", "on"], "off");

effect(() => {
  const { dataset } = document.documentElement;
  dataset.theme = theme.chosen.value;
  dataset.contrast = contrast.chosen.value;
  document.documentElement.lang = language.chosen.value;
});

function preference<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  initial: Choice,
): Preference<Choice> {
  const known = kept("localStorage", name);
  const chosen = signal(choices.find((choice) => choice === known) ?? initial);
  chosen.subscribe((choice) => {
    // The initial choice is stored only in place of another one: until then the browser may ask
    // for another language or contrast.
    const isToKeep = choice !== initial || kept("localStorage", name) !== undefined;
    if (isToKeep) keep("localStorage", name, choice);
  });
  return { choices, chosen };
}
