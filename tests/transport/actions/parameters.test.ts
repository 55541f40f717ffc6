import { assertEquals } from "@std/assert";
import { errorCodes } from "../../../core/errors.ts";
import type { ReceivedFile } from "../../../transport/actions/multipart.ts";
import {
  file,
  integer,
  optional,
  type Reader,
  text,
} from "../../../transport/actions/parameters.ts";

const logo: ReceivedFile = { name: "logo.png", bytes: Uint8Array.of(1, 2, 3) };
const fileLeftEmpty: ReceivedFile = { name: "", bytes: new Uint8Array() };

type Values = readonly (string | ReceivedFile)[];

/** What a reader makes of these values of the parameter `P`: the value, or the sentence. */
function read<T>(reader: Reader<T>, values: Values | undefined) {
  const outcome = reader(new Map(values === undefined ? [] : [["P", values]]), "P");
  if ("value" in outcome) return { value: outcome.value };
  assertEquals(outcome.code, errorCodes.invalidParameter);
  return outcome.message;
}

function check<T>(reader: Reader<T>, table: readonly (readonly [Values | undefined, unknown])[]) {
  for (const [values, expected] of table) assertEquals(read(reader, values), expected);
}

Deno.test("an integer is -?[0-9]+ in the safe range; anything else is an error", () => {
  const range = "±9007199254740991";
  check(integer, [
    [["0"], { value: 0 }],
    [["12"], { value: 12 }],
    [["-7"], { value: -7 }],
    [["-0"], { value: 0 }],
    [["007"], { value: 7 }],
    [["9007199254740991"], { value: 9007199254740991 }],
    [["-9007199254740991"], { value: -9007199254740991 }],
    [["9007199254740992"], `P must be an integer within ${range}, not "9007199254740992"`],
    [["-9007199254740993"], `P must be an integer within ${range}, not "-9007199254740993"`],
    [["9".repeat(400)], `P must be an integer within ${range}, not "${"9".repeat(40)}"…`],
    [[""], 'P must be an integer, not ""'],
    [["1.5"], 'P must be an integer, not "1.5"'],
    [["1e9"], 'P must be an integer, not "1e9"'],
    [["+1"], 'P must be an integer, not "+1"'],
    [[" 1"], 'P must be an integer, not " 1"'],
    [["1\n"], 'P must be an integer, not "1\\n"'],
    [["0x10"], 'P must be an integer, not "0x10"'],
    [["١"], 'P must be an integer, not "١"'],
    [["abc"], 'P must be an integer, not "abc"'],
    [["1\0"], 'P must be an integer, not "1\\u0000"'],
    [["😀"], 'P must be an integer, not "😀"'],
    [["Infinity"], 'P must be an integer, not "Infinity"'],
    [[logo], "P must be an integer, not a file"],
    [["1", "1"], "P came 2 times, not once"],
    [undefined, "P is missing: an integer is expected"],
  ]);
});

Deno.test("text is any text, once", () => {
  check(text, [
    [["News 1"], { value: "News 1" }],
    [[""], { value: "" }],
    [["\0😀"], { value: "\0😀" }],
    [[logo], "P must be text, not a file"],
    [["a", "b", "a"], "P came 3 times, not once"],
    [undefined, "P is missing: text is expected"],
  ]);
});

Deno.test("a file comes in a multipart body, once", () => {
  const expected = "a file in a multipart/form-data body";
  const named: ReceivedFile = { name: "empty.png", bytes: new Uint8Array() };
  const unnamed: ReceivedFile = { name: "", bytes: Uint8Array.of(1) };
  check(file, [
    [[logo], { value: logo }],
    [[named], { value: named }],
    [[unnamed], { value: unnamed }],
    [[fileLeftEmpty], `P is missing: ${expected} is expected`],
    [["abc"], `P must be ${expected}, not "abc"`],
    [[logo, logo], "P came 2 times, not once"],
    [undefined, `P is missing: ${expected} is expected`],
  ]);
});

Deno.test("an optional parameter may be absent, but is not wrong", () => {
  check(optional(integer), [
    [undefined, { value: undefined }],
    [["1"], { value: 1 }],
    [[""], 'P must be an integer, not ""'],
    [["1", "2"], "P came 2 times, not once"],
  ]);
});

Deno.test("names are case-sensitive", () => {
  assertEquals(integer(new Map([["objectid", ["1"]]]), "ObjectID"), {
    code: errorCodes.invalidParameter,
    message: "ObjectID is missing: an integer is expected",
  });
});
