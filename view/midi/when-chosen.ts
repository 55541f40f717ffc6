/**
 * MIDI controllers, of which nothing is loaded before somebody chooses them.
 *
 * @module
 */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { midi } from "../state/preferences.ts";

const loaded = signal<FunctionComponent | undefined>(undefined);

/** What the choices show of controllers, once that is loaded. */
export const midiChoice: ReadonlySignal<FunctionComponent | undefined> = loaded;

/** Loads the controllers as soon as they are chosen. */
export function loadMidiWhenChosen(): void {
  const stop = effect(() => {
    if (midi.chosen.value === "off") return;
    import("./midi.tsx").then(({ begin, MidiChoice }) => {
      if (loaded.peek() !== undefined) return;
      loaded.value = MidiChoice;
      stop();
      begin();
    }, () => {}); // Without the console nothing is loaded: at the next load of the page it is.
  });
}
