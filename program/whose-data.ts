/**
 * Whose data a folder has: the serial number and the name of the console that it is of stand in a
 * file of it, so that the data of one console is not taken for that of another unnoticed.
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
 * Throws {@link Failure} where a folder has the data of a console with another serial number and
 * nobody named a configuration: then the demo console would be served on it.
 */
export function expectOwnData(data: string, { device }: Configuration, isNamed: boolean): void {
  const before = identityIn(data);
  if (isNamed || before === undefined || before.serial === device.serial) return;
  throw new Failure(
    `${data} is the data of ${before.name} (serial number ${before.serial}), not of the demo ` +
      "console: name its configuration with --config",
  );
}

/** Notes whose data a folder has, and says where it was another console's. */
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
  // Where the medium fails, that is said already, and the next start notes it.
  await replaceText(`${data}/${FILE}`, `${JSON.stringify({ serial, name })}\n`).catch(() => {});
}

/** Returns what stands in a folder; undefined where nothing does that can be read. */
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
