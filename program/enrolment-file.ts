/**
 * The enrolment of a console in a fleet: `fleet.json` in the data folder, which holds the token by
 * which its hubs know it.
 *
 * @module
 */
import * as v from "valibot";
import { reasonOf } from "../core/errors.ts";
import { readHubAddress } from "../core/configuration/hub-address.ts";
import { type ConsoleId, FLEET_ID } from "../fleet/wire.ts";
import { Failure } from "./failure.ts";
import { warn } from "./print.ts";
import { folderTexts, replacementOf, replaceText, streamed } from "./private-file.ts";

/** The enrolment of a console. */
export interface KeptEnrolment {
  readonly console: ConsoleId;
  readonly token: string;
  readonly organisation: string;
  /** The addresses of the hubs, for WebSockets (`wss://`). */
  readonly hubs: readonly string[];
  readonly site: string;
  /** Certificates, PEM, that alone vouch for the hubs; undefined for public authorities. */
  readonly ca?: string | undefined;
}

const schema = v.object({
  console: v.pipe(v.string(), v.regex(FLEET_ID)),
  token: v.pipe(v.string(), v.minLength(1)),
  organisation: v.string(),
  hubs: v.pipe(
    v.array(v.pipe(v.string(), v.check((text) => readHubAddress(text) === text))),
    v.minLength(1),
  ),
  site: v.string(),
  ca: v.optional(v.string()),
});

const FILE = "fleet.json";

/** Returns the path of the enrolment in a data folder. */
export function enrolmentFile(data: string): string {
  return `${data}/${FILE}`;
}

/**
 * Reads the enrolment of a data folder; undefined if there is none. A file that cannot be read is
 * reported on standard error, and the console starts without its fleet.
 */
export function readEnrolment(data: string): KeptEnrolment | undefined {
  const file = enrolmentFile(data);
  try {
    const read = v.safeParse(schema, JSON.parse(Deno.readTextFileSync(file)));
    if (read.success) return read.output;
    warn(`${file} is no enrolment; enrol the console again (faderd fleet enrol)`);
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return undefined;
    warn(`${file} cannot be read, so the console is in no fleet: ${reasonOf(fault)}`);
  }
}

/**
 * Throws {@link Failure} if the enrolment of a data folder cannot be read, because the console would
 * lose its id, or if it cannot be replaced.
 */
export async function expectReplaceable(data: string): Promise<void> {
  const file = enrolmentFile(data);
  try {
    await folderTexts(data).read(FILE);
    await using _unused = await replacementOf(file, streamed(""));
  } catch (fault) {
    throw new Failure(`${file} cannot be read and replaced: ${reasonOf(fault)}`);
  }
}

/** Keeps the enrolment in a data folder, in place of an earlier one. */
export function keepEnrolment(data: string, enrolment: KeptEnrolment): Promise<void> {
  return replaceText(enrolmentFile(data), `${JSON.stringify(enrolment, null, 2)}\n`);
}
