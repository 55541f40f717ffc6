/** The example of an automation: an hour of radio, played in a second. */
import { assertEquals } from "@std/assert";
import { connect } from "../../../client/client.ts";
import { playHour } from "../../../docs/examples/radio-hour.ts";
import { forNode } from "../../runtimes/node/in-node.ts";
import { startConsole } from "../../../runtimes/node/node.ts";

const WHAT = [
  "the news: the host is open, the music closed",
  "music, and the host is gone",
  "an announcement over the music",
  "music",
  "the music fades",
];

const example = new URL("../../../docs/examples/play-radio-hour.ts", import.meta.url).pathname;

/** For each runtime, by its name: runs an action with the command that plays the hour in it. */
const runtimes: Readonly<
  Record<string, (action: (command: string[]) => Promise<void>) => Promise<void>>
> = {
  Deno: (action) =>
    action([Deno.execPath(), "run", "--no-check", "--no-prompt", "--allow-net", example]),
  Node: async (action) => {
    // Node 20 has no WebSocket.
    await using program = await forNode("docs/examples/play-radio-hour.ts");
    const { code } = await new Deno.Command("node", { args: ["-e", "WebSocket"] }).output();
    if (code === 0) return await action(["node", program.file]);
    await action(["node", "--experimental-websocket", program.file]);
  },
};

for (const [runtime, within] of Object.entries(runtimes)) {
  Deno.test(`an hour of radio is played in ${runtime}, cue by cue`, () =>
    within(async ([program, ...args]) => {
      await using desk = await startConsole();
      const given = [...args, desk.webSocketUrl, desk.token, "3600"];
      const { code, stdout, stderr } = await new Deno.Command(program!, { args: given }).output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      assertEquals(new TextDecoder().decode(stdout).trim().split("\n"), WHAT);
      const client = desk.connect();
      await client.ready();
      using music = await client.mixer(0).fader(1).watch();
      await music.until(({ fader }) => fader === -160);
      assertEquals(await client.get("/audio/mixers/0/faders/0/on"), true);
    }));
}

Deno.test("an hour of radio goes on with the cue that is due once a lost connection is back", async () => {
  const first = await startConsole();
  const port = Number(new URL(first.url).port);
  const desk = connect(first.webSocketUrl);
  await desk.ready();
  const played: string[] = [];
  let restarted: ReturnType<typeof startConsole> | undefined;
  await playHour(desk, {
    speed: 900,
    done(what) {
      played.push(what);
      if (what === WHAT[0]) restarted = first.stop().then(() => startConsole({ port }));
    },
  });
  assertEquals(played.at(0), WHAT[0]);
  assertEquals(played.at(-1), WHAT.at(-1));
  await desk.close();
  await (await restarted!).stop();
});
