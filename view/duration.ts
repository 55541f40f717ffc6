/**
 * A time as people read it: `12 s`, `3:05 min`, `2:03 h`.
 *
 * @module
 */

/** Writes a duration, given in ms. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)} h`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
