/**
 * What backup and restore ask of the machine that this runs on.
 *
 * @module
 */
import type { Tls } from "../../core/backup/tls.ts";
import type { SettingsDocument, SettingsTag } from "../../core/settings/settings.ts";
import { turn } from "../turns.ts";

/** The machine. */
export interface Device {
  /** Resolves after one turn of the event loop, in which timers and the network have had theirs. */
  turn(): Promise<void>;
  /** Why a certificate will not do: its key is another's, it has expired. Undefined when it will. */
  checkCertificate(tls: Tls): Promise<string | undefined>;
  /** Tells the firmware of a restored settings document; answers why that failed. */
  applied(tag: SettingsTag, document: SettingsDocument): Promise<string | undefined>;
  /**
   * Resolves once what was restored is in force beyond the console, or could not be: answers why the
   * configuration last restored is not in its file.
   */
  settled(): Promise<string | undefined>;
}

/** A machine that knows nothing of certificates, and no firmware. */
export const noDevice: Device = {
  turn,
  checkCertificate: () => Promise.resolve(undefined),
  applied: () => Promise.resolve(undefined),
  settled: () => Promise.resolve(undefined),
};
