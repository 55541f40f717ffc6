/**
 * `faderd fleet list|code|approve|remove|user|hubs|audit`: requests to a running hub.
 *
 * @module
 */
import type { FleetRpcName, FleetRpcParams, FleetRpcResult } from "../fleet/api/rpc-methods.ts";
import type { FleetRight } from "../fleet/hub/rights.ts";
import { FLEET_MAY, type FleetMay } from "../fleet/wire.ts";
import type { Given } from "./command-line.ts";
import { Failure, misuse } from "./failure.ts";
import { print, printJson } from "./print.ts";
import { serviceOf } from "./running-service.ts";

type Listed = FleetRpcResult<"fleetlist">[number];

/** Prints each console with its id, its state, its site, its version and its alarms. */
export async function fleetList(given: Given): Promise<void> {
  const consoles = await ask(given, "fleetlist", {});
  if (given.has("json")) return printJson(consoles);
  for (const { id, name, site, state, since, heard, version, alarms } of consoles) {
    const fields = [
      id,
      heard ? `${state} since ${since}` : `${state}, not heard yet, waited for since ${since}`,
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
  const name = given.get("name")!;
  const { token } = await ask(given, "fleetuseradd", { name, ...await rightsIn(given) });
  if (given.has("json")) printJson({ name, token });
  else print(token);
}

/** Gives a user other rights. */
export async function fleetUserModify(given: Given): Promise<void> {
  const { may, rights } = await rightsIn(given);
  if (may === undefined && rights.length === 0) {
    throw misuse("expected --may, --site or --console; a user is removed by fleet user remove");
  }
  const name = given.get("name")!;
  await ask(given, "fleetusermodify", { name, ...(may && { may }), rights });
}

async function rightsIn(given: Given): Promise<{ may?: FleetMay; rights: FleetRight[] }> {
  const text = given.get("may");
  const may = text === undefined ? undefined : mayIn("--may", text);
  const rights: FleetRight[] = placesIn(given, "site").map(([site, may]) => ({ site, may }));
  for (const [console, may] of placesIn(given, "console")) {
    rights.push({ console: (await meant(given, console)).id, may });
  }
  return { ...(may && { may }), rights };
}

/** Reads the value of an option, such as `Berlin=operate,Vienna=view`. */
function placesIn(given: Given, option: string): [place: string, may: FleetMay][] {
  return (given.get(option)?.split(",") ?? []).map((part) => {
    const end = part.lastIndexOf("=");
    if (end > 0) return [part.slice(0, end), mayIn(`--${option}`, part.slice(end + 1))];
    throw misuse(`--${option}: expected a name, "=" and a right, like Berlin=view, got ${part}`);
  });
}

function mayIn(option: string, text: string): FleetMay {
  const may = FLEET_MAY.find((one) => one === text);
  if (may !== undefined) return may;
  throw misuse(`${option}: expected ${FLEET_MAY.join(", ")}, got ${text}`);
}

/** Prints each user. */
export async function fleetUserList(given: Given): Promise<void> {
  const users = await ask(given, "fleetuserlist", {});
  if (given.has("json")) return printJson(users);
  for (const { name, may, rights, created } of users) {
    const ofPlaces = rights.map((right) =>
      "site" in right
        ? `${right.may} at site ${right.site}`
        : `${right.may} on console ${right.console}`
    );
    const ofAll = may === null ? [] : [ofPlaces.length === 0 ? may : `${may} elsewhere`];
    const fields = [name, `may ${[...ofPlaces, ...ofAll].join(", ")}`, `created ${created}`];
    print(fields.map(plain).join("\t"));
  }
}

/** Removes a user. */
export async function fleetUserRemove(given: Given): Promise<void> {
  await ask(given, "fleetuserremove", { name: given.get("name")! });
}

/** Prints each hub with its id, its consoles and its facts. */
export async function fleetHubs(given: Given): Promise<void> {
  const hubs = await ask(given, "fleethublist", {});
  if (given.has("json")) return printJson(hubs);
  for (const { id, consoles, name, version, since, stores } of hubs) {
    const fields = [
      ...[id, name ?? "of an earlier version", `consoles ${consoles}`],
      ...(version === undefined ? [] : [`faderd ${version}`]),
      ...(since === undefined ? [] : [`since ${since}`]),
      ...(stores === false ? ["its ledger stores no changes now"] : []),
    ];
    print(fields.map(plain).join("\t"));
  }
}

/**
 * Prints each line of the audit trail: its time, user, client and call, the console that has
 * reported it, the target, the changes, and a refusal.
 */
export async function fleetAudit(given: Given): Promise<void> {
  const lines = await ask(given, "getaudit", { limit: numberIn(given, "limit", "lines") });
  if (given.has("json")) return printJson(lines);
  for (const { time, from, what, console, target, refused, ...line } of lines) {
    // A console leaves out the user of calls that it has counted for several users together.
    const absent = console === undefined ? "nobody" : "several users";
    const { user = absent, subject, changes = [], more = 0, durable, again, lost } = line;
    const shown = changes.map(({ path, before, after }) =>
      `${path}: ${JSON.stringify(before) ?? "none"} -> ${JSON.stringify(after) ?? "none"}`
    );
    const fields = [
      ...[time, user, from, what],
      ...(console === undefined ? [] : [`console ${console}`]),
      ...(subject === undefined ? [] : [subject]),
      ...(target === undefined ? [] : [JSON.stringify(target)]),
      ...(shown.length === 0 ? [] : [shown.join("; ")]),
      ...(more === 0 ? [] : [`and ${more} more`]),
      ...(durable === false ? ["not stored"] : []),
      ...(refused === undefined ? [] : [`refused: ${refused}`]),
      ...(again === undefined ? [] : [`${again} times more`]),
      ...(lost === undefined ? [] : [`${lost} lines before it are missing`]),
    ];
    print(fields.map(plain).join("\t"));
  }
}

/** Calls an RPC method of the hub, in the same way as a method of a console. */
export function ask<Name extends FleetRpcName>(
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

/** Returns the whole number of an option; `unit` names the counted things. */
export function numberIn(given: Given, option: string, unit: string): number {
  const text = given.get(option)!;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw misuse(`--${option}: expected a number of ${unit}, got ${text}`);
}

/** Minimum number of digits of an id that name a console. */
const DIGITS = 4;

/**
 * Returns the console that a command line means: by its id, by the start of its id, or by its name.
 */
async function meant(given: Given, text = given.get("console")!): Promise<Listed> {
  return named(await ask(given, "fleetlist", {}), text);
}

/** Returns the console in a list that a text means, as {@link meant} does. */
export function named<Console extends Pick<Listed, "id" | "name">>(
  consoles: readonly Console[],
  text: string,
): Console {
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

/** Returns a text of a console without characters that would control the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}
