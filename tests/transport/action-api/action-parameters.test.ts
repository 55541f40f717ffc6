import { assertEquals } from "@std/assert";
import * as v from "valibot";
import { errorCodes, isRefusal } from "../../../core/errors.ts";
import { LABEL_LENGTH } from "../../../core/limits.ts";
import { file, readReceived, snapshotId } from "../../../transport/action-api/action-parameters.ts";
import type { ReceivedFile } from "../../../transport/intake/multipart.ts";
import { integer, snapshotName, text } from "../../../transport/schemas.ts";

const logo: ReceivedFile = { name: "logo.png", bytes: Uint8Array.of(1, 2, 3) };
const empty: ReceivedFile = { name: "empty.png", bytes: new Uint8Array() };
const unnamed: ReceivedFile = { name: "", bytes: Uint8Array.of(1) };
const leftEmpty: ReceivedFile = { name: "", bytes: new Uint8Array() };

const parameters = v.object({
  ObjectID: integer("object"),
  SnapshotID: snapshotId(0),
  Number: snapshotId(1),
  Label: text(LABEL_LENGTH),
  Name: v.optional(snapshotName(0)),
  file: file("any file"),
});
const right = { ObjectID: ["1"], SnapshotID: ["0"], Number: ["1"], Label: [""], file: [logo] };

const anInteger = "expected an integer within ±9007199254740991";
const aNumber = "expected an integer from 0 to 65535";
const aLabel = "expected text of at most 128 characters without control characters";
const aName = "expected text of at most 64 characters without control characters";
const aFile = "expected a file in a multipart/form-data body";
const twice = "expected it once, got it 2 times";

type Given = readonly (string | ReceivedFile)[];

/** The values of a parameter, and the value read from them, or the message of a refusal. */
const table: readonly (readonly [keyof typeof parameters.entries, Given, unknown])[] = [
  ["ObjectID", ["-7"], -7],
  ["ObjectID", ["-0"], 0],
  ["ObjectID", ["007"], 7],
  ["ObjectID", ["-9007199254740991"], -9007199254740991],
  ["ObjectID", ["-9007199254740993"], `${anInteger}, got "-9007199254740993"`],
  ["ObjectID", ["9".repeat(400)], `${anInteger}, got "${"9".repeat(40)}"…`],
  ...["+1", " 1", "1\n", "0x10", "١", "Infinity"]
    .map((text) => ["ObjectID", [text], `${anInteger}, got ${JSON.stringify(text)}`] as const),
  ["ObjectID", [logo], `${anInteger}, got the file "logo.png"`],
  ["SnapshotID", ["65535"], 65535],
  ["SnapshotID", ["-1"], `${aNumber}, got -1`],
  ["SnapshotID", ["65536"], `${aNumber}, got 65536`],
  ["Number", ["0"], "expected an integer from 1 to 65535, got 0"],
  ["Label", ["e\u0301".repeat(128)], "e\u0301".repeat(128)],
  ["Label", ["😀".repeat(128)], "😀".repeat(128)],
  ["Label", ["x".repeat(129)], `${aLabel}, got "${"x".repeat(40)}"…`],
  ["Label", ["\u0085"], `${aLabel}, got "\\u0085"`],
  ["Label", [logo], `${aLabel}, got the file "logo.png"`],
  ["Name", [], undefined],
  ["Name", ["e\u0301".repeat(64)], "é".repeat(64)],
  ["Name", ["é".repeat(65)], `${aName}, got "${"é".repeat(40)}"…`],
  ["Name", ["a", "b"], twice],
  ["file", [empty], empty],
  ["file", [unnamed], unnamed],
  ["file", [leftEmpty], `${aFile}, it is missing`],
];

Deno.test("a parameter of an action is read by its schema, or refused by name", () => {
  for (const [name, given, expected] of table) {
    const received = new Map<string, Given>(Object.entries({ ...right, [name]: given }));
    // Names are case-sensitive.
    received.set(name.toUpperCase() === name ? "x" : name.toUpperCase(), ["x"]);
    const read = readReceived(parameters, received);
    if (!isRefusal(read)) assertEquals(read[name], expected);
    else {assertEquals([read.code, read.message], [
        errorCodes.invalidParameter,
        `${name}: ${expected}`,
      ]);}
  }
});
