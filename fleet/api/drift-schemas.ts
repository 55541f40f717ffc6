/**
 * Schemas of parameters and results of the RPC methods for drift and templates.
 *
 * @module
 */
import * as v from "valibot";
import { textResult } from "../../transport/schemas.ts";
import { SECTION_NAMES } from "../drift/sections.ts";
import { TEMPLATE_NAME, TEMPLATE_NAME_FORM } from "../drift/templates.ts";
import { consoleId, consoleIdResult } from "./schemas.ts";

/** A section of a console. */
export const section = v.pipe(
  v.picklist(SECTION_NAMES, `one of ${SECTION_NAMES.join(", ")}`),
  v.description("section of a console"),
);

/** The name of a template. */
export const templateName = v.pipe(
  v.string(TEMPLATE_NAME_FORM),
  v.regex(TEMPLATE_NAME, TEMPLATE_NAME_FORM),
  v.description(`name of a template: ${TEMPLATE_NAME_FORM}`),
);

const OTHER_FORM = '{"console": ID} or {"template": NAME}';

/** The peer of a comparison: a console or a template. */
export const comparedWith = v.pipe(
  v.union(
    [v.strictObject({ console: consoleId }), v.strictObject({ template: templateName })],
    OTHER_FORM,
  ),
  v.description(OTHER_FORM),
);

/** A template in a list. */
export const listedTemplate = v.object({
  name: textResult("name of the template"),
  console: consoleIdResult,
  from: textResult("name of the console that it was read from"),
  saved: textResult("when it was saved, in ISO 8601 and UTC"),
  by: textResult("name of the user who saved it"),
  sections: v.pipe(v.array(section), v.readonly(), v.description("sections that it has")),
});
