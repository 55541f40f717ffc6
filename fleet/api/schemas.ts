/**
 * Schemas of parameters and results that several RPC methods of a hub share.
 *
 * @module
 */
import * as v from "valibot";
import { USER_NAME, USER_NAME_FORM } from "../../core/users/adduser.ts";
import { textResult } from "../../transport/schemas.ts";
import { RIGHTS_OF_USER, SITE_CHARACTERS } from "../hub/hub-limits.ts";
import { FLEET_ID, FLEET_ID_FORM, FLEET_MAY } from "../wire.ts";

/** The id of a console. */
export const consoleId = v.pipe(
  v.string(FLEET_ID_FORM),
  v.regex(FLEET_ID, FLEET_ID_FORM),
  v.description("id of a console"),
);

/** The name of a user of the fleet. */
export const fleetUserName = v.pipe(
  v.string(USER_NAME_FORM),
  v.regex(USER_NAME, USER_NAME_FORM),
  v.description(USER_NAME_FORM),
);

/** The right of a user of the fleet. */
export const fleetMay = v.pipe(
  v.picklist(FLEET_MAY, "view, press, operate, configure or admin"),
  v.description("right of the user on the consoles, as far as each allows it"),
);

const RIGHT_FORM = "an object with may, and with site or console";
const SITE_FORM = `the name of a site, of 1 to ${SITE_CHARACTERS} characters`;

/** The rights of a user for sites and for single consoles. */
export const fleetRights = v.pipe(
  v.array(
    v.union([
      v.strictObject({
        site: v.pipe(
          v.string(SITE_FORM),
          v.minLength(1, SITE_FORM),
          v.maxLength(SITE_CHARACTERS, SITE_FORM),
          v.description("site on whose consoles the right counts"),
        ),
        may: fleetMay,
      }),
      v.strictObject({ console: consoleId, may: fleetMay }),
    ], RIGHT_FORM),
    "an array",
  ),
  v.maxLength(RIGHTS_OF_USER, `at most ${RIGHTS_OF_USER} rights`),
  v.description("rights for sites and for single consoles; the most specific counts"),
);

/** An id in a result. */
export const consoleIdResult = textResult("id of the console");
