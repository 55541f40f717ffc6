/**
 * The console to which the data of a folder belongs: a file of the folder has the serial number and
 * the name of that console, so that the data of one console is not mistaken for the data of
 * another.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { isBranch } from "../core/tree/tree.ts";
import { Failure } from "./failure.ts";
import { warn } from "./print.ts";
import { replaceText } from "./private-file.ts";

const FILE = "console.json";

/** The identity of a console. */
interface Identity {
  readonly serial: string;
  readonly name: string;
}

/**
 * Throws {@link Failure} if a folder has the data of a console with another serial number and no
 * configuration was named: then the demo console would be served on it.
 */
export function expectOwnData(data: string, { device }: Configuration, isNamed: boolean): void {
  const before = identityIn(data);
  if (isNamed || before === undefined || before.serial === device.serial) return;
  throw new Failure(
    `${data} is the data of ${before.name} (serial number ${before.serial}), not of the demo ` +
      "console: name its configuration with --config",
  );
}

/**
 * Notes the console to which the data of a folder belongs, and reports if it was another console
 * before.
 */
export async function noteIdentity(data: string, { device }: Configuration): Promise<void> {
  const { serial, name } = device;
  const before = identityIn(data);
  if (before?.serial === serial && before.name === name) return;
  if (before !== undefined && before.serial !== serial) {
    warn(
      `${data} was the data of ${before.name} (serial number ${before.serial}), and is that of ` +
        `${name} (${serial}) from now on`,
    );
  }
  // If the medium fails, that was reported already, and the next start writes the note.
  await replaceText(`${data}/${FILE}`, `${JSON.stringify({ serial, name })}\n`).catch(() => {});
}

/** Returns the identity in a folder; undefined if none can be read. */
function identityIn(data: string): Identity | undefined {
  try {
    const identity: unknown = JSON.parse(Deno.readTextFileSync(`${data}/${FILE}`));
    if (!isBranch(identity)) return undefined;
    const { serial, name } = identity;
    return typeof serial === "string" && typeof name === "string" ? { serial, name } : undefined;
  } catch {
    return undefined;
  }
}
