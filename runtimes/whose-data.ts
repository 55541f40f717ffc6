/**
 * The console to which the data of a folder belongs: a file of the folder has the serial number and
 * the name of that console, so that the data of one console is not mistaken for the data of
 * another.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { isBranch } from "../core/tree/tree.ts";
import type { FolderTexts } from "./folder-texts.ts";

const FILE = "console.json";

/**
 * Rejects with a `failure` of the texts if a folder has the data of a console with another serial
 * number: for a start without a configuration, which would serve the demo console on it. `advice`
 * says how to give one.
 */
export async function expectOwnData(
  texts: FolderTexts,
  { device }: Configuration,
  advice: string,
): Promise<void> {
  const before = await identityIn(texts);
  if (before === undefined || before.serial === device.serial) return;
  throw texts.failure(
    `${texts.folder} is the data of ${before.name} (serial number ${before.serial}), not of the ` +
      `demo console: ${advice}`,
  );
}

/**
 * Notes the console to which the data of a folder belongs, and reports if it was another console
 * before.
 */
export async function noteIdentity(
  texts: FolderTexts,
  { device: { serial, name } }: Configuration,
): Promise<void> {
  const before = await identityIn(texts);
  if (before?.serial === serial && before.name === name) return;
  if (before !== undefined && before.serial !== serial) {
    texts.say(
      `${texts.folder} was the data of ${before.name} (serial number ${before.serial}), and is ` +
        `that of ${name} (${serial}) from now on`,
    );
  }
  // If the medium fails, that was reported already, and the next start writes the note.
  await texts.replace(FILE, JSON.stringify({ serial, name })).catch(() => {});
}

/** Returns the identity in a folder; undefined if none can be read. */
async function identityIn(texts: FolderTexts) {
  try {
    const identity: unknown = JSON.parse(await texts.read(FILE) ?? "");
    if (!isBranch(identity)) return undefined;
    const { serial, name } = identity;
    return typeof serial === "string" && typeof name === "string" ? { serial, name } : undefined;
  } catch {
    return undefined;
  }
}
