/**
 * Runs other programs for tasks.
 *
 * @module
 */

/** Runs a command; returns its output. Throws with all of its output if it fails. */
export async function run(command: string, args: string[], cwd: URL): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, cwd }).output();
  const said = new TextDecoder().decode(stdout);
  if (success) return said;
  throw new Error(`${command} ${args.join(" ")}\n${said}${new TextDecoder().decode(stderr)}`);
}
