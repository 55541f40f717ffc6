/**
 * Icons: line drawings on a 24 × 24 grid, in the colour of the text beside them.
 *
 * @module
 */

/** Each icon as one path. */
const PATHS = {
  mixer: "M6 3v18M12 3v18M18 3v18M3.5 14h5M9.5 8h5M15.5 12h5",
  snapshots: "M4 7h4l2-2h4l2 2h4v12H4zM12 16a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
  lists: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
  own: "M4 4h7v9H4zM13 4h7v5h-7zM4 15h7v5H4zM13 11h7v9h-7z",
  pictures: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01",
  console: "M4 6h10M18 6h2M4 12h3M11 12h9M4 18h8M16 18h4M14 4v4M7 10v4M12 16v4",
  meters: "M5 20V10M10 20V4M15 20v-7M20 20V7",
  plots: "M4 4v16h16M7 15l4-5 3 3 5-7",
  admin: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  unlock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.7-1.5",
  settings: "M12 5h.01M12 12h.01M12 19h.01",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20a7.5 7.5 0 0 1 15 0",
  exit: "M11 4H5v16h6M10 12h10M16 8l4 4-4 4",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  close: "M6 6l12 12M18 6L6 18",
  eye: "M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  plus: "M12 5v14M5 12h14",
  check: "M5 12.5l4.5 4.5L19 7",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  edit: "M4 20h4L19 9l-4-4L4 16z",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  wide: "M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H8",
  left: "M15 5l-7 7 7 7",
  phone: "M8 3h8v18H8zM11 18h2",
  right: "M9 5l7 7-7 7",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon, hidden from screen readers: its meaning has to be in a text beside it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
