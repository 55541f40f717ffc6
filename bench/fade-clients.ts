/**
 * The processes beside the service in `fade.ts`.
 *
 * @module
 */

/** A client in a process of its own. */
export interface Client<Ended> {
  /** Ends it; what it prints then. */
  end(): Promise<Ended>;
}

/** Starts a file of this folder; resolves when it says that it is ready. */
export async function startClient<Ended>(
  file: string,
  args: readonly (string | number)[],
): Promise<Client<Ended>> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", new URL(file, import.meta.url).pathname, ...args.map(String)],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  async function readUntil(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`${file} ended, having said: ${said}`);
      said += value;
    }
  }
  await readUntil(() => said.startsWith("ready\n"));
  return {
    async end() {
      await child.stdin.close();
      await readUntil(() => /\n.+\n$/.test(said));
      await child.status;
      return JSON.parse(said.slice(said.indexOf("\n")));
    },
  };
}
