/**
 * The RPC `setextlist` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { setList } from "../../core/lists/set.ts";
import { LABEL_LENGTH } from "../../core/limits.ts";
import { textFault } from "../../core/tree/value.ts";
import { rpcMethod } from "./method.ts";
import { list, resource } from "./parameters.ts";

const label = `text of at most ${LABEL_LENGTH.max} characters without control characters`;
const color = "six hexadecimal digits, RRGGBB";
const flag = v.optional(v.boolean("true or false"));

const entry = v.object({
  label: v.pipe(
    v.string(label),
    v.check((text) => textFault(text, LABEL_LENGTH.max) === undefined, label),
  ),
  background: flag,
  color: v.optional(v.pipe(v.string(color), v.regex(/^[0-9a-f]{6}$/i, color))),
  pagination: flag,
  disabled: flag,
}, "an object");

/** Fills an external list. */
export const setextlist = rpcMethod({
  name: "setextlist",
  summary: "Fill an external list, and show one of its pages. WebSocket only.",
  params: v.object({
    list,
    select: v.optional(resource("page to show, from 0")),
    entries: v.array(entry, "a list of entries"),
  }),
  writes: false,
  run: (console, params, actor) => console.dispatch(setList(params), actor),
});
