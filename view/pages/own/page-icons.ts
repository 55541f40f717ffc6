/**
 * The icons that an own page may have.
 *
 * @module
 */
/** The icons of the view that show the purpose of a page; the first is the icon of a new page. */
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
