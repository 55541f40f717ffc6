/**
 * Numbers as a language writes them.
 *
 * @module
 */

/**
 * Writes a number with `digits` behind the decimal sign, and never a zero with a minus. Every
 * number with a fraction that people read is written by the function of their language.
 */
export type Decimal = (value: number, digits: number) => string;

/** Makes the writer of a language, such as `de-DE`. */
export function decimalIn(locale: string): Decimal {
  const formats: Intl.NumberFormat[] = [];
  return (value, digits) => {
    formats[digits] ??= new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
      signDisplay: "negative",
    });
    return formats[digits].format(value);
  };
}

/** The factor of each unit that may stand behind a number, by the unit of the value. */
const FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Hz: { "": 1, hz: 1, k: 1000, khz: 1000 },
  dB: { "": 1, db: 1 },
  ms: { "": 1, ms: 1, s: 1000 },
  s: { "": 1, s: 1, ms: 0.001 },
  none: { "": 1, ":1": 1 },
};

/**
 * Reads a number that people typed, with a comma or a point, and in this unit or a multiple of it;
 * NaN for anything else.
 */
export function typedNumber(text: string, unit = "none"): number {
  const plain = text.toLowerCase().replaceAll(/\s/g, "").replace(/^[−–]/, "-").replace(",", ".");
  const [, number, behind] = /^([+-]?(?:∞|[\d.]*))(.*)$/.exec(plain)!;
  const factor = FACTORS[unit]?.[behind!] ?? NaN;
  return number === "" ? NaN : Number(number!.replace("∞", "Infinity")) * factor;
}

/** The properties of a number in the control tree that its text needs. */
interface Written {
  readonly step?: number;
  readonly unit?: string;
}

/** A value with its unit, and as many digits as its step has: `-20.0 dB`, `2.50 kHz`, `200 ms`. */
export function valueText(value: number, { step = 0.01, unit }: Written, decimal: Decimal): string {
  if (unit === "Hz" && value >= 1000) return `${decimal(value / 1000, 2)} kHz`;
  return `${decimal(value, digitsOf(step))}${unit === undefined ? "" : ` ${unit}`}`;
}

/** The number of digits behind the decimal sign that a step needs. */
export function digitsOf(step: number): number {
  return Math.max(0, Math.ceil(-Math.log10(step)));
}
