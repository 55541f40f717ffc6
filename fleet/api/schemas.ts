/**
 * Schemas of parameters and results that several RPC methods of a hub share.
 *
 * @module
 */
import * as v from "valibot";
import { textResult } from "../../transport/schemas.ts";
import { FLEET_MAY } from "../wire.ts";

const ID_FORM = "32 lower-case hexadecimal digits";

/** The id of a console. */
export const consoleId = v.pipe(
  v.string(ID_FORM),
  v.regex(/^[0-9a-f]{32}$/, ID_FORM),
  v.description("id of a console"),
);

/** What a user of the fleet may do. */
export const fleetMay = v.pipe(
  v.picklist(FLEET_MAY, "view, press, operate, configure or admin"),
  v.description("right of the user on the consoles, as far as each allows it"),
);

/** An id in a result. */
export const consoleIdResult = textResult("id of the console");
