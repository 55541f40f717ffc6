/**
 * Notices that the page shows for some time, such as refusals of the console with their reasons.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";

/** A shown notice. */
export interface Notice {
  readonly id: number;
  readonly text: string;
}

/** Time in ms for which a notice is shown unless it is dismissed. */
const SHOWN_MS = 8000;

/** Time in ms within which the same text is no further notice: a held key repeats its refusal. */
const REPEATED_MS = 1000;

/** Maximum number of shown notices; a further one replaces the oldest. */
const MOST = 4;

const shown = signal<readonly Notice[]>([]);
let lastId = 0;
/** The text of the last notice, until it may be repeated; and the timer of that. */
let latest: string | undefined;
let forgetting: ReturnType<typeof setTimeout> | undefined;

/** The shown notices, the oldest first. */
export const notices: ReadonlySignal<readonly Notice[]> = shown;

/**
 * Shows a notice, in the place of one with the same text: it is read out again. While a text is
 * repeated faster than once a second, its notice stays.
 */
export function notice(text: string): void {
  const others = shown.value.filter((one) => one.text !== text);
  const isRepeated = text === latest && others.length < shown.value.length;
  latest = text;
  clearTimeout(forgetting);
  forgetting = setTimeout(() => latest = undefined, REPEATED_MS);
  if (isRepeated) return;
  const id = ++lastId;
  shown.value = [...others, { id, text }].slice(-MOST);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Dismisses a notice. */
export function dismiss(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id);
}
