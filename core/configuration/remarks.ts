import type { Configuration } from "./configuration.ts";
import { LICENSES } from "./schema.ts";

/**
 * Returns a sentence for each possible mistake in a valid configuration: a console without mixers,
 * and licenses that this version does not know.
 */
export function remarksOn({ licenses, mixers }: Configuration): readonly string[] {
  const known: readonly string[] = Object.values(LICENSES);
  const unknown = licenses.filter((license) => !known.includes(license));
  const named = unknown.map((license) => JSON.stringify(license)).join(", ");
  return [
    ...(mixers.length === 0 ? ["the configuration has no mixer, so there is nothing to mix"] : []),
    ...(unknown.length === 0
      ? []
      : [`licenses: unknown ${named}; the known licenses are ${known.join(", ")}`]),
  ];
}
