import { useMemo } from "preact/hooks";
import { language } from "../state/preferences.ts";

/** Returns the order of names in the language of the page, with numbers by their values. */
export function useCollator(): Intl.Collator {
  const locale = language.chosen.value;
  return useMemo(() => new Intl.Collator(locale, { numeric: true }), [locale]);
}
