/**
 * SIGHUP: reads the configuration file again, and puts it in force like a restore of it.
 *
 * @module
 */
import { differingOwnParts, ownPartsOf, withoutOwnParts } from "../core/backup/own-parts.ts";
import { applyBackup } from "../core/backup/restore-backup.ts";
import { documentHash } from "../core/configuration/reconfigure.ts";
import type { Console } from "../core/console.ts";
import { isRefusal } from "../core/errors.ts";
import type { CooperativeScheduler } from "../core/ports.ts";
import { DEVICE } from "../core/users/user.ts";
import { loadConfiguration } from "./configuration-file.ts";
import type { FileDevice } from "./device.ts";
import { Failure } from "./failure.ts";

/** The parts that rereading a configuration needs. */
export interface Reread {
  readonly console: Console;
  readonly device: FileDevice;
  readonly scheduler: CooperativeScheduler;
  /** The configuration file of the console; undefined for the demo console. */
  readonly source: string | undefined;
}

/**
 * Own parts that SIGHUP applies without a restart: `auth` and `anonymous` decide which requests
 * need a token, `fleet` to which fleet the console belongs.
 */
const AT_ONCE: readonly string[] = ["auth", "anonymous", "fleet"];

/**
 * Reads the configuration file again and puts it in force; returns the result as a sentence. A file
 * that a restored configuration was to replace, and could not, is written now. Throws
 * {@link Failure}, with nothing changed, if the file is not a valid configuration, changes a part
 * that needs a restart, or could not be stored or written.
 */
export async function reread({ console, device, scheduler, source }: Reread): Promise<string> {
  await device.settled();
  if (source === undefined) {
    if (console.state.replaces !== undefined) return await writeRestored(device);
    throw new Failure("there is no configuration file to read");
  }
  const { written } = loadConfiguration(source);
  const { configuration: { written: before }, replaces } = console.state;
  const hash = documentHash(written);
  if (hash === documentHash(before)) {
    // The owner may have written a restored configuration: it must not be written again later.
    await device.writeAgain();
    return `${source} has not changed`;
  }
  if (replaces?.includes(hash)) return await writeRestored(device);
  const own = differingOwnParts(before, written).filter((part) => !AT_ONCE.includes(part));
  if (own.length > 0) throw new Failure(`${source}: changing ${own.join(", ")} needs a restart`);
  const contents = {
    configuration: withoutOwnParts(written),
    own: ownPartsOf(written),
    settings: {},
    snapshots: {},
  };
  const outcome = await applyBackup(console, contents, { ...DEVICE, call: "SIGHUP" }, scheduler);
  if (isRefusal(outcome)) throw new Failure(outcome.message);
  await device.settled();
  return `${source} is in force`;
}

async function writeRestored(device: FileDevice): Promise<string> {
  const failure = await device.writeAgain();
  if (failure !== undefined) throw new Failure(failure);
  return `the restored configuration is in ${device.file} now`;
}
