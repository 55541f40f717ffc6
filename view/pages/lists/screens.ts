/**
 * The pages of a list as this screen can show them. Nothing scrolls here, because scrollable
 * content cannot tell a press from a scroll at once: a page that does not fit is shown in parts.
 *
 * @module
 */

/** The buttons that are shown at one time: a page of the list, or a part of it. */
export interface Screen {
  /** The number of the page in the list, from 0. */
  readonly page: number;
  /** The buttons, by their index in the list. */
  readonly entries: readonly number[];
}

/** Returns the screens of a list, each with at most `capacity` buttons. */
export function screensOf(
  entries: readonly { readonly _page: number }[],
  capacity: number,
): Screen[] {
  const screens: { page: number; entries: number[] }[] = [];
  entries.forEach(({ _page: page }, entry) => {
    const last = screens.at(-1);
    if (last?.page === page && last.entries.length < capacity) last.entries.push(entry);
    else screens.push({ page, entries: [entry] });
  });
  return screens;
}

/** Minimum size of a button, in pixels, with the gap beside it. */
const BUTTON = { width: 104, height: 60 };

/** The layout of the buttons of a screen. */
export interface Layout {
  readonly columns: number;
  readonly rows: number;
}

/** Returns the columns and rows of buttons that fit into an area, in pixels; at least one each. */
export function layoutOf(width: number, height: number): Layout {
  return {
    columns: Math.max(1, Math.floor(width / BUTTON.width)),
    rows: Math.max(1, Math.floor(height / BUTTON.height)),
  };
}

/**
 * Returns the layout of `count` buttons where `most` fit: if possible, with about 1.5 times as many
 * columns as rows, so that the buttons are as large as possible.
 */
export function fitted(count: number, most: Layout): Layout {
  const columns = Math.min(most.columns, Math.max(1, Math.ceil(Math.sqrt(count * 1.5))));
  const rows = Math.ceil(count / columns);
  return rows <= most.rows
    ? { columns, rows }
    : { columns: Math.min(most.columns, Math.ceil(count / most.rows)), rows: most.rows };
}
