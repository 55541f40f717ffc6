/**
 * Whose data a folder has: the serial number and the name of the console that it is of stand in the
 * file of it in which the program notes them, so that the data of one console is not taken for that
 * of another unnoticed.
 *
 * @module
 */
import type { Configuration } from "../../core/configuration/configuration.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { keepPrivate, readPrivate } from "./private-text.ts";

const FILE = "console.json";

/**
 * Rejects where a folder has the data of a console with another serial number and nobody gave a
 * configuration: then the demo console would be served on it.
 */
export async function expectOwnData(
  folder: string,
  { device }: Configuration,
  isGiven: boolean,
): Promise<void> {
  const before = await identityIn(folder);
  if (isGiven || before === undefined || before.serial === device.serial) return;
  throw new Error(
    `${folder} is the data of ${before.name} (serial number ${before.serial}), not of the demo ` +
      "console: give its configuration",
  );
}

/** Notes whose data a folder has, and says where it was another console's. */
export async function noteIdentity(
  folder: string,
  { device: { serial, name } }: Configuration,
  say: (line: string) => void,
): Promise<void> {
  const before = await identityIn(folder);
  if (before?.serial === serial && before.name === name) return;
  if (before !== undefined && before.serial !== serial) {
    say(
      `${folder} was the data of ${before.name} (serial number ${before.serial}), and is that of ` +
        `${name} (${serial}) from now on`,
    );
  }
  // Where the medium fails, the alarm says so, and the next start notes it.
  await keepPrivate(folder, FILE, JSON.stringify({ serial, name })).catch(() => {});
}

/** Returns what stands in a folder; undefined where nothing does that can be read. */
async function identityIn(folder: string) {
  try {
    const identity: unknown = JSON.parse(await readPrivate(folder, FILE) ?? "");
    if (!isBranch(identity)) return undefined;
    const { serial, name } = identity;
    return typeof serial === "string" && typeof name === "string" ? { serial, name } : undefined;
  } catch {
    return undefined;
  }
}
