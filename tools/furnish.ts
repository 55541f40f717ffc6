/**
 * Fills a console with content for pictures of its view: levels, buttons, snapshots, a picture.
 *
 * @module
 */
import { type Client, connect } from "../client/client.ts";
import { demoConfiguration } from "../core/configuration/demo.ts";
import { startFaderd, temporaryFolder, tokenIn } from "../tests/program/faderd.ts";

const COLOURS = ["1f6feb", "b62324", "238636", "9e6a03", "6e40c9"];
const NAMES =
  ("Opener, News bed, Traffic, Weather, Sports, Jingle A, Jingle B, Jingle C, Sweeper, " +
    "Laughter, Applause, Rimshot, Station ID, Top of the hour, Competition, Phone-in, Outro, Stab 1, " +
    "Stab 2, Drone, Rewind, Airhorn, Crickets, Countdown, Hold music, Emergency").split(", ");

/** The levels of the first faders, in dB. */
const LEVELS = [0, -6, -12, -160, -8.5, -20, -3, -160];

/** A demo console with simulated sound, and with content for pictures. */
export interface FurnishedConsole extends AsyncDisposable {
  readonly url: string;
  /** The token of its admin. */
  readonly token: string;
  /** A client of the admin; the buttons exist until it is closed. */
  readonly client: Client;
}

/**
 * Starts such a console, in a process and with a folder of its own; disposal ends the process and
 * removes the folder.
 */
export async function startFurnished(): Promise<FurnishedConsole> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryFolder());
  const configuration = `${path}/configuration.json`;
  Deno.writeTextFileSync(
    configuration,
    JSON.stringify({ ...demoConfiguration, engine: "simulated" }),
  );
  const args = ["--data", `${path}/data`, "--config", configuration];
  const { url, stdout } = stack.use(await startFaderd(...args));
  const token = tokenIn(stdout);
  const picture = Deno.readFileSync(new URL("../view/icons/icon-512.png", import.meta.url));
  const client = stack.use(await furnish(url, token, picture));
  const started = stack.move();
  return { url, token, client, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** Furnishes the console at `url`. */
async function furnish(url: string, token: string, picture: Uint8Array): Promise<Client> {
  const desk = connect(`${url.replace("http", "ws")}/api/ws`, { token });
  await desk.ready();
  for (const [fader, level] of LEVELS.entries()) {
    const on = level > -160;
    await desk.set(`/audio/mixers/0/faders/${fader}`, { fader: level, on });
  }
  await desk.rpc("registerextlist", { list: 1 });
  const entries = NAMES.map((label, at) => ({
    label,
    ...(at % 3 === 0 ? {} : { color: COLOURS[at % COLOURS.length]!, background: at % 2 === 0 }),
    disabled: at === 7,
  }));
  await desk.rpc("setextlist", { list: 1, entries });
  await desk.rpc("pressextlist", { list: 1, entry: 4, on: 1 });
  const groups = { writegroups: 1, readgroups: 0 };
  const saved = [["Morning show", 0], ["Evening", 0], ["Football", 3]] as const;
  for (const [name, readgroups] of saved) {
    await desk.rpc("savesnapshot", { type: 2, id: "", name, ...groups, readgroups });
  }
  const list = await desk.rpc("getsnapshotlist", { type: 2 });
  await desk.rpc("loadsnapshot", { id: list.find(({ name }) => name === "Evening")!.id });
  await desk.rpc("fadetovalue", { fader: 4, time: 30, value: -160 });
  const form = new FormData();
  form.set("file", new File([picture as Uint8Array<ArrayBuffer>], "logo.png"));
  const answer = await fetch(`${url}/action/updatepic?ObjectID=1`, { method: "POST", body: form });
  await answer.body?.cancel();
  return desk;
}
