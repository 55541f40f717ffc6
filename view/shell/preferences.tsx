/**
 * The preferences of this device.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Choice } from "../parts/choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { contrast, language, type Preference, theme } from "../state/preferences.ts";
import { texts } from "../texts/texts.ts";

/** Whether the choices are shown. */
export const arePreferencesShown = signal(false);

/** The dialog with the choices of every page, and further ones as its children. */
export function Preferences({ children }: { readonly children?: ComponentChildren }) {
  if (!arePreferencesShown.value) return null;
  const { preferences: own, shell } = texts();
  return (
    <Dialog title={shell.menu} onClose={() => arePreferencesShown.value = false}>
      <PreferenceChoice label={own.theme} of={theme} />
      <PreferenceChoice label={own.contrast} of={contrast} />
      <PreferenceChoice label={own.language} of={language} />
      {children}
    </Dialog>
  );
}

/** The properties of the choice of a preference. */
export interface PreferenceChoiceProps<Item extends string> {
  readonly label: string;
  readonly of: Preference<Item>;
}

/** The choice of one preference. */
export function PreferenceChoice<Item extends keyof ReturnType<typeof names>>(
  { label, of: { choices, chosen } }: PreferenceChoiceProps<Item>,
) {
  const own = names();
  return (
    <Choice
      label={label}
      items={choices}
      chosen={chosen.value}
      textOf={(item) => own[item]}
      onChoose={(item) => chosen.value = item}
    />
  );
}

/** The options, in words. */
function names() {
  return { ...texts().preferences, en: "English", de: "Deutsch" };
}
