/**
 * Parses `multipart/form-data` (RFC 7578) strictly: every part comes out as it was sent, or the body
 * is refused with a reason.
 *
 * The platform's `Response.formData()` does not do here: Deno's leaves out a part that is cut off or
 * has no name, puts U+FFFD where bytes are no UTF-8, drops a leading U+FEFF, and takes names with
 * `;` apart, all without an error. A label or a picture would change on its way in.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { FORM_BYTES, PIECE_BYTES } from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";

/** A file that came in a form. */
export interface ReceivedFile {
  /** The file's name on the sender's side; it decides nothing. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One part of a form: a field's name, and text or a file. */
export interface Part {
  readonly name: string;
  readonly value: string | ReceivedFile;
}

/** The most parts of a form, and the most parameters of a query. Ours: it bounds the work. */
export const PARTS = 64;

/** The most bytes in the header of a part. Ours too. */
const PART_HEADER_BYTES = 4096;

/** What a look at a line that begins like a boundary costs, in bytes that could be searched meanwhile. */
const LINE_WORK = 64;

const lineEnd = Uint8Array.of(0x0D, 0x0A);
const headerEnd = Uint8Array.of(0x0D, 0x0A, 0x0D, 0x0A);
const twoDashes = Uint8Array.of(0x2D, 0x2D);
const [dash, space, tab, cr, lf] = [0x2D, 0x20, 0x09, 0x0D, 0x0A];

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The parts of a form in their order. `contentType` is the request's, with the boundary. A part
 * with a file name is a file, whose bytes are a view of `bytes`; any other is text in UTF-8, of which
 * there may be {@linkcode FORM_BYTES} in all: the answer echoes it. What stands before the first
 * boundary or after the last is ignored, as the format has it.
 */
export function parseMultipart(contentType: string, bytes: Uint8Array): Part[] | Refusal {
  const parsing = parseMultipartInPieces(contentType, bytes);
  let step = parsing.next();
  while (!step.done) step = parsing.next();
  return step.value;
}

/**
 * {@linkcode parseMultipart} for whoever has more to do meanwhile: between its pieces it gives how many
 * bytes, about {@linkcode PIECE_BYTES} at most, the last one had.
 */
export function* parseMultipartInPieces(
  contentType: string,
  bytes: Uint8Array,
): Generator<number, Part[] | Refusal> {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined || mark.length > 70) {
    return malformed("its Content-Type names no boundary of 1 to 70 characters");
  }
  const dashes = utf8.encode(`--${mark}`);
  const parts: Part[] = [];
  let textBytes = FORM_BYTES;
  let before = yield* findBoundary(bytes, dashes, 0);
  if (before === undefined) return malformed(`the boundary ${shown(`--${mark}`)} is not in it`);
  while (!before.closes) {
    const after: Boundary | undefined = yield* findBoundary(bytes, dashes, before.end);
    if (after === undefined) return malformed("it is cut off: the last boundary is missing");
    const part = readPart(bytes.subarray(before.end, after.start), textBytes);
    if (isRefusal(part)) return part;
    if (typeof part.value === "string") textBytes -= after.start - before.end;
    if (parts.push(part) > PARTS) return malformed(`it has more than ${PARTS} parts`);
    before = after;
  }
  return parts;
}

interface Boundary {
  /** Where the content before it ends, and the content after it begins. */
  readonly start: number;
  readonly end: number;
  readonly closes: boolean;
}

/** The first boundary line at or after byte `from`, which is where a line begins. */
function* findBoundary(
  bytes: Uint8Array,
  dashes: Uint8Array,
  from: number,
): Generator<number, Boundary | undefined> {
  let start = from;
  let line = from;
  let work = 0;
  while (true) {
    if (standsAt(bytes, line, dashes)) {
      work += LINE_WORK;
      let at = line + dashes.length;
      const closes = standsAt(bytes, at, twoDashes);
      for (; bytes[at] === space || bytes[at] === tab; at++) {
        if (++work < PIECE_BYTES) continue;
        yield work;
        work = 0;
      }
      if (closes || standsAt(bytes, at, lineEnd)) {
        yield work;
        return { start, end: at + 2, closes };
      }
    }
    start = -1;
    for (let piece = line; start < 0; piece += PIECE_BYTES) {
      if (piece >= bytes.length) return undefined;
      // A line that begins in a piece may end behind it.
      const until = piece + PIECE_BYTES + lineEnd.length + twoDashes.length;
      start = findLine(bytes, dashes, piece, Math.min(until, bytes.length));
      work += start < 0 ? PIECE_BYTES : start - piece;
      if (work < PIECE_BYTES) continue;
      yield work;
      work = 0;
    }
    line = start + lineEnd.length;
  }
}

