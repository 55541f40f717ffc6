/**
 * Messages of DNS (RFC 1035) as multicast DNS needs them: questions, and the records of a service.
 *
 * @module
 */

/** The types of records that are asked for or sent. */
export const TYPE = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33, ANY: 255 } as const;

/** A question: a name, its labels with dots between, and a type. */
export interface Question {
  readonly name: string;
  readonly type: number;
}

/** A record that is sent. */
export interface DnsRecord extends Question {
  /** Time in s for which a receiver may keep the record; 0 says goodbye. */
  readonly ttl: number;
  readonly data: Uint8Array;
  /** The name in the data of a PTR or SRV. */
  readonly target?: string;
}

/** The parts of a message that are read. */
export interface DnsMessage {
  readonly isResponse: boolean;
  readonly questions: readonly Question[];
  /** The names of all records in it, except of those that say goodbye. */
  readonly names: readonly string[];
}

const HEADER_BYTES = 12;
/** Flags of a response with authority over its records (QR and AA). */
const RESPONSE = 0x8400;
const IS_RESPONSE = 0x8000;
const INTERNET = 1;
const LABEL_BYTES = 63;
const TEXT_BYTES = 255;
/**
 * Maximum number of labels and pointers in a received message: a message of 64 KiB in which each
 * name leads to the longest one would block the event loop for 0.3 s. A true message has some
 * hundreds.
 */
const STEPS = 1024;
/** The bits that make a byte the first of a pointer to the rest of a name. */
const POINTER = 0xc0;
/** Bytes of a record behind its name and before its data: type, class, TTL, length. */
const RECORD_BYTES = 10;
/** Number of these bytes before the TTL. */
const TTL_AT = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns a PTR record. */
export function pointer(name: string, ttl: number, target: string): DnsRecord {
  return { name, type: TYPE.PTR, ttl, data: Uint8Array.from(bytesOfName(target)), target };
}

/** Returns an SRV record: the port and the host of a service. */
export function location(name: string, ttl: number, port: number, target: string): DnsRecord {
  const priorityAndWeight = [0, 0, 0, 0];
  const data = Uint8Array.of(...priorityAndWeight, ...two(port), ...bytesOfName(target));
  return { name, type: TYPE.SRV, ttl, data, target };
}

/** Returns a TXT record; each entry is `name=value`, of at most 255 bytes. */
export function text(name: string, ttl: number, entries: readonly string[]): DnsRecord {
  const data = Uint8Array.from(entries.flatMap((entry) => prefixed(entry, TEXT_BYTES)));
  return { name, type: TYPE.TXT, ttl, data };
}

/** Returns an A or AAAA record of an address. */
export function address(name: string, ttl: number, address: string): DnsRecord {
  if (!address.includes(":")) {
    return { name, type: TYPE.A, ttl, data: Uint8Array.from(address.split("."), Number) };
  }
  const [before, after] = address.split("::").map((part) => part === "" ? [] : part.split(":"));
  const zeros = Array<string>(8 - before!.length - (after?.length ?? 0)).fill("0");
  const groups = [...before!, ...zeros, ...after ?? []];
  const data = Uint8Array.from(groups.flatMap((group) => two(Number.parseInt(group, 16))));
  return { name, type: TYPE.AAAA, ttl, data };
}

/** Returns the message that asks the questions. */
export function query(questions: readonly Question[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0, 0, questions.length, 0, 0, 0].flatMap(two),
    ...questions.flatMap(({ name, type }) => [...bytesOfName(name), ...two(type), 0, INTERNET]),
  ]);
}

/**
 * Returns the message that answers with records, and adds other records that are likely asked for
 * next.
 */
export function response(
  answers: readonly DnsRecord[],
  additional: readonly DnsRecord[] = [],
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0, RESPONSE, 0, answers.length, 0, additional.length].flatMap(two),
    ...[...answers, ...additional].flatMap(({ name, type, ttl, data }) => [
      ...bytesOfName(name),
      ...[type, INTERNET, ttl >>> 16, ttl & 0xffff, data.length].flatMap(two),
      ...data,
    ]),
  ]);
}

/** Reads a message; undefined if it is damaged, or has more than 1,024 labels and pointers. */
export function readMessage(bytes: Uint8Array): DnsMessage | undefined {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const [flags, asked, answers, authority, additional] = [2, 4, 6, 8, 10]
      .map((at) => view.getUint16(at));
    let at = HEADER_BYTES;
    let steps = STEPS;
    const name = () => {
      const read = readName(bytes, at, steps);
      at = read.end;
      steps = read.stepsLeft;
      return read.name;
    };
    const questions = Array.from({ length: asked! }, () => {
      const question = { name: name(), type: view.getUint16(at) };
      at += 4;
      return question;
    });
    const names: string[] = [];
    for (let left = answers! + authority! + additional!; left > 0; left--) {
      const found = name();
      if (view.getUint32(at + TTL_AT) > 0) names.push(found);
      at += RECORD_BYTES + view.getUint16(at + RECORD_BYTES - 2);
    }
    return { isResponse: (flags! & IS_RESPONSE) !== 0, questions, names };
  } catch (fault) {
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
}

/** Reads a name; throws a RangeError if it is not valid, or takes more than the given steps. */
function readName(
  bytes: Uint8Array,
  start: number,
  steps: number,
): { name: string; end: number; stepsLeft: number } {
  const labels: string[] = [];
  let at = start;
  let end: number | undefined;
  // Pointers may lead in a circle.
  for (let stepsLeft = steps - 1; stepsLeft >= 0; stepsLeft--) {
    const length = bytes[at];
    if (length === undefined) break;
    if (length === 0) return { name: labels.join("."), end: end ?? at + 1, stepsLeft };
    if (length <= LABEL_BYTES) {
      labels.push(decoder.decode(bytes.subarray(at + 1, at + 1 + length)));
      at += 1 + length;
    } else {
      end ??= at + 2;
      at = (length & ~POINTER) << 8 | (bytes[at + 1] ?? 0);
    }
  }
  throw new RangeError("the name has no end");
}

function bytesOfName(name: string): number[] {
  return [...name.split(".").flatMap((label) => prefixed(label, LABEL_BYTES)), 0];
}

/** Returns the number of the bytes of a text and then the bytes, cut off if they are too many. */
function prefixed(text: string, atMost: number): number[] {
  const bytes = encoder.encode(text).subarray(0, atMost);
  return [bytes.length, ...bytes];
}

function two(number: number): number[] {
  return [number >>> 8, number & 0xff];
}
