/**
 * The icons that an own page may have.
 *
 * @module
 */
/** Those of the icons of the view that say what a page is for; the first is that of a new page. */
export const ICONS = [
  "own",
  "mixer",
  "lists",
  "snapshots",
  "plots",
  "console",
  "user",
] as const;

/** An icon of an own page. */
export type PageIcon = typeof ICONS[number];
