/**
 * The lines that a hub prints at its start: at the first one the token of the user `admin`, later
 * the data that it found.
 *
 * @module
 */
import type { Address } from "../runtimes/deno/server.ts";
import { errorCodes, isRefusal } from "../core/errors.ts";
import type { Hub } from "../fleet/hub/hub.ts";
import { HUB_ITSELF } from "../fleet/hub/trail.ts";
import { Failure } from "./failure.ts";
import { ADMIN, keepToken, printToken } from "./first-token.ts";
import { urlOf } from "./listeners.ts";
import { machineName } from "./machine-name.ts";
import { announce } from "./print.ts";

/**
 * At a first start adds the user `admin`, and prints the token once, as a line for a shell. Throws
 * {@link Failure} if the user could not be added.
 */
export async function greet(
  hub: Pick<Hub, "people" | "enrolments" | "tell">,
  data: string,
  address: Address,
): Promise<void> {
  const { people, enrolments } = hub;
  if (people.count > 0) {
    return announce(
      `data in ${data}: consoles: ${enrolments.consoles.size}, users of the fleet: ${people.count}`,
    );
  }
  const made = await people.add({ name: ADMIN, may: "admin" });
  // The name and the right are valid, so there is such a user by now.
  if (isRefusal(made) && made.code === errorCodes.invalidParameter) {
    return announce(
      `data in ${data}: another hub has just made the user ${ADMIN}, and has the token`,
    );
  }
  if (isRefusal(made)) {
    throw new Failure(`data in ${data}: the user ${ADMIN} could not be added: ${made.message}`);
  }
  hub.tell({
    user: undefined,
    from: HUB_ITSELF,
    what: "adduser",
    target: { name: ADMIN, may: "admin" },
  });
  const file = await keepToken(data, made.token, true);
  printToken(data, `the user ${ADMIN} of the fleet`, made.token, file);
  const isAnyAddress = ["0.0.0.0", "::"].includes(address.hostname);
  const here = isAnyAddress ? { ...address, hostname: "127.0.0.1" } : address;
  const there = isAnyAddress ? { ...address, hostname: machineName() ?? "HUB" } : address;
  const url = urlOf(here);
  announce("Make a code, give it to a console, and approve that:");
  announce(`  faderd fleet code --url ${url} --token $TOKEN`);
  announce(`  faderd fleet enrol ${urlOf(there)} CODE --data DATA-OF-THE-CONSOLE`);
  announce(`  faderd fleet approve ID --url ${url} --token $TOKEN`);
}
