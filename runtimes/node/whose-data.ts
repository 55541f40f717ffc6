/**
 * The owner of a data folder: the serial number and the name of its console are in the file of the
 * folder that the program uses, too, so that the data of one console is not mistaken for that of
 * another.
 *
 * @module
 */
import type { Configuration } from "../../core/configuration/configuration.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { keepPrivate, readPrivate } from "./private-text.ts";

const FILE = "console.json";

/**
 * Rejects if a folder has the data of a console with another serial number and no configuration was
 * given: otherwise the demo console would be served on it.
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

/** Notes the owner of a folder, and says if it was another console before. */
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
  // If the medium fails, the alarm says so, and the next start notes the owner.
  await keepPrivate(folder, FILE, JSON.stringify({ serial, name })).catch(() => {});
}

/** Returns the noted owner of a folder; undefined if there is none that can be read. */
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
