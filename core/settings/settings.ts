/**
 * Settings documents: JSON that the service keeps for the firmware, one for each of six backup tags
 * (decisions.md, "Backup"). The schemas are published by `faderd settings schema`.
 *
 * @module
 */
import * as v from "valibot";
import { describeIssue } from "../configuration/faults.ts";
import { type Refusal, refuse } from "../errors.ts";

const text = v.pipe(v.string(), v.maxLength(253));
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(253));
const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535));
const address = v.pipe(v.string(), v.ip());
const addresses = v.optional(v.array(address), []);

const networkInterface = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(15)),
  dhcp: v.optional(v.boolean(), true),
  address: v.optional(address),
  netmask: v.optional(v.pipe(v.string(), v.ipv4())),
  gateway: v.optional(address),
});

const severities = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"] as const;

/** What each settings document may hold. What is left out has the default that it says. */
export const settingsSchemas = {
  /** Network configuration. */
  NETWORK: v.strictObject({
    deviceName: v.optional(
      v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/, "letters, digits, '-'")),
      "faderd",
    ),
    interfaces: v.optional(v.array(networkInterface), []),
    dns: addresses,
  }),
  /** Time zone and daylight saving time. */
  TIMEZONE: v.strictObject({
    zone: v.optional(
      v.pipe(v.string(), v.regex(/^[A-Za-z0-9+_/-]{1,64}$/, "a name like Europe/Berlin")),
      "UTC",
    ),
    dst: v.optional(v.boolean(), true),
    ntp: v.optional(v.array(name), []),
  }),
  /** The manage-services page: which services run. */
  SERVICES: v.strictObject({
    services: v.optional(
      v.record(
        v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/, "lower-case letters, digits, '-'")),
        v.strictObject({ enabled: v.boolean(), port: v.optional(port) }),
      ),
      {},
    ),
  }),
  /** Syslog. */
  LOG: v.strictObject({
    level: v.optional(v.picklist(severities), "info"),
    servers: v.optional(
      v.array(v.strictObject({
        host: name,
        port: v.optional(port, 514),
        protocol: v.optional(v.picklist(["udp", "tcp"]), "udp"),
      })),
      [],
    ),
  }),
  /** SNMP. */
  SNMP: v.strictObject({
    enabled: v.optional(v.boolean(), false),
    community: v.optional(text, "public"),
    location: v.optional(text, ""),
    contact: v.optional(text, ""),
    traps: v.optional(v.array(name), []),
  }),
  /** AES67. */
  AES67CONFIG: v.strictObject({
    ptpDomain: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(127)), 0),
    streams: v.optional(
      v.array(v.strictObject({
        name: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
        direction: v.picklist(["send", "receive"]),
        address,
        port: v.optional(port, 5004),
        channels: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)), 2),
      })),
      [],
    ),
  }),
} as const;

const UNSEEN = new Set(["__proto__", "prototype", "constructor"]);

/** A tag whose content is a settings document. */
export type SettingsTag = keyof typeof settingsSchemas;

/** A settings document, valid for its tag. */
export type SettingsDocument = Readonly<Record<string, unknown>>;

/** The documents that were restored; the others are as {@linkcode settingsOf} says. */
export type Settings = ReadonlyMap<SettingsTag, SettingsDocument>;

/** Whether a tag's content is a settings document. */
export function isSettingsTag(tag: string): tag is SettingsTag {
  return Object.hasOwn(settingsSchemas, tag);
}

/** The document of a tag; of one that was never restored, the defaults. */
export function settingsOf(settings: Settings, tag: SettingsTag): SettingsDocument {
  return settings.get(tag) ?? v.parse(settingsSchemas[tag], {});
}

/**
 * The document of a tag as it was written, if it is valid; refused (3), naming `parameter` and every
 * fault, if it is not.
 */
export function readSettings(
  tag: SettingsTag,
  document: unknown,
  parameter: string,
): { readonly document: SettingsDocument } | Refusal {
  const unseen = unseenMember(document);
  if (unseen !== undefined) {
    const sentence = `${tag} is no valid document: ${unseen} is no name of a member`;
    return refuse("invalidParameter", sentence, parameter);
  }
  const parsed = v.safeParse(settingsSchemas[tag] as v.GenericSchema<unknown>, document);
  if (parsed.success) return { document: document as SettingsDocument };
  const faults = parsed.issues.flatMap((issue) => describeIssue(issue));
  const reasons = faults.map(({ path, reason }) => `${path}: ${reason}`).join("; ");
  return refuse("invalidParameter", `${tag} is no valid document: ${reasons}`, parameter);
}

/** A member that valibot would pass over, as its name means something in JavaScript. */
function unseenMember(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, inner] of Object.entries(value)) {
    const unseen = UNSEEN.has(member) ? member : unseenMember(inner);
    if (unseen !== undefined) return unseen;
  }
}
