/**
 * The strips of a row that are on the screen, and their width.
 *
 * @module
 */

/** The layout of strips in a row. */
export interface RowLayout {
  /** The width of a strip in pixels. */
  readonly stripWidth: number;
  /** Number of strips that fit side by side. */
  readonly perPage: number;
  /** Whether the keys of a strip stand beside its fader, and not below it. */
  readonly isCompact: boolean;
}

/** Minimum and maximum width of a strip, in pixels. */
const NARROWEST = 106;
const NARROWEST_COMPACT = 178;
const WIDEST = 220;

/** Minimum height in pixels of a row that has room for the keys below a fader. */
const LOW = 400;

/** Number of strips beyond each edge that the page already contains before they are scrolled to. */
const AHEAD = 1;

/** Lays out strips in a row of this size, in pixels: as wide as they can be, up to the maximum. */
export function layoutOf(width: number, height: number, strips: number): RowLayout {
  const isCompact = height < LOW;
  const narrowest = isCompact ? NARROWEST_COMPACT : NARROWEST;
  const perPage = Math.max(1, Math.min(strips, Math.floor(width / narrowest)));
  return { stripWidth: Math.min(WIDEST, Math.floor(width / perPage)), perPage, isCompact };
}

/**
 * Returns the index of the first strip that the page has to contain, and the index behind the last.
 */
export function shownStrips(
  { stripWidth }: RowLayout,
  left: number,
  width: number,
  strips: number,
): readonly [number, number] {
  if (stripWidth === 0) return [0, 0];
  const from = Math.max(0, Math.floor(left / stripWidth) - AHEAD);
  return [from, Math.min(strips, Math.ceil((left + width) / stripWidth) + AHEAD)];
}
