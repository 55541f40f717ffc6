/**
 * What a console asks of the machine that it runs on.
 *
 * @module
 */
import type { SettingsDocument, SettingsTag } from "../settings/settings.ts";
import type { Tls } from "./tls.ts";

/** From when until when a certificate is valid, both in ISO 8601 and UTC. */
export interface Validity {
  readonly from: string;
  readonly until: string;
}

/** The machine. */
export interface Device {
  /**
   * Why a certificate will not do: its key is another's, it has expired. Undefined when it will.
   */
  checkCertificate(tls: Tls): Promise<string | undefined>;
  /** Reads the validity of the device's own certificate; undefined where it cannot be read. */
  validityOf(tls: Tls): Promise<Validity | undefined>;
  /** Tells the firmware of a restored settings document; returns why that failed. */
  applied(tag: SettingsTag, document: SettingsDocument): Promise<string | undefined>;
  /**
   * Resolves once what was restored is in force beyond the console, or could not be: returns why
   * the configuration last restored is not in its file.
   */
  settled(): Promise<string | undefined>;
}

/** A machine that knows nothing of certificates, and no firmware. */
export const noDevice: Device = {
  checkCertificate: () => Promise.resolve(undefined),
  validityOf: () => Promise.resolve(undefined),
  applied: () => Promise.resolve(undefined),
  settled: () => Promise.resolve(undefined),
};
