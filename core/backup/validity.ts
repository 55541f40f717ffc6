/**
 * From when until when a certificate is valid (RFC 5280, 4.1.2.5). It is read by hand, for what reads
 * certificates in full, `node:crypto`, takes 12 MB and 65 ms of an idle service, and Workers lack it.
 *
 * @module
 */

/** Both in ISO 8601 and UTC. */
export interface Validity {
  readonly from: string;
  readonly until: string;
}

/** The tags of ASN.1 that are met on the way. */
const VERSION = 0xa0;
const UTC_TIME = 0x17;

/** A value of ASN.1: where its content is. */
interface Value {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the validity of the first certificate of a PEM text; undefined where there is none that can
 * be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(validityOf("no certificate"), undefined);
 * ```
 */
export function validityOf(pem: string): Validity | undefined {
  const [, base64] = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/.exec(pem) ?? [];
  if (base64 === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const certificate = valueAt(bytes, 0);
    const signed = valueAt(bytes, certificate.start);
    // The version may be left out; the serial number, the algorithm and the issuer never are.
    let member = valueAt(bytes, signed.start);
    for (let left = member.tag === VERSION ? 4 : 3; left > 0; left--) {
      member = valueAt(bytes, member.end);
    }
    const from = valueAt(bytes, member.start);
    return { from: timeOf(bytes, from), until: timeOf(bytes, valueAt(bytes, from.end)) };
  } catch (fault) {
    if (fault instanceof RangeError || fault instanceof DOMException) return undefined;
    throw fault;
  }
}

/** The value that begins at a place; throws a `RangeError` where it does not end in the bytes. */
function valueAt(bytes: Uint8Array, at: number): Value {
  const view = new DataView(bytes.buffer);
  const tag = view.getUint8(at);
  const first = view.getUint8(at + 1);
  // From 0x80 on it is how many bytes the length has.
  const size = first < 0x80 ? 0 : first - 0x80;
  let length = size === 0 ? first : 0;
  for (let place = 0; place < size; place++) length = length * 256 + view.getUint8(at + 2 + place);
  const start = at + 2 + size;
  if (start + length > bytes.length) throw new RangeError("a value ends behind the certificate");
  return { tag, start, end: start + length };
}

/** `YYMMDDHHMMSSZ`, the years from 1950 to 2049, or `YYYYMMDDHHMMSSZ`. */
function timeOf(bytes: Uint8Array, { tag, start, end }: Value): string {
  const text = String.fromCharCode(...bytes.subarray(start, end));
  const century = tag !== UTC_TIME ? "" : text < "50" ? "20" : "19";
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`).toISOString();
}
