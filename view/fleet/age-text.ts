import { ageOf } from "./backup-rows.ts";

/** How long ago an instant in ISO 8601 was, in words, by the clock of the browser. */
export function ageText(instant: string, format: Intl.RelativeTimeFormat): string {
  const [count, unit] = ageOf(Date.now() - Date.parse(instant));
  return format.format(-count, unit);
}
