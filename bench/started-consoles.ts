/**
 * The consoles of a bench of fleets, in processes of their own (`bench/fleet-consoles.ts`). There
 * are two processes, so that the consoles can use both cores.
 *
 * @module
 */
import { cpuClock } from "./process.ts";

/** Number of processes. */
const PROCESSES = 2;

/** Consoles that are enrolled and approved. */
export interface StartedConsoles {
  readonly ids: readonly string[];
  /** Sets the number of changes per second that all consoles make together. */
  change(perSecond: number): Promise<void>;
  /** Returns the times of all fader changes since the last call, in ms since 1970. */
  begun(): Promise<readonly number[]>;
  /** Returns the CPU time of the processes in seconds. */
  cpuSeconds(): number;
  /** Ends the processes. */
  stop(): Promise<void>;
}

/** Starts consoles that dial the first of the hubs, and the other hubs when it is lost. */
export async function startConsoles(
  hubs: readonly string[],
  token: string,
  count: number,
): Promise<StartedConsoles> {
  const shares = Array.from(
    { length: PROCESSES },
    (_, at) => Math.floor((count + at) / PROCESSES),
  );
  const started = shares.map((share) => startProcess(hubs, token, share));
  const ids = (await Promise.all(started.map(({ answer }) => answer()))).flat() as string[];
  return {
    ids,
    async change(perSecond) {
      await Promise.all(started.map(({ say }) => say(String(perSecond / PROCESSES))));
    },
    async begun() {
      await Promise.all(started.map(({ say }) => say("begun")));
      return (await Promise.all(started.map(({ answer }) => answer()))).flat() as number[];
    },
    cpuSeconds: () => started.reduce((sum, { cpuSeconds }) => sum + cpuSeconds(), 0),
    async stop() {
      await Promise.all(started.map(({ stop }) => stop()));
    },
  };
}

function startProcess(hubs: readonly string[], token: string, count: number) {
  const flags = ["run", "--no-check", "--allow-all", "bench/fleet-consoles.ts"];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...flags, hubs.join(), token, String(count)],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const encoder = new TextEncoder();
  return {
    cpuSeconds: cpuClock(child.pid),
    say: (line: string) => input.write(encoder.encode(`${line}\n`)),
    /** Reads the next line: the answer to the last line that was sent. */
    async answer(): Promise<readonly unknown[]> {
      let line = "";
      while (!line.endsWith("\n")) {
        const { value, done } = await output.read();
        if (done) throw new Error("the consoles have ended");
        line += value;
      }
      return JSON.parse(line);
    },
    async stop() {
      await input.close();
      await child.status;
    },
  };
}
