import * as v from "valibot";
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { asFormerLeaf, type Extent, get as getValue } from "../../core/tree/get.ts";
import { type Envelope, pathOf } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";
import { readParameters } from "../parameters.ts";
import { integer } from "../schemas.ts";

const parameters = v.object({
  depth: v.optional(
    integer("Number of levels below the path that are read; a branch deeper down is {}.", {
      min: 0,
    }),
  ),
  only: v.optional(v.pipe(
    v.array(v.string("a string"), "a list of names of members"),
    v.description("The members that are read at the last level; without depth, at the first."),
  )),
  leaf: v.optional(v.pipe(
    v.boolean("true or false"),
    v.description("Whether a branch with one value, such as control/logics/1, is that value."),
  )),
});

/** The level at which `only` chooses members where no `depth` is given. */
const OWN_MEMBERS = 1;

/** Reads a value or a branch of the control tree, or a part of a branch by `depth` and `only`. */
export const get: Method = {
  parameters,
  answersMuch: () => true,
  answer(request, { console }) {
    const path = pathOf(request);
    if (typeof path !== "string") return path;
    const extent = extentOf(request);
    if (extent !== undefined && isRefusal(extent)) return extent;
    const found = getValue(console, path, extent);
    if (isRefusal(found)) return found;
    if (request.leaf === undefined) return { result: found.value };
    const read = readParameters(parameters, { leaf: request.leaf });
    if (isRefusal(read)) return read;
    return { result: read.leaf === true ? asFormerLeaf(console, path, found.value) : found.value };
  },
};

/** Returns the extent that a `get` names; refused (3) where it is malformed. */
export function extentOf({ depth, only }: Envelope): Extent | Refusal | undefined {
  if (depth === undefined && only === undefined) return undefined;
  const read = readParameters(parameters, { depth, only });
  if (isRefusal(read)) return read;
  return { depth: read.depth ?? OWN_MEMBERS, only: read.only && new Set(read.only) };
}
