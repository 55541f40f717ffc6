/**
 * The own parts of a configuration, which belong to one console: a restore does not change them,
 * and a backup does not contain them (decisions.md, "Backup"). `device` and `licenses` are the
 * identity of the console; its name is in NETWORK. `hosts` are its names on its own network.
 * `auth`, `anonymous`, `audit`, `metrics`, `advertise`, `ember` and `ecp` decide about access and
 * its records, `hooks` names programs to run, and `storage` sets the behaviour on a failing medium:
 * a backup of another console must not change any of these. `fleet` says who else may operate the
 * console. `engine` belongs to the hardware, and the site key would give away the users in the same
 * archive.
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
  "ember",
  "ecp",
  "storage",
  "fleet",
];

/** Returns the own parts of a document. */
export function ownPartsOf(document: object): object {
  return partsOf(document, (part) => OWN_PARTS.includes(part));
}

/** Returns the own parts that differ between two documents. */
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

/**
 * Returns the name of an own part in a restored configuration, which must not be there; undefined
 * if there is none.
 */
export function refusedPartIn(document: object): string | undefined {
  return OWN_PARTS.find((part) => part in document);
}

/**
 * Returns the configuration after a restore of `document` (FWCONFIG) and of the name `deviceName`
 * (NETWORK), each if given. Returns the present object if no document is given and the name stays.
 * `own` are the new own parts, if they differ from the present ones.
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
