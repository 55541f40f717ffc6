/**
 * `faderd fleet backup`: the backups that a hub makes of its consoles.
 *
 * @module
 */
import { STANDARD_OUTPUT, writeArchive } from "./archive-file.ts";
import type { FleetRpcResult } from "../fleet/api/rpc-methods.ts";
import type { Given } from "./command-line.ts";
import { Failure } from "./failure.ts";
import { ask, named, plain } from "./fleet-commands.ts";
import { print, printJson } from "./print.ts";
import { saidIn, serviceOf } from "./running-service.ts";

type Listed = FleetRpcResult<"fleetbackuplist">[number];

/** Prints the newest backup of each console, or all of one console, with their alarms. */
export async function fleetBackupList(given: Given): Promise<void> {
  const text = given.get("console");
  const consoles = text === undefined
    ? await ask(given, "fleetbackuplist", { newest: true })
    : [await listOf(given, text)];
  if (given.has("json")) return printJson(consoles);
  for (const { console, name, site, backups, failed, alarm } of consoles) {
    const of = [console, plain(name), `site ${plain(site) || "none"}`];
    const wrong = alarm ?? (failed === undefined ? undefined : `the last one failed: ${failed}`);
    const last = wrong === undefined ? [] : [plain(wrong)];
    if (backups.length === 0) print([...of, "no backup", ...last].join("\t"));
    for (const backup of backups) {
      const { time, bytes, content } = backup;
      const isNewest = backup === backups.at(-1);
      print([...of, time, `${bytes} bytes`, content, ...(isNewest ? last : [])].join("\t"));
    }
  }
}

/** Returns the backups of a console, which may have left the fleet. */
async function listOf(given: Given, text: string): Promise<Listed> {
  const consoles = await ask(given, "fleetbackuplist", { newest: true });
  const { console } = named(consoles.map((one) => ({ ...one, id: one.console })), text);
  const [list] = await ask(given, "fleetbackuplist", { console });
  if (list === undefined) throw new Failure(`there is no console ${text} in this fleet`);
  return list;
}

/** Makes a backup of one console, or of all live consoles; throws {@link Failure} if one fails. */
export async function fleetBackupNow(given: Given): Promise<void> {
  const text = given.get("console");
  const consoles = await ask(given, "fleetlist", {});
  const chosen = text === undefined
    ? consoles.filter(({ state }) => state === "live")
    : [named(consoles, text)];
  const failures: string[] = [];
  for (const { id, name } of chosen) {
    try {
      const { time, bytes, content } = await ask(given, "fleetbackupnow", { console: id });
      print([plain(name), time, `${bytes} bytes`, content].join("\t"));
    } catch (fault) {
      if (!(fault instanceof Failure)) throw fault;
      failures.push(`${plain(name)}: ${plain(fault.message)}`);
    }
  }
  if (failures.length > 0) throw new Failure(failures.join("; "));
}

/** Writes the archive of a backup to a file: the newest backup, or the backup of a given time. */
export async function fleetBackupGet(given: Given): Promise<void> {
  const { console, name, backups } = await listOf(given, given.get("console")!);
  const time = given.get("time");
  const found = time === undefined
    ? backups.at(-1)
    : backups.findLast((backup) => backup.time.startsWith(time));
  if (found === undefined) {
    throw new Failure(
      `there is no backup of ${plain(name)}${time === undefined ? "" : ` of ${time}`}`,
    );
  }
  const answer = await serviceOf(given)!.request(`/backups/${console}/${found.content}`);
  if (!answer.ok || answer.body === null) {
    const { error } = await saidIn(answer);
    throw new Failure(error?.message ?? `the hub answers with status ${answer.status}`);
  }
  const file = given.get("file")!;
  await writeArchive(file, answer.body);
  if (file !== STANDARD_OUTPUT) print(`${file}: ${plain(name)} as it was at ${found.time}`);
}
