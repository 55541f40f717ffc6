import { ageOf } from "./backup-rows.ts";

/** Returns the age of an instant in ISO 8601 in words, by the clock of the browser. */
export function ageText(instant: string, format: Intl.RelativeTimeFormat): string {
  const [count, unit] = ageOf(Date.now() - Date.parse(instant));
  return format.format(-count, unit);
}
