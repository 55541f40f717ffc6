/**
 * What a start says of the data it found.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { unknownPaths } from "../core/configuration/unknown.ts";
import type { Console } from "../core/console.ts";
import { isRefusal } from "../core/errors.ts";
import { addUser } from "../core/users/adduser.ts";
import { ALL_GROUPS } from "../core/users/groups.ts";
import { gainByLoggingOut, mayWithoutToken } from "../core/users/may.ts";
import { DEVICE, isExpired } from "../core/users/user.ts";
import { gateOf } from "../transport/action-api/gate.ts";
import type { Address } from "../runtimes/deno/server.ts";
import {
  needsTokenForActions,
  needsTokenOverWebSocket,
  needsTokenToGet,
  needsTokenToPost,
} from "../transport/request-token.ts";
import { machine } from "../runtimes/clock.ts";
import { type EventLog, noLog } from "./event-log.ts";
import { keepToken } from "./first-token.ts";
import { print, warn } from "./print.ts";

const ADMIN = "admin";

/** Paths that are named of what is unknown; of the rest their number is. */
const NAMED_PATHS = 5;

/** Says on standard error where there are values that the configuration has no place for. */
export function sayUnknown({ state }: Console, data: string): void {
  const paths = unknownPaths(state);
  if (paths.length === 0) return;
  const named = paths.slice(0, NAMED_PATHS).join(", ");
  const more = paths.length > NAMED_PATHS ? ` and ${paths.length - NAMED_PATHS} more` : "";
  warn(
    `${data} holds values that this configuration has no place for: ${named}${more}; ` +
      "they are kept until faderd log drop-unknown removes them",
  );
}

/** Says on standard error where others on this machine can look into the data folder. */
export function sayFolder(data: string): void {
  const mode = modeOf(data);
  if (mode === null || (mode & OTHERS) === 0) return;
  const octal = (mode & EVERYBODY).toString(8);
  warn(`${data} is open to others on this machine (mode ${octal}); close it: chmod 700 ${data}`);
}

/** Answers the mode of a folder; null where the medium does not tell. */
function modeOf(data: string): number | null {
  try {
    return Deno.statSync(data).mode;
  } catch {
    return null;
  }
}

/** Bits of the mode of a file: what anybody, and what others than its owner, may do with it. */
const EVERYBODY = 0o777;
const OTHERS = 0o077;

/** Says on standard error where this process may not run the program of the configuration. */
export function sayHook({ hooks: { applied } }: Configuration): void {
  if (applied === undefined) return;
  const { state } = Deno.permissions.querySync({ name: "run", command: applied });
  if (state !== "granted") warn(`hooks.applied may not be run: start with --allow-run=${applied}`);
}

/** Says on standard error where Deno sends traces, which have the whole address of each request. */
export function sayTraces(): void {
  const telemetry: unknown = Reflect.get(globalThis, OPEN_TELEMETRY);
  const traces = typeof telemetry === "object" && telemetry !== null && "trace" in telemetry;
  if (!traces) return;
  warn(
    "OTEL_DENO sends a trace of each request with its whole address, also with a token in it " +
      "(Token=); to have metrics alone set OTEL_DENO_TRACING=false",
  );
}

/** Where Deno keeps what OpenTelemetry asks of it; to ask its environment would take a right. */
const OPEN_TELEMETRY = Symbol.for("opentelemetry.js.api.1");

/** Says on standard error where anybody may write, and how to change that. */
export function sayOpen(configuration: Configuration, addresses: readonly Address[]): void {
  const sentence = openToAnybody(configuration, addresses);
  if (sentence !== undefined) warn(sentence);
}

/**
 * Says where others than this machine may write without a token, in whatever way, and how to change
 * that; undefined where they may not.
 */
