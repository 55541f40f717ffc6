import { assert, assertEquals, AssertionError, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { inSteps } from "../../schedulers.ts";
import { errorCodes, isRefusal } from "../../../core/errors.ts";
import { FORM_BYTES } from "../../../core/limits.ts";
import {
  parseMultipart as parseInSteps,
  type Part,
  PARTS,
  STEP_BYTES,
} from "../../../transport/intake/multipart.ts";

const parseMultipart = (type: string, bytes: Uint8Array) =>
  inSteps(parseInSteps(type, bytes)).result;

const contentType = "multipart/form-data; boundary=XX";
const utf8 = new TextEncoder();

/** A part as clients write it. */
const part = (disposition: string, content: string) =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

const parse = (body: string, type = contentType) => parseMultipart(type, utf8.encode(body));

function assertRefused(outcome: ReturnType<typeof parseMultipart>, expected: string) {
  if (!isRefusal(outcome)) throw new AssertionError(`accepted, but expected: ${expected}`);
  assertEquals(outcome.code, errorCodes.malformed);
  assertStringIncludes(outcome.message, "multipart/form-data");
  assertStringIncludes(outcome.message, expected);
}

Deno.test("text is read from a form as it was sent", () => {
  const endings = ["a\r\nb\r\n", "x--XX--", "a\r\n--XXY"];
  for (const value of ["1", "", "%41%zz+", "x\0y", "😀 é", "\ufeffx", ...endings]) {
    assertEquals(parse(part('name="Name"', value) + "--XX--\r\n"), [{ name: "Name", value }]);
  }
});

Deno.test("names are read in the forms in which clients write them", () => {
  const table: readonly (readonly [string, string, string?])[] = [
    ['name="file"; filename="logo.png"', "file", "logo.png"],
    ["name=file; filename=logo.png", "file", "logo.png"],
    ["name=file ;filename=logo.png ", "file", "logo.png"],
    ['filename="logo.png"; NAME="file"', "file", "logo.png"],
    ['name="file"; filename="a;b=c.png"', "file", "a;b=c.png"],
    ['name="file"; filename="a\\"b.png"', "file", 'a"b.png'],
    ['name="file"; filename="a%22b%0d%0A%41.png"', "file", 'a"b\r\n%41.png'],
    ['name="file"; filename="C:\\logo\\"', "file", "C:\\logo\\"],
    ['name="file"; filename="größe 😀\u2028.png"', "file", "größe 😀\u2028.png"],
    ['name="file"; filename=""', "file", ""],
    ["name=file; filename*=UTF-8''logo.png", "file", "UTF-8''logo.png"],
    ['name="😀"', "😀"],
    ['name="a;b"', "a;b"],
  ];
  for (const [disposition, name, filename] of table) {
    const value = filename === undefined
      ? "content"
      : { name: filename, bytes: utf8.encode("content") };
    assertEquals(parse(part(disposition, "content") + "--XX--"), [{ name, value }], disposition);
  }
});

Deno.test("parts keep their order, also parts of the same name", () => {
  const body = part("name=a", "1") + part("name=b", "2") + part("name=a", "3") + "--XX--";
  assertEquals(parse(body), [
    { name: "a", value: "1" },
    { name: "b", value: "2" },
    { name: "a", value: "3" },
  ]);
});

Deno.test("bytes around the parts, which the format allows, are ignored", () => {
  const expected = [{ name: "a", value: "1" }];
  const one = part("name=a", "1");
  assertEquals(parse(`preamble\r\n${one}--XX--\r\nepilogue`), expected);
  assertEquals(parse(one.replace("--XX", "--XX \t") + "--XX--"), expected);
  assertEquals(parse(one.replace("\r\n", "\r\nContent-Type: text/plain\r\n") + "--XX--"), expected);
  assertEquals(parse("--XX--\r\n"), []);
  for (const type of ['boundary="XX"', "charset=utf-8; Boundary=XX", "boundary=XX; a=b"]) {
    assertEquals(parse(`${one}--XX--`, `Multipart/Form-Data; ${type}`), expected, type);
  }
});

Deno.test("a malformed form is refused with the reason", () => {
  const one = part("name=a", "1");
  const end = "--XX--\r\n";
  const table: readonly (readonly [string, string])[] = [
    ["", 'the boundary "--XX" is not in it'],
    ["hello", 'the boundary "--XX" is not in it'],
    [(one + end).replaceAll("\r\n", "\n"), 'the boundary "--XX" is not in it'],
    [one, "it is cut off"],
    [`${one}--XX`, "it is cut off"],
    [one + part("name=b", "2").slice(0, -2), "it is cut off"],
    [`--XX\r\nContent-Disposition: form-data; name=a\r\n--XX--`, "a part has no header"],
    [`--XX\r\n${end}`, "a part has no header"],
    [part(`name=a; filename="${"x".repeat(4096)}"`, "1") + end, "over 4096 bytes"],
    [part("", "1") + end, "with a name"],
    [part("filename=x", "1") + end, "with a name"],
    [`--XX\r\nContent-Type: text/plain\r\n\r\n1\r\n${end}`, "with a name"],
    [`--XX\r\n\r\n\r\n1\r\n${end}`, "a part has no"],
    [one.replace("form-data", "attachment") + end, "with a name"],
    [one.replace("\r\n", "\r\nContent-Transfer-Encoding: base64\r\n") + end, '"a" has a Content-T'],
    [one.repeat(PARTS + 1) + end, "more than 64 parts"],
  ];
  for (const [body, expected] of table) assertRefused(parse(body), expected);
  assertEquals((parse(one.repeat(PARTS) + end) as Part[]).length, PARTS);
});

Deno.test("a missing boundary is refused", () => {
  const body = part("name=a", "1") + "--XX--";
  for (const type of ["", "; boundary=", '; boundary=""', `; boundary=${"X".repeat(71)}`]) {
    assertRefused(parse(body, `multipart/form-data${type}`), "no boundary of 1 to 70 characters");
  }
});

Deno.test("bytes that are not UTF-8 are refused in text and names, and kept in files", () => {
  const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const parseLatin1 = (body: string) => parseMultipart(contentType, latin1(`${body}--XX--`));
  assertRefused(parseLatin1(part("name=Name", "caf\xe9")), '"Name" is not UTF-8');
  assertRefused(parseLatin1(part("name=Name", "\xed\xa0\x80")), '"Name" is not UTF-8');
  assertRefused(parseLatin1(part('name="\xe9"', "1")), "header is not UTF-8");
  assertEquals(parseLatin1(part("name=file; filename=x", "\x89PNG\r\n\xff\0\r")), [
    { name: "file", value: { name: "x", bytes: latin1("\x89PNG\r\n\xff\0\r") } },
  ]);
});

Deno.test("a form cut anywhere is refused", () => {
  const body = part("name=a", "1") + part("name=file; filename=x", "data") + "--XX--";
  for (let length = 0; length < body.length; length++) {
    assert(isRefusal(parse(body.slice(0, length))), `cut at ${length}`);
  }
  assert(!isRefusal(parse(body)));
});

Deno.test("any bytes are read or refused", () => {
  const part = ["Content-Disposition: form-data", ";name=a"];
  const piece = fc.constantFrom("--XX", "--XX--", "\r\n", "\r", "--", ...part);
  const pieces = fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 20 });
  fc.assert(fc.property(pieces, (pieces) => {
    const outcome = parse(pieces.join(""));
    assert(isRefusal(outcome) || Array.isArray(outcome));
  }));
});

