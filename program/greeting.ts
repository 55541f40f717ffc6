/**
 * The messages at the start of a service about its data: at a first start the token of the first
 * user, and commands to try.
 *
 * @module
 */
import { demoConfiguration, demoOnAir } from "../core/configuration/demo.ts";
import type { Console } from "../core/console.ts";
import { isRefusal } from "../core/errors.ts";
import { set } from "../core/tree/set.ts";
import { addUser } from "../core/users/adduser.ts";
import { ALL_GROUPS } from "../core/users/groups.ts";
import { DEVICE, isExpired } from "../core/users/user.ts";
import { machine } from "../runtimes/clock.ts";
import type { Address } from "../runtimes/deno/server.ts";
import { type EventLog, noLog } from "./event-log.ts";
import { ADMIN, keepToken, printToken } from "./first-token.ts";
import { urlOf } from "./listeners.ts";
import type { OpenConsole } from "./open-console.ts";
import { announce, warn } from "./print.ts";
import { sayRecovery } from "./say-recovery.ts";

/**
 * Prints the state of the data. If there is no user, adds the user `admin` and prints its token
 * once, as a line for a shell. A service with a log writes to that log instead, and the token goes
 * to a file.
 */
export async function greet(
  { console, log }: OpenConsole,
  { data, config }: { readonly data: string; readonly config?: string | undefined },
  address: Address,
  tell: EventLog,
): Promise<void> {
  tell("info", "recovered", { ...log.recovery });
  sayRecovery(data, log.recovery);
  const { users } = console.state;
  if (users.size > 0) {
    sayMissingAdmin(console, data, config);
    return sayFound(console, data, tell);
  }
  const admin = addUser({ name: ADMIN, groups: ALL_GROUPS, admin: true });
  const made = await console.dispatch(admin, { ...DEVICE, call: "serve" });
  if (isRefusal(made)) {
    warn(`data in ${data}: no user is known, and ${ADMIN} could not be made: ${made.message}`);
    return sayFound(console, data, tell);
  }
  if (console.state.configuration.written === demoConfiguration) await putOnAir(console);
  await sayToken(made.result.token, data, urlOf(address), tell);
}

/** Opens faders of the demo console, so that its page shows a programme at first sight. */
async function putOnAir(console: Console): Promise<void> {
  const mixer = demoConfiguration.mixers![0]!.id;
  await console.dispatch(set(`/audio/mixers/${mixer}/faders`, demoOnAir), DEVICE);
}

/** Warns if no user is an admin, and says how to add one. */
function sayMissingAdmin({ state }: Console, data: string, config?: string): void {
  const now = machine.clock.now();
  if ([...state.users.values()].some((user) => user.admin && !isExpired(user, now))) return;
  warn(
    "no user is an admin whose token has not expired, so nobody may back up, restore or " +
      "change users; stop the service, " +
      `and add one: faderd user add NAME --groups 1 --admin --data ${data}` +
      (config === undefined ? "" : ` --config ${config}`),
  );
}

function sayFound({ state: { users, snapshots } }: Console, data: string, tell: EventLog): void {
  const saved = [...snapshots.values()].filter(({ factory }) => !factory).length;
  tell("info", "found", { data, snapshots: saved, users: users.size });
  if (tell !== noLog) return;
  announce(`data in ${data}: ${count(saved, "snapshot")}, ${count(users.size, "user")}`);
}

async function sayToken(token: string, data: string, url: string, tell: EventLog): Promise<void> {
  const file = await keepToken(data, token, tell === noLog);
  if (tell !== noLog && file !== undefined) {
    return warn(
      `data in ${data}: new; the token of the user ${ADMIN} is in ${file}, for the owner alone; ` +
        "remove it once you have it",
    );
  }
  printToken(data, `the user ${ADMIN}`, token, file);
  announce("Try:");
  for (const command of commands(url)) announce(`  ${command}`);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** Makes commands for a shell in which the variable TOKEN is set by the printed line. */
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
