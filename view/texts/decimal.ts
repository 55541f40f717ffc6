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

/** Reads a number that people typed, with a comma or a point; NaN for anything else. */
export function typedNumber(text: string): number {
  const plain = text.trim().replace(",", ".");
  return plain === "" ? NaN : Number(plain);
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
