/**
 * The number of meters that fit on the page, and the number of their rows.
 *
 * @module
 */

/** Minimum width of a meter, in CSS pixels. */
const NARROWEST = 84;

/** Minimum height of a meter if there are several rows, in CSS pixels. */
const LOWEST = 320;

/** The layout of the meters of a page. */
export interface Layout {
  readonly columns: number;
  readonly rows: number;
  /** The number of pages that all meters take. */
  readonly pages: number;
}

/** Lays a number of meters out in a width and a height, in CSS pixels. */
export function layoutOf(meters: number, width: number, height: number): Layout {
  const widest = Math.max(1, Math.floor(width / NARROWEST));
  const highest = Math.max(1, Math.floor(height / LOWEST));
  const rows = Math.min(highest, Math.max(1, Math.ceil(meters / widest)));
  const pages = Math.max(1, Math.ceil(meters / (widest * rows)));
  // The meters are spread evenly, so that the last page is not almost empty.
  const columns = Math.max(1, Math.ceil(meters / pages / rows));
  return { columns, rows, pages };
}
