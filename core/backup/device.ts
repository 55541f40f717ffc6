/**
 * The machine that a console runs on, as a port.
 *
 * @module
 */
import type { SettingsDocument, SettingsTag } from "../settings/settings.ts";
import type { Tls } from "./tls.ts";

/** The period in which a certificate is valid: its start and end, in ISO 8601 and UTC. */
export interface Validity {
  readonly from: string;
  readonly until: string;
}

/** The machine of a console, as restores use it. */
export interface Device {
  /**
   * Returns why a certificate is not valid, for example because it has expired or has another key;
   * undefined if it is valid.
   */
  checkCertificate(tls: Tls): Promise<string | undefined>;
  /** Reads the validity of the certificate of the device; undefined if it cannot be read. */
  validityOf(tls: Tls): Promise<Validity | undefined>;
  /** Passes a restored settings document to the firmware; returns the reason if that failed. */
  applied(tag: SettingsTag, document: SettingsDocument): Promise<string | undefined>;
  /**
   * Resolves once the effects of restores outside the console are complete or have failed. Returns
   * why the last restored configuration is not in its file; undefined if it is.
   */
  settled(): Promise<string | undefined>;
}

/** A device that checks no certificates and has no firmware. */
export const noDevice: Device = {
  checkCertificate: () => Promise.resolve(undefined),
  validityOf: () => Promise.resolve(undefined),
  applied: () => Promise.resolve(undefined),
  settled: () => Promise.resolve(undefined),
};
