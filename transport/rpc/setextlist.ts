import * as v from "valibot";
import { accessRefusal } from "../../core/lists/change.ts";
import { setList } from "../../core/lists/setextlist.ts";
import { LABEL_LENGTH, LIST_ENTRIES } from "../../core/limits.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { list, numberResult, resource, text } from "../schemas.ts";

const color = "six hexadecimal digits, RRGGBB";
const flag = v.optional(v.boolean("true or false"));

const label = text(LABEL_LENGTH);

/** An entry of an external list. */
export const entry = v.object({
  label,
  background: flag,
  color: v.optional(v.pipe(v.string(color), v.regex(/^[0-9a-fA-F]{6}$/, color))),
  pagination: flag,
  disabled: flag,
}, ({ expected }) => expected === "Object" ? "an object" : label.message as string);

/** Fills an external list. */
export const setextlist = rpcMethod({
  name: "setextlist",
  summary: "Fill an external list, and show one of its pages. WebSocket only.",
  precondition: accessRefusal,
  params: {
    list,
    select: v.optional(resource("page to show, from 0")),
    // The console refuses more entries with 11, not with 3: this maximum is for the published
    // schema. Clients in languages where an empty list is null send null.
    entries: v.nullable(
      v.pipe(v.array(entry, "a list of entries"), v.metadata({ maxItems: LIST_ENTRIES })),
    ),
  },
  result: v.object({
    list,
    select: v.optional(numberResult("page to show, as it was given")),
    entries: v.array(entry),
  }),
  run: (console, params, actor) =>
    console.dispatch(setList({ ...params, entries: params.entries ?? [] }), actor),
});
