/**
 * The schemas of settings documents, which `faderd settings schema` publishes. The service itself
 * uses only the device name and the time zone.
 *
 * @module
 */
import * as v from "valibot";
import type { Configuration } from "../configuration/configuration.ts";
import { createFaults, describeIssue } from "../configuration/faults.ts";
import { deviceName, whole } from "../configuration/schema.ts";
import { type Refusal, refuse } from "../errors.ts";
import { shown } from "../shown.ts";
import type { Settings, SettingsDocument, SettingsTag } from "./documents.ts";
import { isTimeZone } from "./local-time.ts";

export type { Settings, SettingsDocument, SettingsTag } from "./documents.ts";

const text = v.pipe(v.string(), v.maxLength(253));
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(253));
const shortName = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));
const port = whole(1, 65535);
const address = v.pipe(v.string(), v.ip());
const list = <Item extends v.GenericSchema>(item: Item) => v.optional(v.array(item), []);

/** Marks a schema of values that this service does not use. */
const forFirmware = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    schema,
    v.description(
      "no effect on this service: kept for the firmware (hooks.applied)",
    ),
  );

const networkInterface = v.strictObject({
  name: shortName(15),
  dhcp: v.optional(v.boolean(), true),
  address: v.optional(address),
  netmask: v.optional(v.pipe(v.string(), v.ipv4())),
  gateway: v.optional(address),
});

const severities = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"] as const;

const syslogServer = v.strictObject({
  host: name,
  port: v.optional(port, 514),
  protocol: v.optional(v.picklist(["udp", "tcp"]), "udp"),
});

const aes67Stream = v.strictObject({
  name: shortName(64),
  direction: v.picklist(["send", "receive"]),
  address,
  port: v.optional(port, 5004),
  channels: v.optional(whole(1, 64), 2),
});

/** The schema of each settings document. An absent member has the default of the schema. */
export const settingsSchemas = {
  /** NETWORK is the configuration of the network. */
  NETWORK: v.strictObject({
    deviceName: v.optional(v.pipe(
      deviceName,
      v.description(
        "the name of the device: device.name of its configuration; without it, the name stays",
      ),
    )),
    interfaces: v.optional(forFirmware(v.array(networkInterface)), []),
    dns: v.optional(forFirmware(v.array(address)), []),
  }),
  /** TIMEZONE is the time zone, and daylight saving time. */
  TIMEZONE: v.strictObject({
    zone: v.optional(v.pipe(
      v.string(),
      v.check(
        isTimeZone,
        ({ input }) => `expected an IANA time zone like Europe/Berlin, got ${shown(input)}`,
      ),
      v.description(
        "the IANA time zone of default snapshot names and of the names of backups, daylight " +
          "saving time included; without it, that of the machine applies",
      ),
    )),
    dst: v.optional(forFirmware(v.boolean()), true),
    ntp: v.optional(forFirmware(v.array(name)), []),
  }),
  /** SERVICES says which services run, as the manage-services page shows them. */
  SERVICES: forFirmware(v.strictObject({
    services: v.optional(
      v.record(
        v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/, "lower-case letters, digits, '-'")),
        v.strictObject({ enabled: v.boolean(), port: v.optional(port) }),
      ),
      {},
    ),
  })),
  /** LOG says which messages are sent to which syslog servers. */
  LOG: forFirmware(v.strictObject({
    level: v.optional(v.picklist(severities), "info"),
    servers: list(syslogServer),
  })),
  /** SNMP says how the device is watched by SNMP. */
  SNMP: forFirmware(v.strictObject({
    enabled: v.optional(v.boolean(), false),
    community: v.optional(text, "public"),
    location: v.optional(text, ""),
    contact: v.optional(text, ""),
    traps: list(name),
  })),
  /** AES67CONFIG has the streams of AES67. */
  AES67CONFIG: forFirmware(v.strictObject({
    ptpDomain: v.optional(whole(0, 127), 0),
    streams: list(aes67Stream),
  })),
} as const satisfies Readonly<Record<SettingsTag, unknown>>;

const UNSEEN = new Set(["__proto__", "prototype", "constructor"]);

/** Says whether the content of a tag is a settings document. */
export function isSettingsTag(tag: string): tag is SettingsTag {
  return Object.hasOwn(settingsSchemas, tag);
}

/**
 * Returns the document of a tag in the form that a restore accepts; its defaults if it was never
 * restored. NETWORK contains the present name of the device.
 */
export function settingsOf(
  { settings, configuration }: { settings: Settings; configuration: Configuration },
  tag: SettingsTag,
): SettingsDocument {
  const schema: v.GenericSchema<unknown> = settingsSchemas[tag];
  const document = settings.get(tag) ?? v.parse(schema, {}) as SettingsDocument;
  const { name } = configuration.device;
  return tag === "NETWORK" ? { ...document, deviceName: name } : document;
}

/**
 * Returns the document of a tag unchanged if it is valid; otherwise refuses it (3), naming
 * `parameter` and its faults.
 */
export function readSettings(
  tag: SettingsTag,
  document: unknown,
  parameter: string,
): { readonly document: SettingsDocument } | Refusal {
  const unseen = unseenMember(document);
  if (unseen !== undefined) {
    const sentence = `${tag} is not a valid document: ${unseen} is not a name of a member`;
    return refuse("invalidParameter", sentence, parameter);
  }
  const parsed = v.safeParse(settingsSchemas[tag] as v.GenericSchema<unknown>, document);
  if (parsed.success) return { document: document as SettingsDocument };
  const faults = createFaults();
  for (const issue of parsed.issues) describeIssue(issue).forEach(faults.add);
  const reasons = faults.named().map(({ path, reason }) => `${path}: ${reason}`).join("; ");
  return refuse("invalidParameter", `${tag} is not a valid document: ${reasons}`, parameter);
}

/** Finds a member that valibot ignores, because its name has a meaning in JavaScript. */
function unseenMember(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, inner] of Object.entries(value)) {
    const unseen = UNSEEN.has(member) ? member : unseenMember(inner);
    if (unseen !== undefined) return unseen;
  }
}
