/**
 * The tags of a backup: the content of each, and the devices to which it applies (service.md,
 * "Backup tags").
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { LICENSES } from "../configuration/schema.ts";
import { type Refusal, refuse } from "../errors.ts";
import { BACKUP_FILE_BYTES, SETTINGS_BYTES } from "../limits.ts";
import { shown } from "../shown.ts";

/** One row of the table of tags. */
interface TagRow {
  readonly appliesTo: "all devices" | "core devices" | "AES67";
  /** The name of its file in an archive, or of the folder of its files. */
  readonly file: string;
  /** Maximum size of one of its files, in bytes. */
  readonly bytes: number;
}

/** Every tag but `ALL`, in the order in which their files stand in an archive. */
export const tagTable = {
  /** Device configuration from the configuration tool. */
  FWCONFIG: { appliesTo: "core devices", file: "fwconfig.json", bytes: BACKUP_FILE_BYTES },
  /** IP addresses, device name, subnet masks. */
  NETWORK: { appliesTo: "all devices", file: "network.json", bytes: SETTINGS_BYTES },
  /** Time zone and DST settings. */
  TIMEZONE: { appliesTo: "all devices", file: "timezone.json", bytes: SETTINGS_BYTES },
  /** The device's TLS certificate, with its key. */
  TLS: { appliesTo: "all devices", file: "tls.pem", bytes: SETTINGS_BYTES },
  /** Settings of the manage-services page. */
  SERVICES: { appliesTo: "all devices", file: "services.json", bytes: SETTINGS_BYTES },
  /** Syslog settings. */
  LOG: { appliesTo: "all devices", file: "log.json", bytes: SETTINGS_BYTES },
  /** SNMP settings. */
  SNMP: { appliesTo: "all devices", file: "snmp.json", bytes: SETTINGS_BYTES },
  /** Encrypted user database. */
  USERS: { appliesTo: "core devices", file: "users.bin", bytes: BACKUP_FILE_BYTES },
  /** All mixer snapshots. */
  MXSNAPS: { appliesTo: "core devices", file: "mxsnaps/", bytes: BACKUP_FILE_BYTES },
  /** All channel and processing snapshots. */
  CHSNAPS: { appliesTo: "core devices", file: "chsnaps/", bytes: BACKUP_FILE_BYTES },
  /** Snapshot zero of each virtual mixer. */
  SNAPZERO: { appliesTo: "core devices", file: "snapzero.json", bytes: BACKUP_FILE_BYTES },
  /** AES67 configuration. */
  AES67CONFIG: { appliesTo: "AES67", file: "aes67config.json", bytes: SETTINGS_BYTES },
  /** View documents. An addition to the specification. */
  VIEW: { appliesTo: "all devices", file: "view.json", bytes: BACKUP_FILE_BYTES },
} as const satisfies Readonly<Record<string, TagRow>>;

/** A tag other than `ALL`. */
export type Tag = keyof typeof tagTable;

/** Every tag but `ALL`. */
export const tagNames = Object.keys(tagTable) as readonly Tag[];

/** The parameter that names tags, on every interface. */
const TAGS = "Tags";

/** The requested tags, or all that apply to the device. */
export type AskedTags = readonly Tag[] | "ALL";

/**
 * Reads a comma-separated list of tags. Refused (3), naming `Tags`: an empty list, an unknown tag,
 * a repeated tag, and `ALL` together with another tag.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(readTags("TLS,USERS"), ["TLS", "USERS"]);
 * assertEquals(readTags("ALL"), "ALL");
 * ```
 */
export function readTags(text: string): AskedTags | Refusal {
  const tags = text.split(",").map((tag) => tag.trim());
  const expected = `expected ALL or some of ${tagNames.join(", ")}`;
  for (const [at, tag] of tags.entries()) {
    if (tag === "") return refuse("invalidParameter", `${expected}, got an empty one`, TAGS);
    if (tag !== "ALL" && !Object.hasOwn(tagTable, tag)) {
      return refuse("invalidParameter", `${expected}, got ${shown(tag)}`, TAGS);
    }
    if (tags.indexOf(tag) !== at) {
      return refuse("invalidParameter", `expected each tag once, got ${tag} twice`, TAGS);
    }
  }
  if (!tags.includes("ALL")) return tags as Tag[];
  return tags.length === 1
    ? "ALL"
    : refuse("invalidParameter", "no other tag may be combined with ALL", TAGS);
}

/**
 * Returns the requested tags for this device, in the order of the table. Refuses (3), naming
 * `Tags`, a tag that does not apply to the kind or the licenses of the device.
 */
export function tagsFor(configuration: Configuration, asked: AskedTags): readonly Tag[] | Refusal {
  if (asked === "ALL") return tagNames.filter((tag) => applies(tag, configuration));
  const foreign = asked.find((tag) => !applies(tag, configuration));
  if (foreign === undefined) return tagNames.filter((tag) => asked.includes(tag));
  const { kind } = configuration.device;
  const license = kind === "core" ? ` without license ${LICENSES.aes67}` : "";
  const sentence = `${foreign} does not apply to a device of kind ${kind}${license}`;
  return refuse("invalidParameter", sentence, TAGS);
}

function applies(tag: Tag, { device, licenses }: Configuration): boolean {
  switch (tagTable[tag].appliesTo) {
    case "all devices":
      return true;
    case "core devices":
      return device.kind === "core";
    case "AES67":
      return device.kind === "aes67" ||
        device.kind === "core" && licenses.includes(LICENSES.aes67);
  }
}

/**
 * Refuses a restore of tags that an archive lacks, except for tags that it `mayLack`; undefined if
 * it has all others.
 */
export function lackRefusal(
  wanted: readonly Tag[],
  there: readonly Tag[],
  mayLack: readonly Tag[],
): Refusal | undefined {
  const lacking = wanted.find((tag) => !there.includes(tag) && !mayLack.includes(tag));
  return lacking === undefined
    ? undefined
    : refuse("invalidParameter", `the archive has no ${lacking}`, TAGS);
}

const SNAPSHOT_FILE = /^(mxsnaps\/|chsnaps\/)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.sfp$/;

/** Returns the tag of a file of an archive; undefined if no file of a backup has this name. */
export function tagOfFile(name: string): Tag | undefined {
  const file = SNAPSHOT_FILE.exec(name)?.[1] ?? (name.endsWith("/") ? undefined : name);
  return tagNames.find((tag) => tagTable[tag].file === file);
}
