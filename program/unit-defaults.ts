/**
 * The options with which the unit of the Debian package starts the service.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { Failure } from "./failure.ts";

/** The settings in the file of the unit, and the paths that the unit itself names. */
export interface UnitDefaults {
  readonly data: string;
  readonly config: string;
  readonly listen: string | undefined;
  readonly listenTls: string | undefined;
  /** The programs that the service may run; undefined if it may run any. */
  readonly mayRun: readonly string[] | undefined;
}

/** The file of the package; the unit names the other two. */
const FILE = "/etc/default/faderd";
const DATA = "/var/lib/faderd";
const CONFIG = "/etc/faderd/console.json";

/**
 * Reads the file; without a name, the file of the package, or undefined if that does not exist.
 * Throws {@link Failure} if a named file cannot be read.
 */
export function unitDefaults(named?: string): UnitDefaults | undefined {
  let text: string;
  try {
    text = Deno.readTextFileSync(named ?? FILE);
  } catch (fault) {
    if (named === undefined) return undefined;
    throw new Failure(`--defaults ${named} cannot be read: ${reasonOf(fault)}`);
  }
  // Of several lines systemd takes the last.
  const valueOf = (variable: string) =>
    [...text.matchAll(new RegExp(`^${variable}=["']?([^"'\n]*)`, "gm"))].at(-1)?.[1] ?? "";
  const options = valueOf("FADERD_OPTIONS");
  const optionOf = (name: string) => new RegExp(`--${name}[= ]+(\\S+)`).exec(options)?.[1];
  return {
    data: optionOf("data") ?? DATA,
    config: optionOf("config") ?? CONFIG,
    listen: optionOf("listen"),
    listenTls: optionOf("listen-tls"),
    mayRun: programsIn(valueOf("FADERD_PERMISSIONS")),
  };
}

/** Returns the programs that may be run; undefined if any may be. */
function programsIn(permissions: string): string[] | undefined {
  const listed = [...permissions.matchAll(/--allow-run=(\S+)/g)]
    .flatMap(([, list]) => list!.split(","));
  // Deno takes a list as a limit wherever it stands.
  return listed.length === 0 && /--allow-run(\s|$)/.test(permissions) ? undefined : listed;
}
