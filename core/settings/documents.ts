/**
 * Settings documents are JSON that the service keeps for the firmware, one for each of six backup
 * tags (decisions.md, "Backup"). Their schemas stand apart in `settings.ts`, for an idle service
 * does without them.
 *
 * @module
 */

/** The content of these backup tags is a settings document. */
export type SettingsTag = "NETWORK" | "TIMEZONE" | "SERVICES" | "LOG" | "SNMP" | "AES67CONFIG";

/** A settings document is valid for its tag. */
export type SettingsDocument = Readonly<Record<string, unknown>>;

/** Only documents that were restored are kept; `settingsOf` gives the others their defaults. */
export type Settings = ReadonlyMap<SettingsTag, SettingsDocument>;
