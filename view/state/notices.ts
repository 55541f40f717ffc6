/**
 * Sentences that the page shows for some time: what the console refused, and why.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";

/** A sentence that is shown. */
export interface Notice {
  readonly id: number;
  readonly text: string;
}

/** How long a notice is shown, in ms, unless it is put away. */
const SHOWN_MS = 8000;

/** Maximum number of notices shown; the oldest gives way. */
const MOST = 4;

const shown = signal<readonly Notice[]>([]);
let lastId = 0;

/** What is shown now, the oldest first. */
export const notices: ReadonlySignal<readonly Notice[]> = shown;

/** Shows a sentence; one that is shown already stays instead. */
export function notice(text: string): void {
  const others = shown.value.filter((one) => one.text !== text);
  const id = ++lastId;
  shown.value = [...others, { id, text }].slice(-MOST);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Puts a notice away. */
export function dismiss(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id);
}
