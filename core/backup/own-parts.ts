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

/** What {@linkcode withOwnParts} made of a document last: the same again where it would be equal. */
const whole = new WeakMap<object, WrittenConfiguration>();

/** A restored configuration with the console's own parts. */
export function withOwnParts(
  restored: object,
  { siteKey, hooks }: WrittenConfiguration,
): WrittenConfiguration {
  const before = whole.get(restored);
  if (before !== undefined && before.siteKey === siteKey && before.hooks === hooks) return before;
  const written = {
    ...restored,
    ...(siteKey === undefined ? {} : { siteKey }),
    ...(hooks === undefined ? {} : { hooks }),
  } as WrittenConfiguration;
  whole.set(restored, written);
  return written;
}
