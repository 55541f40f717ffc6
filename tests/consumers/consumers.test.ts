/**
 * The console and foreign consumers of Ember+: those of both libraries on npm, in Node. Their
 * versions are in `package-lock.json` beside this file; they are installed on the first run.
 */
import { assertEquals } from "@std/assert";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { set } from "../../core/tree/set.ts";
import { find, parsePath } from "../../core/tree/tree.ts";
import { demoWith, type Json, result, until } from "../service.ts";
import { type EmberService, startEmber } from "../transport/ember/consumer.ts";
import { folder, install, installed } from "./install.ts";

const LIBRARIES = ["emberplus-connection", "node-emberplus"];

const configuration = demoWith({
  ember: { listen: "127.0.0.1:0", may: "configure" },
});

/** A foreign consumer, in a process of its own. */
interface Peer extends AsyncDisposable {
  ask(action: string, ...args: unknown[]): Promise<Json>;
  /** The events that it has sent, each with the time of its arrival in monotonic ms. */
  readonly events: readonly Json[];
}

async function start(library: string, { port }: EmberService): Promise<Peer> {
  const process = new Deno.Command("node", {
    args: [`${folder}${library}.mjs`, String(port)],
    cwd: installed,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const answers = new Map<number, Json>();
  const events: Json[] = [];
  const writer = process.stdin.getWriter();
  let lastId = 0;

  async function read(): Promise<void> {
    let text = "";
    for await (
      const part of process.stdout.pipeThrough(new TextDecoderStream())
    ) {
      const lines = (text + part).split("\n");
      text = lines.pop()!;
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.id === undefined) {
          events.push({ ...message, at: performance.now() });
        } else answers.set(message.id, message);
      }
    }
  }

  const reading = read();
  async function ask(action: string, ...args: unknown[]): Promise<Json> {
    const id = ++lastId;
    await writer.write(
      new TextEncoder().encode(`${JSON.stringify({ id, action, args })}\n`),
    );
    await until(() => answers.has(id));
    const { result, error } = answers.get(id);
    if (error !== undefined) throw new Error(`${library}, ${action}: ${error}`);
    return result;
  }

  await ask("connect");
  return {
    ask,
    events,
    async [Symbol.asyncDispose]() {
      await ask("disconnect");
      await writer.close();
      await process.status;
      await reading;
    },
  };
}

await install();

for (const library of LIBRARIES) {
  const test = (
    sentence: string,
    run: (peer: Peer, service: EmberService) => Promise<void>,
  ) =>
    Deno.test(`${library} ${sentence}`, async () => {
      await using service = await startEmber(configuration);
      await using peer = await start(library, service);
      await run(peer, service);
      const complaints = peer.events.filter(({ event }) => event === "warn" || event === "error");
      assertEquals(complaints, []);
      assertEquals(service.faults, []);
    });

  test("reads directories, values and ranges", async (peer) => {
    const device: [number, string][] = await peer.ask("directory", "1");
    assertEquals(
      device.slice(0, 4).map(([number, identifier]) => [number, identifier]),
      [
        [1, "Identity"],
        [2, "GPI"],
        [3, "GPO"],
        [4, "Channels"],
      ],
    );
    assertEquals((await peer.ask("directory", "1.1"))[2], [
      3,
      "Product",
      "demo",
    ]);
    assertEquals(await peer.ask("parameter", "1.4.1.1"), {
      value: -160,
      minimum: -160,
      maximum: 10,
      format: "%.1f dB",
    });
    assertEquals(await peer.ask("directory", "1.10.16.20.2.22"), []);
  });

  test(
    "sets values of all types, and is told what is in force",
    async (peer, { console }) => {
      const at = (path: string) => find(console.state.tree, parsePath(path));
      assertEquals(await peer.ask("set", "1.4.1.1", -12.5), -12.5);
      assertEquals(await peer.ask("set", "1.4.1.1", 99.5), 10);
      assertEquals(await peer.ask("set", "1.2.2", false), false);
      assertEquals(await peer.ask("set", "1.4.1.5", "Änne"), "Änne");
      assertEquals(at("/audio/mixers/0/faders/0/fader"), 10);
      assertEquals(at("/control/logics/2/value"), false);
      assertEquals(at("/audio/mixers/0/faders/0/label"), "Änne");
    },
  );

  test(
    "follows a fade on the grid of 20 ms, at most 25 times a second",
    async (peer, service) => {
      const { console } = service;
      const path = "/audio/mixers/0/faders/0/fader";
      await result(console, set(path, 0));
      await peer.ask("follow", "1.4.1.1");
      const steps = new Set<number>();
      console.watch((_event, { tree }) => void steps.add(find(tree, parsePath(path)) as number));
      const fade = { mixer: 0, fader: 0, seconds: 2, value: -60 };
      await console.dispatch(fadeToValue(fade), { isDevice: true });
      const levels = () => peer.events.filter(({ event }) => event === "value");
      await until(() => levels().at(-1)?.value === -60);
      const followed = levels();
      assertEquals(followed.filter(({ value }) => !steps.has(value)), []);
      assertEquals(
        followed.length > 10 && followed.length <= 52,
        true,
        `${followed.length} updates`,
      );
    },
  );

  test("takes a route in the matrix", async (peer, { console }) => {
    assertEquals(await peer.ask("matrix", "1.6.1"), [[1, [1]], [2, [2]]]);
    assertEquals(await peer.ask("take", "1.6.1", 1, 2), [2]);
    assertEquals(
      find(console.state.tree, parsePath("/audio/routing/routes/1")),
      "2",
    );
  });

  test("calls functions, and gets their results", async (peer) => {
    const { success, result } = await peer.ask("invoke", "1.9.2", 2, 0);
    assertEquals(success, true);
    assertEquals(JSON.parse(result)[0].id, "default");
    assertEquals(
      await peer.ask("invoke", "1.9.5", 99, "Anna").then(({ success }) => success),
      false,
    );
  });

  // The other library takes the tag of streams for that of one stream.
  if (library === "emberplus-connection") {
    test(
      "hears meters once it subscribes to them",
      async (peer, { console }) => {
        await result(
          console,
          set("/audio/mixers/0/faders/4", { on: true, fader: 0 }),
        );
        await peer.ask("subscribe", "1.10.28.33.2.35");
        await until(() => peer.events.filter(({ event }) => event === "stream").length > 10);
        const values = peer.events.filter(({ event }) => event === "stream")
          .map((
            { value },
          ) => value);
        assertEquals(new Set(values).size > 2, true);
      },
    );
  }

  test("expands the device down to each channel", async (peer) => {
    // 16 channels with 5 parameters each.
    assertEquals(await peer.ask("expand", "1.4"), 1 + 16 * 6);
    assertEquals(await peer.ask("expand", "1.6") > 6, true);
  });
}