export function openToAnybody(
  configuration: Configuration,
  addresses: readonly Address[],
): string | undefined {
  const beyond = addresses.filter(({ hostname }) => !LOOPBACK.test(hostname));
  const noActions = needsTokenForActions(configuration) || gateOf(configuration) !== undefined;
  const closed = mayWithoutToken(configuration) === "view" ||
    needsTokenOverWebSocket(configuration) && needsTokenToGet(configuration) &&
      needsTokenToPost(configuration) && noActions;
  if (beyond.length === 0 || closed) return undefined;
  const where = beyond.map(({ hostname, port }) => `${hostname} port ${port}`).join(" or ");
  return `whoever reaches ${where} may write without a token; to change that set auth to ` +
    '"required" in the configuration';
}

/** Says on standard error where a user who may only view gains by logging out. */
export function sayGain({ state }: Console): void {
  const gain = gainByLoggingOut(state);
  if (gain !== undefined) warn(gain);
}

/** Addresses that only this machine can reach. */
const LOOPBACK = /^(localhost|::1|(::ffff:)?127\.[\d.]+)$/i;

/**
 * With no user yet, makes the user `admin` and prints its token, once, as a line that a shell takes
 * in; else says what was found, and where none of the users is an admin, how to come by one. A
 * service that keeps a log says it there instead, and the token goes to a file.
 */
export async function sayStart(
  console: Console,
  data: string,
  url: string,
  tell: EventLog,
): Promise<void> {
  const { users, snapshots } = console.state;
  const now = machine.clock.now();
  const admin = addUser({ name: ADMIN, groups: ALL_GROUPS, admin: true });
  const made = users.size === 0
    ? await console.dispatch(admin, { ...DEVICE, call: "serve" })
    : undefined;
  if (made === undefined || isRefusal(made)) {
    if (made !== undefined) {
      warn(`data in ${data}: no user is known, and ${ADMIN} could not be made: ${made.message}`);
    } else if (![...users.values()].some((user) => user.admin && !isExpired(user, now))) {
      warn(
        "no user is an admin whose token has not expired, so nobody may back up, restore or " +
          "change users; stop the service, " +
          `and add one: faderd user add NAME --groups 1 --admin --data ${data}`,
      );
    }
    const saved = [...snapshots.values()].filter(({ factory }) => !factory).length;
    tell("info", "found", { data, snapshots: saved, users: users.size });
    if (tell !== noLog) return;
    return print(`data in ${data}: ${count(saved, "snapshot")}, ${count(users.size, "user")}`);
  }
  const { token } = made.result;
  const file = await keepToken(data, token, tell === noLog);
  if (tell !== noLog && file !== undefined) {
    return warn(
      `data in ${data}: new; the token of the user ${ADMIN} is in ${file}, for the owner alone; ` +
        "remove it once you have it",
    );
  }
  const where = file === undefined
    ? ", shown only now:"
    : ` is in ${file}, for the owner alone; remove it once you have it:`;
  print(`data in ${data}: new. The token of the user ${ADMIN}${where}`);
  print();
  print(`  TOKEN=${file === undefined ? token : `$(cat ${file})`}`);
  print();
  print("Try:");
  for (const command of commands(url)) print(`  ${command}`);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** Makes commands for a shell in which the variable TOKEN is set as it was printed. */
function commands(url: string): string[] {
  const list = { method: "rpc", payload: { method: "getsnapshotlist", params: { type: 2 } } };
  const messages = [
    { method: "auth", token: "'$TOKEN'" },
    { method: "subscribe", path: "/audio/mixers/0" },
  ];
  const listener = [
    `const s = new WebSocket("${url.replace("http", "ws")}/api/ws")`,
    `s.onopen = () => ${JSON.stringify(messages)}.forEach((m) => s.send(JSON.stringify(m)))`,
    "s.onmessage = (m) => console.log(m.data)",
  ].join("; ");
  const curl = 'curl -H "Authorization: Bearer $TOKEN"';
  return [
    `${curl} '${url}/api/rest/audio/mixers/0/faders/0/fader?set=-20'`,
    `${curl} ${url}/api/rest -d '${JSON.stringify(list)}'`,
    `npx --yes deno@2.9.6 eval '${listener}'`,
  ];
}
