import { assertEquals } from "@std/assert";
import { errorCodes } from "../../../core/errors.ts";
import type { ReceivedFile } from "../../../transport/intake/multipart.ts";
import {
  file,
  integer,
  label,
  optionalSnapshotName,
  type Reader,
  readParameter,
  snapshotId,
} from "../../../transport/action-api/action-parameters.ts";

const logo: ReceivedFile = { name: "logo.png", bytes: Uint8Array.of(1, 2, 3) };
const fileLeftEmpty: ReceivedFile = { name: "", bytes: new Uint8Array() };

type Values = readonly (string | ReceivedFile)[];

/** What a reader makes of these values of the parameter `P`: the value, or the sentence. */
function read<T>(reader: Reader<T>, values: Values | undefined) {
  const received = new Map(values === undefined ? [] : [["P", values]]);
  const outcome = readParameter(reader, received, "P");
  if ("value" in outcome) return { value: outcome.value };
  assertEquals(outcome.code, errorCodes.invalidParameter);
  return outcome.message;
}

function check<T>(
  reader: Reader<T>,
  table: readonly (readonly [Values | undefined, unknown])[],
) {
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
    [["9007199254740992"], `P: expected an integer within ${range}, got "9007199254740992"`],
    [["-9007199254740993"], `P: expected an integer within ${range}, got "-9007199254740993"`],
    [["9".repeat(400)], `P: expected an integer within ${range}, got "${"9".repeat(40)}"…`],
    [[""], 'P: expected an integer, got ""'],
    [["1.5"], 'P: expected an integer, got "1.5"'],
    [["1e9"], 'P: expected an integer, got "1e9"'],
    [["+1"], 'P: expected an integer, got "+1"'],
    [[" 1"], 'P: expected an integer, got " 1"'],
    [["1\n"], 'P: expected an integer, got "1\\n"'],
    [["0x10"], 'P: expected an integer, got "0x10"'],
    [["١"], 'P: expected an integer, got "١"'],
    [["abc"], 'P: expected an integer, got "abc"'],
    [["1\0"], 'P: expected an integer, got "1\\u0000"'],
    [["😀"], 'P: expected an integer, got "😀"'],
    [["Infinity"], 'P: expected an integer, got "Infinity"'],
    [[logo], "P: expected an integer, got a file"],
    [["1", "1"], "P: expected it once, it came 2 times"],
    [undefined, "P: expected an integer, it is missing"],
  ]);
});

Deno.test("a file comes in a multipart body, once", () => {
  const expected = "a file in a multipart/form-data body";
  const named: ReceivedFile = { name: "empty.png", bytes: new Uint8Array() };
  const unnamed: ReceivedFile = { name: "", bytes: Uint8Array.of(1) };
  check(file("any file", (value) => ({ value })), [
    [[logo], { value: logo }],
    [[named], { value: named }],
    [[unnamed], { value: unnamed }],
    [[fileLeftEmpty], `P: expected ${expected}, it is missing`],
    [["abc"], `P: expected ${expected}, got "abc"`],
    [[logo, logo], "P: expected it once, it came 2 times"],
    [undefined, `P: expected ${expected}, it is missing`],
  ]);
});

Deno.test("names are case-sensitive", () => {
  const received = new Map([["objectid", ["1"]]]);
  assertEquals(readParameter(integer, received, "ObjectID"), {
    code: errorCodes.invalidParameter,
    message: "ObjectID: expected an integer, it is missing",
    parameter: "ObjectID",
  });
});

Deno.test("a label has at most 128 characters, none a control character, and is stored in NFC", () => {
  check(label, [
    [[""], { value: "" }],
    [["e\u0301 😀"], { value: "é 😀" }],
    [["😀".repeat(128)], { value: "😀".repeat(128) }],
    [["e\u0301".repeat(128)], { value: "é".repeat(128) }],
    [["x".repeat(129)], "P: expected at most 128 characters, got 129"],
    [["a\0b"], 'P: expected text without control characters, got "a\\u0000b"'],
    [["\u0085"], 'P: expected text without control characters, got "\\u0085"'],
    [[logo], "P: expected text, got a file"],
    [["a", "a"], "P: expected it once, it came 2 times"],
    [undefined, "P: expected text, it is missing"],
  ]);
});

Deno.test("a snapshot's name may be left out, and has at most 64 characters", () => {
  check(optionalSnapshotName, [
    [undefined, { value: undefined }],
    [["é".repeat(64)], { value: "é".repeat(64) }],
    [["é".repeat(65)], "P: expected at most 64 characters, got 65"],
    [["a\nb"], 'P: expected text without control characters, got "a\\nb"'],
    [["a", "b", "a"], "P: expected it once, it came 3 times"],
  ]);
});

Deno.test("a SnapshotID is 1 to 65535, and 0 where the default snapshot is meant", () => {
  check(snapshotId(0), [
    [["0"], { value: 0 }],
    [["65535"], { value: 65535 }],
    [["-1"], "P: expected an integer from 0 to 65535, got -1"],
    [["65536"], "P: expected an integer from 0 to 65535, got 65536"],
  ]);
  check(snapshotId(1), [
    [["1"], { value: 1 }],
    [["0"], "P: expected an integer from 1 to 65535, got 0"],
    [["1.0"], 'P: expected an integer, got "1.0"'],
    [undefined, "P: expected an integer, it is missing"],
  ]);
});
