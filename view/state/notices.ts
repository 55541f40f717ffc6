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

/** Maximum number of shown notices; a further one replaces the oldest. */
const MOST = 4;

const shown = signal<readonly Notice[]>([]);
let lastId = 0;

/** The shown notices, the oldest first. */
export const notices: ReadonlySignal<readonly Notice[]> = shown;

/** Shows a notice, unless one with the same text is shown already. */
export function notice(text: string): void {
  const others = shown.value.filter((one) => one.text !== text);
  const id = ++lastId;
  shown.value = [...others, { id, text }].slice(-MOST);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Dismisses a notice. */
export function dismiss(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id);
}
