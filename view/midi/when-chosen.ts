/**
 * MIDI controllers, whose code is loaded only once a user chooses them.
 *
 * @module
 */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { midi } from "../state/preferences.ts";

const loaded = signal<FunctionComponent | undefined>(undefined);

/** The part of the choices for controllers, once it is loaded. */
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
    }, () => {}); // Without the console it cannot be loaded: the next load of the page tries again.
  });
}
