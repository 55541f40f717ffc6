/**
 * Colours of a button that can be read, whatever colour a list gives it.
 *
 * @module
 */

/** The colours of a button of a list; hexadecimal RRGGBB. */
export interface Coloured {
  readonly color?: string;
  /** Whether `color` is the colour of the background; otherwise it is the colour of the text. */
  readonly background?: boolean;
}

/** Colours in the form of styles; without `ground`, the background is that of the page. */
export interface Colours {
  readonly ground?: string;
  readonly text: string;
}

const BLACK = "#000000";
const WHITE = "#ffffff";

/**
 * The background of buttons, `--raised` of the styles: in the lightest variant of the dark theme,
 * and in the light theme.
 */
const GROUNDS = { dark: "#26292d", light: WHITE } as const;

/** Minimum contrast of text and background (WCAG 2.2, AA). */
const LEAST_CONTRAST = 4.5;

/** Number of steps in which a colour is mixed with white or black. */
const STEPS = 20;

/**
 * Returns the colours of a button; undefined for a button without colours of its own. A background
 * keeps its colour, and the text on it is black or white, whichever has the better contrast: one of
 * them always has enough. A text keeps its colour if it can be read; otherwise it is made lighter
 * or darker until it can be read.
 */
export function coloursOf(
  { color, background }: Coloured,
  theme: keyof typeof GROUNDS,
): Colours | undefined {
  if (color === undefined || !/^[0-9a-f]{6}$/i.test(color)) return undefined;
  const own = `#${color.toLowerCase()}`;
  if (background === true) {
    return { ground: own, text: contrast(own, BLACK) > contrast(own, WHITE) ? BLACK : WHITE };
  }
  const towards = theme === "dark" ? WHITE : BLACK;
  for (let step = 0;; step++) {
    const text = mixed(own, towards, step / STEPS);
    if (step === STEPS || contrast(text, GROUNDS[theme]) >= LEAST_CONTRAST) return { text };
  }
}

/** Returns the contrast of two colours (`#rrggbb`): from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = partsOf(colour).map((part) => {
    const level = part / 255;
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function mixed(colour: string, other: string, share: number): string {
  const others = partsOf(other);
  const parts = partsOf(colour).map((part, at) =>
    Math.round(part + (others[at]! - part) * share).toString(16).padStart(2, "0")
  );
  return `#${parts.join("")}`;
}

function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}
