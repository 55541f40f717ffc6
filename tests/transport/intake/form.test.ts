import { assert, assertEquals, AssertionError, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { errorCodes, isRefusal } from "../../../core/errors.ts";
import { type Form, readForm, readQuery } from "../../../transport/intake/form.ts";
import { inSteps } from "../../schedulers.ts";

const utf8 = new TextEncoder();

const urlencoded = (text: string): Form => ({
  contentType: "application/x-www-form-urlencoded",
  bytes: utf8.encode(text),
});

const multipart = (...fields: readonly (readonly [name: string, value: string])[]): Form => ({
  contentType: "multipart/form-data; boundary=XX",
  bytes: utf8.encode(
    fields.map(([name, value]) =>
      `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    ).join("") + "--XX--\r\n",
  ),
});

const parse = (form: Form) => inSteps(readForm(form)).result;

/** All received parameters, in order. */
function entries(outcome: ReturnType<typeof readQuery>) {
  if (isRefusal(outcome)) throw new AssertionError(outcome.message);
  return [...outcome];
}

function assertRefused(outcome: ReturnType<typeof readQuery>, expected: string) {
  if (!isRefusal(outcome)) throw new AssertionError(`accepted, but expected: ${expected}`);
  assertEquals(outcome.code, errorCodes.malformed);
  assertStringIncludes(outcome.message, expected);
}

Deno.test("a query is read with its percent-encoding, case-sensitive names and repetitions", () => {
  const table: readonly (readonly [string, [string, string[]][]])[] = [
    ["", []],
    ["?", []],
    ["?ObjectID=1&Name=News%201", [["ObjectID", ["1"]], ["Name", ["News 1"]]]],
    ["Name=a+b%2B&name=c", [["Name", ["a b+"]], ["name", ["c"]]]],
    ["?Name=a&Name=b&Name=a", [["Name", ["a", "b", "a"]]]],
    ["?Name=a=b&Empty=&Bare&&", [["Name", ["a=b"]], ["Empty", [""]], ["Bare", [""]]]],
    ["?N%61me=%F0%9F%98%80%00", [["Name", ["😀\0"]]]],
    ["?Name=%EF%BB%BFx", [["Name", ["\ufeffx"]]]],
    ["?__proto__=1&constructor=2", [["__proto__", ["1"]], ["constructor", ["2"]]]],
  ];
  for (const [query, expected] of table) {
    assertEquals(entries(readQuery(query)), expected, query);
  }
});

Deno.test("GET and both kinds of POST give the same parameters", () => {
  const fields = [["ObjectID", "7"], ["Name", "😀 100% é\0"], ["Name", "again"]] as const;
  const encoded = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const expected: [string, string[]][] = [["ObjectID", ["7"]], ["Name", ["😀 100% é\0", "again"]]];
  assertEquals(entries(readQuery(`?${encoded}`)), expected);
  assertEquals(entries(parse(urlencoded(encoded))), expected);
  assertEquals(entries(parse(multipart(...fields))), expected);
});

Deno.test("a POST without a body has no fields, with any content type", () => {
  for (const contentType of [null, "text/plain", "application/x-www-form-urlencoded"]) {
    assertEquals(entries(parse({ contentType, bytes: new Uint8Array() })), []);
  }
});

Deno.test("a body of another type is refused, and the expected types are named", () => {
  const bytes = utf8.encode("{}");
  for (const contentType of ["application/json", "text/plain;charset=UTF-8", "nonsense"]) {
    const outcome = parse({ contentType, bytes });
    assertRefused(outcome, "must be application/x-www-form-urlencoded or multipart/form-data");
    assertRefused(outcome, `not "${contentType.split(";")[0]}"`);
  }
  assertRefused(parse({ contentType: null, bytes }), "not absent");
  const capital = "Application/X-WWW-Form-URLencoded; charset=UTF-8";
  assertEquals(entries(parse({ contentType: capital, bytes: utf8.encode("a=1") })), [["a", ["1"]]]);
});

Deno.test("wrong percent-encoding is refused, and the parameter is named but not its value", () => {
  for (const value of ["%", "%4", "%zz", "abc%", "%ff", "%c3", "%ed%a0%80", "%u0041"]) {
    const pair = `Token=secret${value}`;
    assertRefused(readQuery(`?ObjectID=1&${pair}`), 'the value of "Token" in the query');
    const outcome = parse(urlencoded(pair));
    assertRefused(outcome, 'the value of "Token" in the body has wrong percent-encoding');
    assert(isRefusal(outcome) && !outcome.message.includes("secret"));
  }
  assertRefused(readQuery("?N%ame=1"), 'the name "N%ame" in the query has wrong percent-encoding');
});

Deno.test("a body that is not UTF-8 is refused", () => {
  const bytes = Uint8Array.of(0x61, 0x3D, 0xE9);
  assertRefused(parse({ ...urlencoded(""), bytes }), "the body is not UTF-8");
});

Deno.test("a malformed multipart body is refused, also an empty one", () => {
  for (const contentType of ["multipart/form-data", "multipart/form-data; boundary=XX"]) {
    assertRefused(parse({ contentType, bytes: new Uint8Array() }), "malformed");
  }
});

Deno.test("more than 64 parameters are refused; none is dropped silently", () => {
  assertEquals(entries(readQuery("?" + "a=1&".repeat(63) + "b=2")).map(([name]) => name), [
    "a",
    "b",
  ]);
  assertRefused(
    readQuery("?" + "a=1&".repeat(64) + "b=2"),
    "the query has more than 64 parameters",
  );
  assertRefused(parse(urlencoded("&".repeat(64) + "b=2")), "the body has more than 64");
});

Deno.test("any query and any body is read or refused", () => {
  const piece = fc.oneof(fc.constantFrom("%", "=", "&", "+", "a", "%41", "%00"), fc.string());
  const anyText = fc.array(piece).map((pieces) => pieces.join(""));
  const anyType = fc.constantFrom(urlencoded("").contentType, multipart().contentType, "", null);
  fc.assert(fc.property(anyText, anyText, anyType, (query, body, contentType) => {
    for (const read of [readQuery(query), parse({ contentType, bytes: utf8.encode(body) })]) {
      assert(isRefusal(read) || read instanceof Map);
    }
  }));
});

Deno.test("a form encoded by the platform is read back", () => {
  const anyPairs = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string()), {
    maxLength: 9,
  });
  fc.assert(fc.property(anyPairs, (pairs) => {
    const expected = new Map<string, string[]>();
    for (const [name, value] of pairs) expected.set(name, [...expected.get(name) ?? [], value]);
    const text = new URLSearchParams(pairs).toString();
    // A pair with an empty name and value is written as "=" and read back as such a pair.
    assertEquals(new Map(entries(readQuery(text))), expected);
  }));
});
