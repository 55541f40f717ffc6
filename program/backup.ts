/**
 * `faderd backup` and `faderd restore` on a data folder without a running service.
 *
 * @module
 */
import type { Device } from "../core/backup/device.ts";
import { pack } from "../core/backup/pack.ts";
import { restoreBackup } from "../core/backup/restore-backup.ts";
import { readTags, tagsFor } from "../core/backup/tags.ts";
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Console } from "../core/console.ts";
import { withoutPauses } from "../core/cooperative-scheduler.ts";
import { inspectLog } from "../runtimes/deno/log.ts";
import { openArchive, STANDARD_OUTPUT, writeArchive } from "./archive-file.ts";
import { configurationFile, configurationOf, ownConfigurationOf } from "./configuration-file.ts";
import { createDevice } from "./device.ts";
import { Failure } from "./failure.ts";
import { accepted, carriedOut, expectFolder, onDataFolder } from "./data-folder.ts";
import { print } from "./print.ts";
import type { Recipient } from "./seal/seal.ts";
import type { Opener } from "./seal/unseal.ts";

/** The options of the command line. */
export interface BackupOptions {
  /** The path of the archive. */
  readonly file: string;
  readonly tags: string;
  readonly data: string;
  readonly config?: string | undefined;
  /** The recipient for whom a backup is encrypted; undefined without encryption. */
  readonly recipient: Recipient | undefined;
  /** The key that opens an encrypted backup. */
  readonly opener: Opener;
}

/** The hint, without `--config`, that a later start without it uses the restored configuration. */
const BY_DEFAULT = ", which a start without --config uses";

/**
 * Writes a backup of a data folder, as {@link writeArchive} does; throws {@link Failure} if it would
 * have the configuration of the demo console, and the data of another console, and if the folder
 * holds no console, as that of an unmounted disk.
 */
export async function backupTo(options: BackupOptions): Promise<void> {
  const configuration = await ownConfigurationOf(options.config, expectFolder(options.data));
  await expectRecords(options.data);
  await onData(options, configuration, async (console) => {
    const { state } = console;
    const tags = accepted(tagsFor(state.configuration, accepted(readTags(options.tags))));
    const packed = accepted(
      await pack(state, tags, { time: Date.now(), scheduler: withoutPauses }),
    );
    await writeArchive(options.file, packed, options.recipient);
    if (options.file !== STANDARD_OUTPUT) print(`${options.file}: ${tags.join(", ")}`);
  });
}

async function expectRecords(data: string): Promise<void> {
  // A folder that cannot be read is reported when it is opened. Opening it makes a log where there
  // is none, and perhaps a site key.
  const found = await inspectLog(data).catch(() => undefined);
  if (found === undefined || found.recovery.damage !== undefined) return;
  if (found.recovery.records === 0) throw new Failure(`${data} holds no console`);
}

/** Restores the requested tags of a backup from a file to a data folder, all of them or nothing. */
export async function restoreFrom(options: BackupOptions): Promise<void> {
  const configuration = configurationOf(options.config, expectFolder(options.data));
  await onData(options, configuration, async (console, device) => {
    const tags = accepted(readTags(options.tags));
    const file = await openArchive(options.file, options.opener);
    const asked = { tags, by: undefined, device, scheduler: withoutPauses };
    const outcome = carriedOut(console, "restore", await restoreBackup(console, file, asked));
    const { reconfigured, unwritten, untold } = outcome;
    print(`restored from ${options.file}: ${outcome.tags.join(", ")}`);
    if (reconfigured && unwritten === undefined) {
      const written = configurationFile(options.config, options.data);
      print(`the configuration is in ${written}${options.config === undefined ? BY_DEFAULT : ""}`);
    }
    const failures = [
      ...(untold.length === 0 ? [] : ["hooks.applied failed"]),
      ...(unwritten === undefined
        ? []
        : ["the configuration will be written at the next start only"]),
    ];
    if (failures.length > 0) throw new Failure(`restored, but ${failures.join("; ")}`);
  });
}

function onData(
  { data, config }: BackupOptions,
  configuration: Configuration,
  work: (console: Console, device: Device) => Promise<void>,
): Promise<void> {
  return onDataFolder(data, configuration, async ({ console }) => {
    const device = createDevice(console, configurationFile(config, data));
    try {
      await work(console, device);
    } finally {
      await device.settled();
    }
  });
}
