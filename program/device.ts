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

/**
 * Makes the device of a console. From now on a restored configuration is written to `file`. A
 * configuration that was restored earlier and not yet written, because the program was interrupted,
 * is written now.
 */
export function createDevice(console: Console, file: string): Device {
  let writing = Promise.resolve<string | undefined>(undefined);

  function write(): void {
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
        const failure = `the restored configuration could not be written to ${file}: ${
          reasonOf(fault)
        }`;
        warn(failure);
        return failure;
      }
    });
  }

  console.watch((event) => {
    if (changesConfiguration(event)) write();
  });
  write();
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
  };
}
