/**
 * The pages of a list as this screen can show them. Nothing scrolls here, for what scrolls cannot
 * tell at once whether a finger presses: a page that does not fit is shown in parts.
 *
 * @module
 */

/** The buttons that are shown at one time: a page of the list, or a part of it. */
export interface Screen {
  /** As the list counts its pages, from 0. */
  readonly page: number;
  /** The buttons, by their index in the list. */
  readonly entries: readonly number[];
}

/** Returns the screens of a list, of which each has at most `capacity` buttons. */
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

/** The least size of a button, in pixels, with the gap beside it. */
const BUTTON = { width: 104, height: 60 };

/** How the buttons of a screen are laid out. */
export interface Layout {
  readonly columns: number;
  readonly rows: number;
}

/** Returns how many buttons fit into an area, in pixels; one in any case. */
export function layoutOf(width: number, height: number): Layout {
  return {
    columns: Math.max(1, Math.floor(width / BUTTON.width)),
    rows: Math.max(1, Math.floor(height / BUTTON.height)),
  };
}

/**
 * Returns how `count` buttons are laid out where `most` fit, as large as they can be: in rows of
 * about the form of the screen, with as many columns as the rows ask for.
 */
export function fitted(count: number, most: Layout): Layout {
  const columns = Math.min(most.columns, Math.max(1, Math.ceil(Math.sqrt(count * 1.5))));
  const rows = Math.ceil(count / columns);
  return rows <= most.rows
    ? { columns, rows }
    : { columns: Math.min(most.columns, Math.ceil(count / most.rows)), rows: most.rows };
}
