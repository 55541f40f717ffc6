/**
 * How deep JSON nests: what walks a value from outside must know that it ends.
 *
 * @module
 */

/** Whether a JSON value nests deeper than so many levels. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => nestsDeeper(inner, levels - 1));
}
