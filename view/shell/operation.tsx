/**
 * The preferences of this device that are about operating a console.
 *
 * @module
 */
import { midiChoice } from "../midi/when-chosen.ts";
import { midi, touch } from "../state/preferences.ts";
import { texts } from "../texts/texts.ts";
import { PreferenceChoice } from "./preferences.tsx";

/** The preferences for touched faders and for controllers. */
export function Operation() {
  const { preferences: own } = texts();
  const Controllers = midiChoice.value;
  return (
    <>
      <PreferenceChoice label={own.touch} of={touch} />
      <PreferenceChoice label={own.midi} of={midi} />
      {midi.chosen.value === "on" && Controllers !== undefined && <Controllers />}
    </>
  );
}
