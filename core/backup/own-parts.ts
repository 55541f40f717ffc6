/**
 * What of a configuration is the console's own and does not travel in a backup: the site key, which
 * would give away the users in the same archive, and the hooks, since an archive must not say which
 * programs a console runs.
 *
 * @module
 */
import type { WrittenConfiguration } from "../configuration/schema.ts";

const OWN_PARTS = ["siteKey", "hooks"] as const;

/** The configuration as a backup holds it. */
export function withoutOwnParts(written: WrittenConfiguration): WrittenConfiguration {
  const { siteKey: _, hooks: __, ...rest } = written;
  return rest;
}

/** The part that is not to be in a restored configuration; undefined when none is. */
export function ownPartIn(document: object): string | undefined {
  return OWN_PARTS.find((part) => part in document);
}

/** A restored configuration with the console's own parts. */
export function withOwnParts(
  restored: object,
  { siteKey, hooks }: WrittenConfiguration,
): WrittenConfiguration {
  return {
    ...restored,
    ...(siteKey === undefined ? {} : { siteKey }),
    ...(hooks === undefined ? {} : { hooks }),
  } as WrittenConfiguration;
}
