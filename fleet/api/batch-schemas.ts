/**
 * Schemas of parameters and results of the RPC methods for batches.
 *
 * @module
 */
import * as v from "valibot";
import type { Json } from "../../core/json.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { flag, numberResult, textResult, treePath } from "../../transport/schemas.ts";
import { OUTCOMES } from "../commands/command.ts";
import { CONSOLE_STATES } from "../hub/hub-core.ts";
import { FLEET_ID, FLEET_ID_FORM } from "../wire.ts";
import { consoleId } from "./schemas.ts";

/** The id of a batch. */
export const batchId = v.pipe(
  v.string(FLEET_ID_FORM),
  v.regex(FLEET_ID, FLEET_ID_FORM),
  v.description(`id of a batch: ${FLEET_ID_FORM}`),
);

/** Maximum number of characters of a pattern. */
const PATTERN_CHARACTERS = 128;

/** Maximum number of characters of the name of an RPC method. */
const METHOD_CHARACTERS = 64;

function pattern(description: string) {
  const expected = `text of at most ${PATTERN_CHARACTERS} characters`;
  return v.optional(v.pipe(
    v.string(expected),
    v.maxLength(PATTERN_CHARACTERS, expected),
    v.description(`${description}; * stands for any characters`),
  ));
}

/** The selection of the consoles of a batch. */
export const selection = v.pipe(
  v.strictObject(
    {
      ids: v.optional(v.pipe(v.array(consoleId), v.description("ids of consoles"))),
      site: pattern("site"),
      name: pattern("name of a console"),
      label: pattern("label of a fader that the console has"),
      version: pattern("version of faderd"),
      state: v.optional(v.picklist(CONSOLE_STATES, CONSOLE_STATES.join(", "))),
      drift: v.optional(v.pipe(
        v.string("the name of a template"),
        v.description("name of a template of the console's model from which it differs"),
      )),
      all: v.optional(flag("all consoles")),
    },
    "ids, site, name, label, version, state, drift or all",
  ),
  v.description("selects the consoles of which all that is given holds"),
);

/** A value of JSON. */
export const json = v.custom<Json>((value) => value !== undefined, "a value");

/** The request that each console of a batch carries out. */
export const batchRequest = v.variant(
  "method",
  [
    v.strictObject({
      method: v.literal("set"),
      path: treePath,
      payload: json,
    }),
    v.strictObject({
      method: v.literal("rpc"),
      payload: v.strictObject({
        // The name appears in the audit trail, and in the tree with the batch.
        method: v.pipe(
          v.string("a string"),
          v.maxLength(METHOD_CHARACTERS, `at most ${METHOD_CHARACTERS} characters`),
          v.description("name of an RPC method of consoles"),
        ),
        params: v.exactOptional(json),
      }),
    }),
  ],
  'a message {"method": "set", "path": …, "payload": …} or {"method": "rpc", "payload": …}',
);

/** The required values, by their paths. */
export const required = v.pipe(
  v.custom<Readonly<Record<string, Json>>>(
    (value) => isBranch(value) && Object.keys(value).length > 0,
    "values by their paths",
  ),
  v.description("values by their paths; a console with another value refuses the request"),
);

/** The facts of a batch. */
export const batchMembers = {
  id: textResult("id of the batch"),
  by: textResult("name of the user"),
  request: textResult("the request in a few words"),
  kind: v.picklist(["live", "kept"]),
  created: textResult("when the hub took it, in ISO 8601 and UTC"),
  expires: textResult("when consoles do not begin it any more, in ISO 8601 and UTC"),
  at: v.exactOptional(textResult("when all begin, in ISO 8601 and UTC")),
  again: v.exactOptional(textResult("id of the batch of which it does again what has failed")),
  consoles: numberResult("number of consoles"),
  state: v.picklist(["running", "settled"]),
  counts: v.pipe(
    v.object(
      Object.fromEntries(OUTCOMES.map((outcome) => [outcome, v.number()])) as {
        readonly [Outcome in typeof OUTCOMES[number]]: v.NumberSchema<undefined>;
      },
    ),
    v.description("number of consoles of each outcome"),
  ),
};
