/**
 * What restoring asks of the machine that a console runs on.
 *
 * @module
 */
import type { SettingsDocument, SettingsTag } from "../settings/settings.ts";
import type { Tls } from "./tls.ts";

/** The machine. */
export interface Device {
  /**
   * Why a certificate will not do: its key is another's, it has expired. Undefined when it will.
   */
  checkCertificate(tls: Tls): Promise<string | undefined>;
  /** Tells the firmware of a restored settings document; answers why that failed. */
  applied(tag: SettingsTag, document: SettingsDocument): Promise<string | undefined>;
  /**
   * Resolves once what was restored is in force beyond the console, or could not be: answers why
   * the configuration last restored is not in its file.
   */
  settled(): Promise<string | undefined>;
}

/** A machine that knows nothing of certificates, and no firmware. */
export const noDevice: Device = {
  checkCertificate: () => Promise.resolve(undefined),
  applied: () => Promise.resolve(undefined),
  settled: () => Promise.resolve(undefined),
};
