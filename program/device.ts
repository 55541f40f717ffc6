/**
 * The machine of a console, as restores use it: its configuration file, its certificates and its
 * hooks.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { Console } from "../core/console.ts";
import type { ConfigurationWritten } from "../core/backup/configurationwritten.ts";
import { changesConfiguration } from "../core/backup/restored.ts";
import { DEVICE } from "../core/users/user.ts";
import type { Device } from "../core/backup/device.ts";
import { validityOf } from "../runtimes/certificate.ts";
import { checkCertificate } from "./certificate.ts";
import { isIn, writeConfiguration } from "./configuration-file.ts";
import { runHook } from "./hook.ts";
import { warn } from "./print.ts";

/** A device with the configuration file of a console. */
export interface FileDevice extends Device {
  readonly file: string;
  /**
   * Tries again to write a restored configuration that is not in its file; returns the reason if
   * that failed.
   */
  writeAgain(): Promise<string | undefined>;
}

/**
 * Makes the device of a console. From now on a restored configuration is written to `file`. A
 * configuration that was restored earlier and not yet written, because the program was interrupted,
 * is written now.
 */
export function createDevice(console: Console, file: string): FileDevice {
  let writing = Promise.resolve<string | undefined>(undefined);

  function write(): Promise<string | undefined> {
    writing = writing.then(async () => {
      const { replaces, configuration } = console.state;
      if (replaces === undefined) return undefined;
      try {
        if (!isIn(file, configuration.written)) {
          await writeConfiguration(file, configuration.written);
        }
        const event: ConfigurationWritten = { type: "configurationwritten" };
        await console.dispatch(() => ({ events: [event], result: {} }), DEVICE);
        return undefined;
      } catch (fault) {
        return `the restored configuration could not be written to ${file}: ${reasonOf(fault)}`;
      }
    });
    return writing;
  }

  async function writeNow(): Promise<void> {
    const failure = await write();
    if (failure !== undefined) warn(failure);
  }

  console.watch((event) => {
    if (changesConfiguration(event)) writeNow();
  });
  writeNow();
  return {
    checkCertificate,
    validityOf,
    async applied(tag, document) {
      const { applied } = console.state.configuration.hooks;
      if (applied === undefined) return undefined;
      const failure = await runHook(applied, tag, document);
      if (failure !== undefined) warn(`hooks.applied: ${tag}: ${failure}`);
      return failure;
    },
    settled: () => writing,
    file,
    writeAgain: write,
  };
}