/**
 * Where the next line that begins with `dashes` has its CR LF before it, the first four bytes of both
 * between `from` and `until`, or -1. The fourth byte of CR LF `-` `-` is looked at first: what it and
 * the one before are tells how many bytes can be skipped, which keeps the search to about 2 ms for 1 MiB
 * of the worst content.
 */
function findLine(bytes: Uint8Array, dashes: Uint8Array, from: number, until: number): number {
  for (let fourth = from + 3; fourth < until;) {
    const byte = bytes[fourth];
    const before = bytes[fourth - 1];
    if (byte === dash) {
      if (before === dash && bytes[fourth - 2] === lf && bytes[fourth - 3] === cr) {
        let same = twoDashes.length;
        while (same < dashes.length && bytes[fourth - 1 + same] === dashes[same]) same++;
        if (same === dashes.length) return fourth - 3;
      }
      fourth += before === lf ? 1 : 4;
    } else if (byte === lf) fourth += before === cr ? 2 : 4;
    else fourth += byte === cr ? 3 : 4;
  }
  return -1;
}

/** A part with its header; one of text may have `textBytes` with it. */
function readPart(bytes: Uint8Array, textBytes: number): Part | Refusal {
  const end = find(bytes.subarray(0, PART_HEADER_BYTES), headerEnd);
  if (end < 0) return malformed(`a part has no header, or one of over ${PART_HEADER_BYTES} bytes`);
  const header = decoded(bytes.subarray(0, end));
  if (header === undefined) return malformed("a part's header is not UTF-8");
  const names = readDisposition(header);
  if (names === undefined) {
    return malformed(`a part has no Content-Disposition: form-data with a name: ${shown(header)}`);
  }
  const { name, filename } = names;
  if (/^content-transfer-encoding:\s*(base64|quoted-printable)/im.test(header)) {
    return malformed(`${shown(name)} has a Content-Transfer-Encoding; none is expected`);
  }
  const content = bytes.subarray(end + headerEnd.length);
  if (filename !== undefined) return { name, value: { name: filename, bytes: content } };
  if (bytes.length > textBytes) {
    return malformed(`with ${shown(name)} its fields have over ${FORM_BYTES} bytes, files aside`);
  }
  const text = decoded(content);
  return text === undefined ? malformed(`${shown(name)} is not UTF-8`) : { name, value: text };
}

/** The names in `Content-Disposition: form-data; name="…"; filename="…"`. */
function readDisposition(header: string): { name: string; filename?: string } | undefined {
  const disposition =
    /^content-disposition:[ \t]*form-data[ \t]*(;[^\r\n]*)?$/im.exec(header)?.[1] ?? "";
  const members = new Map<string, string>();
  // A quote inside a quoted name comes as %22, or as \" from older clients.
  for (const [, key, quoted, bare] of disposition.matchAll(memberPattern)) {
    members.set(key!.toLowerCase(), quoted?.replaceAll('\\"', '"') ?? bare!.trim());
  }
  const name = members.get("name");
  if (name === undefined) return undefined;
  const filename = members.get("filename") ?? members.get("filename*");
  const unescaped = (text: string) =>
    text.replace(/%(0D|0A|22)/gi, (escape) => decodeURIComponent(escape));
  return filename === undefined
    ? { name: unescaped(name) }
    : { name: unescaped(name), filename: unescaped(filename) };
}

const memberPattern = /;[ \t]*([\w*-]+)=(?:"((?:\\"|[^"])*)"|([^";]*))/g;

function find(bytes: Uint8Array, pattern: Uint8Array): number {
  let at = bytes.indexOf(pattern[0]!);
  while (at >= 0 && !standsAt(bytes, at, pattern)) at = bytes.indexOf(pattern[0]!, at + 1);
  return at;
}

function standsAt(bytes: Uint8Array, at: number, pattern: Uint8Array): boolean {
  for (let index = 0; index < pattern.length; index++) {
    if (bytes[at + index] !== pattern[index]) return false;
  }
  return true;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function malformed(what: string): Refusal {
  return refuse("malformed", `the multipart/form-data body is malformed: ${what}`);
}
