/**
 * The audio engine as a program, without a browser: `deno task engine --url URL --token-file FILE`.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { dirname, resolve } from "node:path";
import { AudioContext, mediaDevices, worklet } from "./web-audio.ts";
import { connect } from "../../../client/client.ts";
import { createEngine } from "../engine.ts";
import { joinConsole } from "../join.ts";
import { openOutput } from "../output.ts";
import { checkWiring, openWiring, tones } from "../wiring-file.ts";

const USAGE = `Usage: deno task engine --url ws://127.0.0.1:8080/api/ws --token-file FILE
  --token-file FILE  where its token stands; --token TOKEN is seen in the list of processes
  --paths P,…     what it reports of, such as /audio/mixers/0; everything, if not given
  --wiring FILE   what each channel sounds like, in JSON; a tone each, if not given
  --sink none     plays to nothing, also where there is a sound device`;

const SAMPLE_RATE = 48_000;

const options = parseArgs(Deno.args, {
  string: ["url", "token", "token-file", "paths", "wiring", "sink"],
  boolean: ["help"],
});

if (options.help || options.url === undefined) {
  say(USAGE);
  Deno.exit(options.help ? 0 : 2);
}

if (options.token !== undefined && options["token-file"] !== undefined) {
  say("expected --token or --token-file, got both");
  Deno.exit(2);
}

const token = options["token-file"] === undefined
  ? options.token
  : orEnd(options["token-file"], () => Deno.readTextFileSync(options["token-file"]!).trim());
const written = options.wiring === undefined ? tones() : orEnd(
  options.wiring,
  () => checkWiring(JSON.parse(Deno.readTextFileSync(options.wiring!))),
);
const { context, sink } = openContext(options.sink);
context.destination.channelCount = context.destination.maxChannelCount;
const wiring = await openWiring(context, written, {
  read: async (path) => (await Deno.readFile(resolve(dirname(options.wiring ?? ""), path))).buffer,
  input: () => mediaDevices.getUserMedia({ audio: true }) as unknown as Promise<MediaStream>,
}).catch((fault) => {
  say(fault.message);
  Deno.exit(2);
});
const output = await openOutput(context, wiring, worklet);
const engine = createEngine(output, wiring);
const desk = connect(options.url, token === undefined ? {} : { token });
desk.onState(({ state, reason }) => say(`${state}: ${reason}`));

try {
  await joinConsole(desk, engine, {
    warn: say,
    ...(options.paths === undefined ? {} : { paths: options.paths.split(",") }),
  });
} catch (fault) {
  say((fault as Error).message);
  await end(1);
}
say(`playing to ${sink}`);
for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => end(0));

/** Opens the sound device, or, where there is none, a clock that plays to nothing. */
function openContext(wanted: string | undefined) {
  const opened = (options: object) =>
    new AudioContext({ sampleRate: SAMPLE_RATE, ...options }) as unknown as
      & globalThis.AudioContext
      & BaseAudioContext;
  const nothing = () => ({ context: opened({ sinkId: { type: "none" } }), sink: "nothing" });
  if (wanted === "none") return nothing();
  try {
    return { context: opened({}), sink: "the sound device" };
  } catch (fault) {
    say(`no sound device: ${(fault as Error).message}`);
    return nothing();
  }
}

/** Reads a file; if that fails, prints why and ends the program. */
function orEnd<Read>(path: string, read: () => Read): Read {
  try {
    return read();
  } catch (fault) {
    say(`${path}: ${(fault as Error).message}`);
    Deno.exit(2);
  }
}

async function end(code: number): Promise<never> {
  await desk.close();
  await context.close();
  Deno.exit(code);
}

function say(sentence: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${sentence}\n`));
}
