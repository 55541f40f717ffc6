/**
 * How deep JSON nests: what walks a value from outside must know that it ends.
 *
 * @module
 */

/** Whether a JSON value nests deeper than so many levels. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const member in value) {
    if (nestsDeeper((value as Record<string, unknown>)[member], levels - 1)) return true;
  }
  return false;
}
