/**
 * The parts of a configuration that are the console's own: a restore leaves them as they are, and
 * they do not travel in a backup (decisions.md, "Backup"). `device` and `licenses` are the identity
 * of the console; its name is in NETWORK. `hosts` are its names on its own network. `auth`,
 * `anonymous`, `audit`, `metrics` and `advertise` decide who gets in and who hears of it, `hooks`
 * names programs to run, `storage` says what a failing medium means: a backup of another console
 * must not change any of that. `engine` belongs to the hardware, and the site key would give away
 * the users in the same archive.
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
