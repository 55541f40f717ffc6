/**
 * The name of this machine.
 *
 * @module
 */

/**
 * The file of the name in Linux. Other ways to read it need a permission that the service does not
 * have.
 */
const FILE = "/etc/hostname";

/** Returns the name of this machine; undefined if it cannot be read. */
export function machineName(file = FILE): string | undefined {
  let text: string;
  try {
    text = Deno.readTextFileSync(file);
  } catch {
    return undefined;
  }
  // Text after a # is a comment (hostname(5)).
  return text.replaceAll(/#.*/g, "").trim().split(/\s/)[0] || undefined;
}
