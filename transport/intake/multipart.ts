/**
 * Parses `multipart/form-data` (RFC 7578) strictly: every part comes out as it was sent, or the
 * body is refused with a reason.
 *
 * The platform's `Response.formData()` is not suitable: Deno's leaves out a part that is cut off or
 * has no name, puts U+FFFD where bytes are not UTF-8, drops a leading U+FEFF, and splits names at
 * `;`, all without an error. A label or a picture would change on its way in.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { FORM_BYTES } from "../../core/limits.ts";
import type { Steps } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";

/** A file that came in a form. */
export interface ReceivedFile {
  /** The file's name on the sender's side; it decides nothing. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Says whether a value is a file. */
export function isFile(value: unknown): value is ReceivedFile {
  return typeof value === "object" && value !== null && "bytes" in value &&
    value.bytes instanceof Uint8Array;
}

/** One part of a form: a field's name, and text or a file. */
export interface Part {
  readonly name: string;
  readonly value: string | ReceivedFile;
}

/** Maximum number of parts of a form, and of parameters of a query. Ours: it bounds the work. */
export const PARTS = 64;

/** Maximum size of the header of a part in bytes. Ours, too. */
const PART_HEADER_BYTES = 4096;

/**
 * Number of bytes that are searched in a step, which takes a few microseconds. The worst case,
 * content that consists of line ends only, takes 0.5 ms.
 */
export const STEP_BYTES = 16 * 1024;

const LINE_END = Uint8Array.of(0x0D, 0x0A);
const HEADER_END = Uint8Array.of(0x0D, 0x0A, 0x0D, 0x0A);
const TWO_DASHES = Uint8Array.of(0x2D, 0x2D);
const CR = 0x0D;
const SPACE = 0x20;
const TAB = 0x09;

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads the parts of a form in their order. `contentType` is the request's, with the boundary. A
 * part with a file name is a file, whose bytes are a view of `bytes`; any other is text in UTF-8.
 * All texts together, with their headers, may have at most {@linkcode FORM_BYTES}, because the
 * answer echoes them. Bytes before the first boundary or after the last are ignored, as the format
 * requires.
 */
export function* parseMultipart(contentType: string, bytes: Uint8Array): Steps<Part[] | Refusal> {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined || mark.length > 70) {
    return malformed("its Content-Type names no boundary of 1 to 70 characters");
  }
  const line = utf8.encode(`\r\n--${mark}`);
  const parts: Part[] = [];
  let textBytes = FORM_BYTES;
  let before = yield* findFirstBoundary(bytes, line);
  if (before === undefined) return malformed(`the boundary ${shown(`--${mark}`)} is not in it`);
  while (!before.closes) {
    // The line end after a boundary may also be the line end before the next one.
    const after: Boundary | undefined = yield* findBoundary(
      bytes,
      line,
      before.end - LINE_END.length,
    );
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
  /**
   * Offsets: `start` is where the content before it ends, `end` where the content after it begins.
   */
  readonly start: number;
  readonly end: number;
  readonly closes: boolean;
}

/**
 * Finds the first boundary of a form, which needs no line end before it where the form begins with
 * it.
 */
function* findFirstBoundary(bytes: Uint8Array, line: Uint8Array): Steps<Boundary | undefined> {
  const dashes = line.subarray(LINE_END.length);
  const first = standsAt(bytes, 0, dashes) ? yield* readBoundary(bytes, 0, dashes) : undefined;
  return first ?? (yield* findBoundary(bytes, line, 0));
}

/**
 * Finds the first boundary at or after byte `from`; `line` is its beginning, from the line end
 * before it on.
 */
function* findBoundary(
  bytes: Uint8Array,
  line: Uint8Array,
  from: number,
): Steps<Boundary | undefined> {
  for (let step = from; step < bytes.length; step += STEP_BYTES) {
    const searched = bytes.subarray(0, step + STEP_BYTES + line.length);
    for (let at = find(searched, line, step); at >= 0; at = find(searched, line, at + 1)) {
      const boundary = yield* readBoundary(bytes, at, line);
      if (boundary !== undefined) return boundary;
    }
    yield;
  }
}

/**
 * Reads the boundary whose `line` stands at byte `start`; undefined if other text follows `line`
 * there.
 */
function* readBoundary(
  bytes: Uint8Array,
  start: number,
  line: Uint8Array,
): Steps<Boundary | undefined> {
  let end = start + line.length;
  if (standsAt(bytes, end, TWO_DASHES)) return { start, end, closes: true };
  for (; bytes[end] === SPACE || bytes[end] === TAB; end++) if (end % STEP_BYTES === 0) yield;
  return standsAt(bytes, end, LINE_END)
    ? { start, end: end + LINE_END.length, closes: false }
    : undefined;
}

/** Reads a part with its header; if the part is text, both together may have `textBytes`. */
function readPart(bytes: Uint8Array, textBytes: number): Part | Refusal {
  const end = find(bytes.subarray(0, PART_HEADER_BYTES), HEADER_END, 0);
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
  const content = bytes.subarray(end + HEADER_END.length);
  if (filename !== undefined) return { name, value: { name: filename, bytes: content } };
  if (bytes.length > textBytes) {
    return malformed(`with ${shown(name)} its fields have over ${FORM_BYTES} bytes, files aside`);
  }
  const text = decoded(content);
  return text === undefined ? malformed(`${shown(name)} is not UTF-8`) : { name, value: text };
}

/** Reads the names in `Content-Disposition: form-data; name="…"; filename="…"`. */
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

// If a name ends in a backslash, the backslash and the closing quote look like an escaped quote of
// older clients. The quote closes the name if another member follows it, or nothing.
const memberPattern =
  /;[ \t]*([\w*-]+)=(?:"((?:\\"(?![ \t]*(?:$|;[ \t]*[\w*-]+="))|[^"])*)"|([^";]*))/g;

/**
 * Returns the offset of the first `pattern`, which begins with CR, at or after byte `from`; -1 if
 * there is none.
 */
function find(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  let at = bytes.indexOf(CR, from);
  while (at >= 0 && !standsAt(bytes, at, pattern)) at = bytes.indexOf(CR, at + 1);
  return at;
}

function standsAt(bytes: Uint8Array, at: number, pattern: Uint8Array): boolean {
  for (let index = 0; index < pattern.length; index++) {
    if (bytes[at + index] !== pattern[index]) return false;
  }
  return true;
}

/** Decodes bytes as UTF-8; undefined if they are not valid UTF-8. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function malformed(what: string): Refusal {
  return refuse("malformed", `the multipart/form-data body is malformed: ${what}`);
}
