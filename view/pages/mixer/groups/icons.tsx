/**
 * The signs of channels: line drawings on a 24 × 24 grid, in the colour of the text beside them.
 *
 * @module
 */

/** Each sign as one path. */
const PATHS = {
  microphone:
    "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4M8 21h8",
  guest: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M18 8v6M15 11h6",
  host: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20a7.5 7.5 0 0 1 15 0M9.5 20l2.5-4 2.5 4",
  phone:
    "M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z",
  jingle: "M4 5h16v14H4zM10 9v6l5-3z",
  music:
    "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
  line: "M3 12h5l2-6 4 12 2-6h5",
  computer: "M4 5h16v11H4zM9 20h6M12 16v4",
  headphones: "M4 15v-3a8 8 0 0 1 16 0v3M4 15h3v5H5a1 1 0 0 1-1-1zM20 15h-3v5h2a1 1 0 0 0 1-1z",
  speaker: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  remote: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  camera: "M3 7h12v10H3zM15 11l6-3v8l-6-3z",
  mute: "M4 9v6h4l5 4V5L8 9zM16 10l5 5M21 10l-5 5",
} as const;

/** The sign of a muting group, which no channel has. */
type Mute = "mute";

/** The name of a sign. */
export type SignName = Exclude<keyof typeof PATHS, Mute>;

/** The signs, in the order in which they are offered. */
export const SIGNS = Object.keys(PATHS).filter((name) => name !== "mute") as readonly SignName[];

/** Whether this page knows a sign of that name. */
export function isSign(name: string | undefined): name is SignName {
  return SIGNS.includes(name as SignName);
}

/** A sign, hidden from screen readers: its meaning has to be in a text beside it. */
export function SignIcon({ name }: { readonly name: SignName | Mute }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
