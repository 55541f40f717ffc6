/**
 * The preferences of this device.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { Choice } from "../parts/choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { midiChoice } from "../midi/when-chosen.ts";
import { contrast, language, midi, type Preference, theme, touch } from "../state/preferences.ts";
import { texts } from "../texts/texts.ts";

/** Whether the choices are shown. */
export const arePreferencesShown = signal(false);

/** The dialog with the choices. */
export function Preferences() {
  if (!arePreferencesShown.value) return null;
  const { preferences: own, shell } = texts();
  const Controllers = midiChoice.value;
  const close = () => arePreferencesShown.value = false;
  const names = { ...own, en: "English", de: "Deutsch" };
  const choice = <Item extends keyof typeof names>(
    label: string,
    { choices, chosen }: Preference<Item>,
  ) => (
    <Choice
      label={label}
      items={choices}
      chosen={chosen.value}
      textOf={(item) => names[item]}
      onChoose={(item) => chosen.value = item}
    />
  );
  return (
    <Dialog title={shell.menu} onClose={close}>
      {choice(own.theme, theme)}
      {choice(own.contrast, contrast)}
      {choice(own.language, language)}
      {choice(own.touch, touch)}
      {choice(own.midi, midi)}
      {midi.chosen.value === "on" && Controllers !== undefined && <Controllers />}
    </Dialog>
  );
}
