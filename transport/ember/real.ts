/**
 * REAL as Ember+ encodes it, which differs from X.690: an exponent and a mantissa of IEEE 754,
 * where the highest bit of the mantissa is the one before the point.
 *
 * @module
 */

const BINARY = 0x80;
const NEGATIVE = 0x40;
const SPECIAL = { infinite: 0x40, negativeInfinite: 0x41, notANumber: 0x42, negativeZero: 0x43 };

const BIAS = 1023;
const SMALLEST_NORMAL = 2 ** -1022;
/** Maximum number of bytes of a mantissa: that of a double has 7, and 8 where it is not trimmed. */
const MANTISSA_BYTES = 8;

/** Returns the content of the REAL of a number. Zero has none. */
export function realBytes(value: number): Uint8Array {
  if (Object.is(value, -0)) return Uint8Array.of(SPECIAL.negativeZero);
  if (value === 0) return new Uint8Array();
  if (Number.isNaN(value)) return Uint8Array.of(SPECIAL.notANumber);
  if (value === Infinity) return Uint8Array.of(SPECIAL.infinite);
  if (value === -Infinity) return Uint8Array.of(SPECIAL.negativeInfinite);
  const { exponent, mantissa } = partsOf(Math.abs(value));
  const isShort = exponent >= -128 && exponent < 128;
  const first = BINARY | (value < 0 ? NEGATIVE : 0) | (isShort ? 0 : 1);
  const exponentBytes = isShort ? [exponent & 0xff] : [exponent >> 8 & 0xff, exponent & 0xff];
  return Uint8Array.from([first, ...exponentBytes, ...bytesOf(mantissa)]);
}

/** Splits a positive finite number; the mantissa is odd. */
function partsOf(value: number): { readonly exponent: number; readonly mantissa: number } {
  const view = new DataView(new ArrayBuffer(8));
  // A denormal number is scaled into the normal range first.
  const shift = value < SMALLEST_NORMAL ? 64 : 0;
  view.setFloat64(0, value * 2 ** shift);
  const high = view.getUint32(0);
  const low = view.getUint32(4);
  const fraction = (high & 0xf_ffff) | 0x10_0000;
  const mantissa = low === 0
    ? fraction / lowestBit(fraction)
    : (fraction * 2 ** 32 + low) / lowestBit(low);
  return { exponent: (high >>> 20) - BIAS - shift, mantissa };
}

function lowestBit(value: number): number {
  return (value & -value) >>> 0;
}

function bytesOf(mantissa: number): number[] {
  const bytes: number[] = [];
  for (let rest = mantissa; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes;
}

/** Returns the number of the content of a REAL; undefined for a form that nobody sends. */
export function realOf(content: Uint8Array): number | undefined {
  const [first] = content;
  if (first === undefined) return 0;
  if ((first & BINARY) === 0) return content.length === 1 ? special(first) : undefined;
  const exponentBytes = (first & 0x03) + 1;
  const mantissaBytes = content.length - 1 - exponentBytes;
  // Only base 2 is read, and an exponent of at most two bytes.
  if ((first & 0x30) !== 0 || exponentBytes > 2) return undefined;
  if (mantissaBytes < 1 || mantissaBytes > MANTISSA_BYTES) return undefined;
  const exponent = exponentBytes === 1
    ? content[1]! << 24 >> 24
    : (content[1]! << 8 | content[2]!) << 16 >> 16;
  let mantissa = 0n;
  for (const byte of content.subarray(1 + exponentBytes)) mantissa = mantissa << 8n | BigInt(byte);
  if (mantissa === 0n) return 0;
  const point = mantissa.toString(2).length - 1;
  const value = scaled(Number(mantissa) / 2 ** point, exponent);
  return (first & NEGATIVE) === 0 ? value : -value;
}

function special(byte: number): number | undefined {
  switch (byte) {
    case SPECIAL.infinite:
      return Infinity;
    case SPECIAL.negativeInfinite:
      return -Infinity;
    case SPECIAL.notANumber:
      return NaN;
    case SPECIAL.negativeZero:
      return -0;
  }
}

/**
 * Multiplies by a power of 2, in two steps, since the power alone may be too small for a number.
 */
function scaled(value: number, exponent: number): number {
  return exponent < -BIAS ? value * 2 ** -BIAS * 2 ** (exponent + BIAS) : value * 2 ** exponent;
}
