/**
 * Settings documents are JSON that the service keeps for the firmware, one for each of six backup
 * tags (decisions.md, "Backup"). Their schemas are in a file of their own, `settings.ts`, because
 * an idle service does not need them.
 *
 * @module
 */

/** The backup tags whose content is a settings document. */
export type SettingsTag = "NETWORK" | "TIMEZONE" | "SERVICES" | "LOG" | "SNMP" | "AES67CONFIG";

/** A settings document, which is valid for its tag. */
export type SettingsDocument = Readonly<Record<string, unknown>>;

/** Only documents that were restored are kept; `settingsOf` gives the others their defaults. */
export type Settings = ReadonlyMap<SettingsTag, SettingsDocument>;