Deno.test("a form written by the platform is read back", async () => {
  // The platform turns single CRs and LFs of names and texts into pairs.
  const anyText = fc.string({ unit: "grapheme", maxLength: 12 })
    .map((text) => text.replace(/[\r\n]/g, ""));
  const anyFile = fc.record({ name: anyText, bytes: fc.uint8Array({ maxLength: 40 }) });
  const anyField = fc.record({ name: anyText, value: fc.oneof(anyText, anyFile) });
  const anyFields = fc.array(anyField, { maxLength: 5 });
  await fc.assert(fc.asyncProperty(anyFields, async (fields) => {
    const form = new FormData();
    for (const { name, value } of fields) {
      if (typeof value === "string") form.append(name, value);
      else form.append(name, new File([new Uint8Array(value.bytes)], value.name));
    }
    const sent = new Response(form);
    const bytes = new Uint8Array(await sent.arrayBuffer());
    assertEquals(parseMultipart(sent.headers.get("content-type")!, bytes), fields);
  }));
});

Deno.test("a name or a file name that ends in a backslash is read unchanged", () => {
  assertEquals(parse(part('name="\\"; filename="C:\\"', "data") + "--XX--"), [
    { name: "\\", value: { name: "C:\\", bytes: utf8.encode("data") } },
  ]);
});

