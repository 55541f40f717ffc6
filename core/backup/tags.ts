/**
 * The tags of a backup: what each stands for and to which devices it applies (service.md, "Backup
 * tags").
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { LICENSES } from "../configuration/schema.ts";
import { type Refusal, refuse } from "../errors.ts";
import { BACKUP_FILE_BYTES, SETTINGS_BYTES } from "../limits.ts";
import { shown } from "../shown.ts";

/** One row of the specification's table. */
interface TagRow {
  readonly content: string;
  readonly appliesTo: "all devices" | "core devices" | "AES67";
  /** Its file in an archive, or the folder of its files. */
  readonly file: string;
  /** The most bytes in one file of it. */
  readonly bytes: number;
}

function row(
  file: string,
  appliesTo: TagRow["appliesTo"],
  content: string,
  bytes = SETTINGS_BYTES,
): TagRow {
  return { content, appliesTo, file, bytes };
}

const [ALL, CORE, LARGE] = ["all devices", "core devices", BACKUP_FILE_BYTES] as const;

/** Every tag but `ALL`, in the order in which their files stand in an archive. */
export const tagTable = {
  FWCONFIG: row("fwconfig.json", CORE, "device configuration from the configuration tool", LARGE),
  NETWORK: row("network.json", ALL, "IP addresses, device name, subnet masks"),
  TIMEZONE: row("timezone.json", ALL, "time zone and DST settings"),
  TLS: row("tls.pem", ALL, "the device's TLS certificate, with its key"),
  SERVICES: row("services.json", ALL, "settings of the manage-services page"),
  LOG: row("log.json", ALL, "syslog settings"),
  SNMP: row("snmp.json", ALL, "SNMP settings"),
  USERS: row("users.bin", CORE, "encrypted user database", LARGE),
  MXSNAPS: row("mxsnaps/", CORE, "all mixer snapshots", LARGE),
  CHSNAPS: row("chsnaps/", CORE, "all channel and processing snapshots", LARGE),
  SNAPZERO: row("snapzero.json", CORE, "snapshot zero of each virtual mixer", LARGE),
  AES67CONFIG: row("aes67config.json", "AES67", "AES67 configuration"),
};

/** A tag other than `ALL`. */
export type Tag = keyof typeof tagTable;

/** Every tag but `ALL`. */
export const tagNames = Object.keys(tagTable) as readonly Tag[];

/** The parameter that names tags, on every interface. */
const TAGS = "Tags";

/** What somebody asks for: tags, or all that apply to the device. */
export type AskedTags = readonly Tag[] | "ALL";

/**
 * Reads a comma-separated list of tags. Refused (3), naming `Tags`: none, an unknown or a doubled
 * one, `ALL` with another.
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
  const expected = `expected ALL or tags of ${tagNames.join(", ")}`;
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
 * The tags that are meant on this device, in the table's order. Refused (3), naming `Tags`: one that
 * does not apply to its kind or its licenses.
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

/** The refusal of a restore that wants what an archive lacks; undefined when it lacks nothing. */
export function lackRefusal(wanted: readonly Tag[], there: readonly Tag[]): Refusal | undefined {
  const lacking = wanted.find((tag) => !there.includes(tag));
  return lacking === undefined
    ? undefined
    : refuse("invalidParameter", `the archive has no ${lacking}`, TAGS);
}

const SNAPSHOT_FILE = /^(mxsnaps\/|chsnaps\/)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.sfp$/;

/** The tag that a file of an archive belongs to; undefined for a name that no backup has. */
export function tagOfFile(name: string): Tag | undefined {
  const file = SNAPSHOT_FILE.exec(name)?.[1] ?? (name.endsWith("/") ? undefined : name);
  return tagNames.find((tag) => tagTable[tag].file === file);
}
