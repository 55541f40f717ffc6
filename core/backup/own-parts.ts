/**
 * What of a configuration is the console's own: a restore leaves it as it is, and it does not
 * travel in a backup (decisions.md, "Backup"). `device` and `licenses` say who the console is; its
 * name is in NETWORK. By the names in `hosts` it is reached on its own network, and whether it asks
 * for a token (`auth`, `anonymous`) is for those to say who run it: a backup of another must not
 * open it to everybody. What plays its sound (`engine`) belongs to its hardware. The site key would
 * give away the users in the same archive, and an archive must say neither which programs a console
 * runs (`hooks`) nor that nobody is to know of it (`audit`), or that anybody may watch it
 * (`metrics`). Whether it is announced in its network (`advertise`), and what is to become of
 * changes where the medium fails (`storage`), is for those to say who run it, too.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { canonicalJson } from "../json.ts";
import type { WrittenConfiguration } from "../configuration/schema.ts";

const OWN_PARTS: readonly string[] = [
  "device",
  "licenses",
  "hosts",
  "auth",
  "anonymous",
  "siteKey",
  "engine",
  "hooks",
  "audit",
  "metrics",
  "advertise",
  "storage",
];

/** Answers the own parts of a document, as far as it has them. */
export function ownPartsOf(document: object): object {
  return partsOf(document, (part) => OWN_PARTS.includes(part));
}

/** Answers the own parts in which two documents differ. */
export function differingOwnParts(one: object, other: object): readonly string[] {
  const text = (document: object, part: string) =>
    canonicalJson((document as Readonly<Record<string, unknown>>)[part] ?? null);
  return OWN_PARTS.filter((part) => text(one, part) !== text(other, part));
}

/** Makes a document without own parts: a configuration as a backup holds it. */
export function withoutOwnParts(document: object): object {
  return partsOf(document, (part) => !OWN_PARTS.includes(part));
}

function partsOf(document: object, takes: (part: string) => boolean): object {
  return Object.fromEntries(Object.entries(document).filter(([part]) => takes(part)));
}

/** Answers the part that is not to be in a restored configuration; undefined when none is. */
export function refusedPartIn(document: object): string | undefined {
  return OWN_PARTS.find((part) => part in document);
}

/**
 * Answers what a configuration comes to when `document` (FWCONFIG) and the name `deviceName`
 * (NETWORK) are restored, each if it is given: the very object that it was where nothing changes.
 * `own` are the own parts from then on, where they are others than before.
 */
export function restoredConfiguration(
  { written, device }: Configuration,
  document: object | undefined,
  deviceName = device.name,
  own?: object,
): WrittenConfiguration {
  const named = deviceName === device.name
    ? written
    : { ...written, device: { ...written.device, name: deviceName } };
  return document === undefined
    ? named
    : { ...(own ?? ownPartsOf(named)), ...withoutOwnParts(document) };
}
