/**
 * Settings documents: JSON that the service keeps for the firmware, one for each of six backup tags
 * (decisions.md, "Backup"). `settings.ts` has their schemas, which an idle service does without.
 *
 * @module
 */

/** A tag whose content is a settings document. */
export type SettingsTag = "NETWORK" | "TIMEZONE" | "SERVICES" | "LOG" | "SNMP" | "AES67CONFIG";

/** A settings document, valid for its tag. */
export type SettingsDocument = Readonly<Record<string, unknown>>;

/** The documents that were restored; the others are as `settingsOf` says. */
export type Settings = ReadonlyMap<SettingsTag, SettingsDocument>;
