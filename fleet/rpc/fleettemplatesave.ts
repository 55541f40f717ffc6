import * as v from "valibot";
import { listedTemplate, section, templateName } from "../api/drift-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleId } from "../api/schemas.ts";

/** Saves sections of a console as a template. */
export const fleettemplatesave = fleetRpcMethod({
  name: "fleettemplatesave",
  summary:
    "Save sections of a console as a template, which replaces a template of the same name. For users who may configure all consoles.",
  params: {
    name: templateName,
    console: consoleId,
    sections: v.pipe(
      v.array(section, "a list of sections"),
      v.minLength(1, "at least one section"),
      v.maxLength(20),
      v.description("the sections to save in the template"),
    ),
  },
  result: listedTemplate,
  run: (_core, { name, console, sections }, actor, { drift }) =>
    drift.save(name, console, sections, actor),
});