Deno.test("the bytes of a file are kept, also if they look like a boundary", () => {
  const piece = fc.constantFrom("\r", "\n", "-", "--", "\r\n", "\r\n-", "\r\n--", "X", "--X", "a");
  const anyContent = fc.array(piece, { maxLength: 40, size: "max" }).map((some) => some.join(""))
    .filter((content) => !`\r\n${content}\r\n`.includes("\r\n--XX"));
  fc.assert(fc.property(anyContent, (content) => {
    assertEquals(parse(part("name=file; filename=x", content) + "--XX--"), [
      { name: "file", value: { name: "x", bytes: utf8.encode(content) } },
    ]);
  }));
});

/** The bytes of a form with one file, whose content repeats `filler` up to `length` bytes. */
function fileForm(length: number, filler: string): Uint8Array {
  const content = filler.repeat(Math.ceil(length / filler.length)).slice(0, length);
  return utf8.encode(part("name=file; filename=x", content) + "--XX--");
}

/** The only file of a form. */
function fileOf(parts: Part[] | ReturnType<typeof parseMultipart>): Uint8Array {
  if (isRefusal(parts) || typeof parts[0]?.value !== "object") throw new AssertionError("no file");
  return parts[0].value.bytes;
}

Deno.test("a boundary is found at any place around the end of a piece", () => {
  const header = fileForm(0, "a").length;
  const beginnings = ["\r", "\r\n", "\r\n-", "\r\n--", "\r\n--X"];
  const anyFiller = fc.constantFrom(...beginnings, "a", "-", "--X", "\n");
  const anyEnd = fc.integer({ min: -header - 20, max: 20 });
  fc.assert(fc.property(anyEnd, anyFiller, (end, filler) => {
    const bytes = fileForm(STEP_BYTES + end, filler);
    const content = fileOf(parseMultipart(contentType, bytes));
    assertEquals(content.length, STEP_BYTES + end);
    assertEquals(content.byteOffset + content.length + "\r\n--XX--".length, bytes.length);
  }));
});

Deno.test("a large form is searched in steps, with any content", () => {
  const bodies = {
    "a file": fileForm(40 * STEP_BYTES, "a"),
    "line ends": fileForm(40 * STEP_BYTES, "\r"),
    "lines that begin like the boundary": fileForm(40 * STEP_BYTES, "\r\n--XXX"),
    "a boundary with padding": utf8.encode(`--XX${" ".repeat(40 * STEP_BYTES)}\r\n--XX--`),
    "lines that begin like one with padding": fileForm(40 * STEP_BYTES, "\r\n--XX        X"),
    "no boundary": new Uint8Array(40 * STEP_BYTES),
  };
  for (const [name, bytes] of Object.entries(bodies)) {
    const { steps } = inSteps(parseInSteps(contentType, bytes));
    assert(steps >= 40 && steps <= 100, `${name}: ${steps}`);
  }
  assertEquals(fileOf(parseMultipart(contentType, bodies["a file"])).length, 40 * STEP_BYTES);
});

Deno.test("twice as much hostile content takes about twice as many steps", () => {
  const padded = `\r\n--XX${" ".repeat(5000)}`;
  for (const filler of ["\r", "\r\n", "\r\n--", "\r\n--XX ", "\r\n--XX\t\r", padded]) {
    const [one, two] = [1, 2].map((times) =>
      inSteps(parseInSteps(contentType, fileForm(times * 16 * STEP_BYTES, filler))).steps
    );
    assert(two! <= 2 * one! + 2, `${JSON.stringify(filler)}: ${one} and ${two} steps`);
  }
});

Deno.test("fields that are not files may have 64 KiB in all, files any number", () => {
  const field = (length: number) => part("name=Name", "x".repeat(length));
  const around = field(0).length - "--XX\r\n".length - "\r\n".length;
  const half = FORM_BYTES / 2 - around;
  const file = part("name=file; filename=x", "x".repeat(2 * FORM_BYTES));
  assert(!isRefusal(parse(file + field(half) + file + field(half) + "--XX--")));
  assertRefused(
    parse(file + field(half) + file + field(half + 1) + "--XX--"),
    'with "Name" its fields have over 65536 bytes, files aside',
  );
});
