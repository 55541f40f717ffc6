/**
 * The rights of users of the fleet on its consoles now: by the present entry of the user, and the
 * present site of the console.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import { noConsole } from "./console-state.ts";
import type { HubCore } from "./hub-core.ts";
import type { People } from "./people.ts";
import type { Picture } from "./picture.ts";
import { type Person, rightAt } from "./rights.ts";
import type { ConsoleId, FleetUser } from "../wire.ts";

/** The rights on consoles. */
export interface ConsoleRights extends Pick<HubCore, "mayAt"> {
  /**
   * Returns a user with the right that counts on a console. Refused: a user who was removed
   * (`BAD_TOKEN`), and a console that does not exist or that the user does not see.
   */
  vouchedAt(as: Person, id: ConsoleId): FleetUser | Refusal;
}

/** Makes the rights on the consoles of a picture. */
export function createConsoleRights(
  picture: Pick<Picture, "entries">,
  people: Pick<People, "refresh">,
  anonymous: HubCore["anonymous"],
): ConsoleRights {
  const mayAt: HubCore["mayAt"] = (user, id) => {
    const entry = picture.entries.get(id);
    if (entry === undefined) return undefined;
    if (user === undefined) return anonymous === "console" ? "view" : undefined;
    const now = people.refresh(user);
    return now && rightAt(now, id, entry.summary.site);
  };
  return {
    mayAt,
    vouchedAt(as, id) {
      if (people.refresh(as) === undefined) return BAD_TOKEN;
      const may = mayAt(as, id);
      return may === undefined ? noConsole(id) : { name: as.name, may };
    },
  };
}
