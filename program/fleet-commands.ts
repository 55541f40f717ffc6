/**
 * `faderd fleet list|code|approve|remove|user`: what they ask of a hub that is running.
 *
 * @module
 */
import type { FleetRpcName, FleetRpcParams, FleetRpcResult } from "../fleet/api/rpc-methods.ts";
import { FLEET_MAY } from "../fleet/wire.ts";
import type { Given } from "./command-line.ts";
import { Failure, misuse } from "./failure.ts";
import { printJson } from "./json-document.ts";
import { print } from "./print.ts";
import { serviceOf } from "./running-service.ts";

type Listed = FleetRpcResult<"fleetlist">[number];

/** Prints each console with its id, its state, its site, its version and its alarms. */
export async function fleetList(given: Given): Promise<void> {
  const consoles = await ask(given, "fleetlist", {});
  if (given.has("json")) return printJson(consoles);
  for (const { id, name, site, state, since, version, alarms } of consoles) {
    const fields = [
      id,
      `${state} since ${since}`,
      name,
      `site ${site || "none"}`,
      ...(version === "" ? [] : [`faderd ${version}`]),
      ...alarms,
    ];
    print(fields.map(plain).join("\t"));
  }
}

/** Prints a code of enrolment. */
export async function fleetCode(given: Given): Promise<void> {
  const made = await ask(given, "fleetenrolcode", {});
  if (given.has("json")) printJson(made);
  else print(made.code);
}

/** Approves a console. */
export async function fleetApprove(given: Given): Promise<void> {
  const { id, name, state } = await meant(given);
  if (state !== "quarantined") throw new Failure(`${plain(name)} is approved already`);
  await ask(given, "fleetapprove", { id });
}

/** Removes a console. */
export async function fleetRemove(given: Given): Promise<void> {
  const { id } = await meant(given);
  await ask(given, "fleetremove", { id });
}

/** Adds a user, and prints the token once. */
export async function fleetUserAdd(given: Given): Promise<void> {
  const text = given.get("may");
  const may = FLEET_MAY.find((one) => one === text);
  if (may === undefined) throw misuse(`--may: expected ${FLEET_MAY.join(", ")}, got ${text}`);
  const name = given.get("name")!;
  const { token } = await ask(given, "fleetuseradd", { name, may });
  if (given.has("json")) printJson({ name, token });
  else print(token);
}

/** Prints each user. */
export async function fleetUserList(given: Given): Promise<void> {
  const users = await ask(given, "fleetuserlist", {});
  if (given.has("json")) return printJson(users);
  for (const { name, may, created } of users) {
    print([name, `may ${may}`, `created ${created}`].join("\t"));
  }
}

/** Removes a user. */
export async function fleetUserRemove(given: Given): Promise<void> {
  await ask(given, "fleetuserremove", { name: given.get("name")! });
}

/** Calls an RPC method of the hub, which is asked as a console is. */
function ask<Name extends FleetRpcName>(
  given: Given,
  name: Name,
  params: FleetRpcParams<Name>,
): Promise<FleetRpcResult<Name>> {
  const { rpc } = serviceOf(given)!;
  return (rpc as unknown as (name: Name, params: object) => Promise<FleetRpcResult<Name>>)(
    name,
    params,
  );
}

/** The fewest digits of an id that name a console. */
const DIGITS = 4;

/** Returns the console that a command line means: by its id, by its start, or by its name. */
async function meant(given: Given): Promise<Listed> {
  const text = given.get("console")!;
  const consoles = await ask(given, "fleetlist", {});
  const isStart = text.length >= DIGITS;
  const whole = consoles.filter(({ id }) => id === text.toLowerCase());
  const found = whole.length > 0
    ? whole
    : consoles.filter(({ id, name }) =>
      name === text || (isStart && id.startsWith(text.toLowerCase()))
    );
  const [only] = found;
  if (only === undefined) throw new Failure(`there is no console ${text} in this fleet`);
  if (found.length === 1) return only;
  const ids = found.map(({ id, name }) => `${id} ${plain(name)}`).join(", ");
  throw new Failure(`${found.length} consoles are called ${text}: ${ids}`);
}

/** A text of a console, which is not to steer the terminal. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}
