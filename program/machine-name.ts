/**
 * What this machine is called.
 *
 * @module
 */

/**
 * Linux keeps the name here; to ask for it otherwise takes a right that the service does without.
 */
const FILE = "/etc/hostname";

/** Returns the name of this machine; undefined where it cannot be read. */
export function machineName(file = FILE): string | undefined {
  let text: string;
  try {
    text = Deno.readTextFileSync(file);
  } catch {
    return undefined;
  }
  // What stands after a # is a comment (hostname(5)).
  return text.replaceAll(/#.*/g, "").trim().split(/\s/)[0] || undefined;
}
