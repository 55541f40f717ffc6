import { assert, assertEquals } from "@std/assert";
import { type Json, openSocket, type TestSocket } from "../service.ts";
import { temporaryFolder } from "../program/faderd.ts";
import { services, type Start } from "./services.ts";

/** The real program on a data folder, a client that sends requests, and a subscriber. */
async function serve(start: Start, data: string) {
  const running = await start(data);
  const url = `${running.url.replace("http", "ws")}/api/ws`;
  const client = await openSocket(url);
  const watcher = await openSocket(url);
  return {
    client,
    watcher,
    async end(signal: Deno.Signal): Promise<number> {
      running.kill(signal);
      const { code } = await running.ended();
      await Promise.all([client.closed, watcher.closed]);
      return code;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

function pathOf(fader: number): string {
  return `/audio/mixers/0/faders/${fader}/fader`;
}

async function set(client: TestSocket, fader: number, payload: number): Promise<void> {
  assert((await client.ask({ method: "set", path: pathOf(fader), payload })).success);
}

async function fade(client: TestSocket, fader: number, time: number, value: number): Promise<void> {
  assert((await client.rpc("fadetovalue", { fader, time, value })).success);
}

async function level(client: TestSocket, fader: number): Promise<number> {
  return (await client.ask({ method: "get", path: pathOf(fader) })).payload;
}

/** Takes updates until the level of a fader is as wanted, and returns that level in dB. */
async function seen(
  client: TestSocket,
  fader: number,
  isWanted: (dB: number) => boolean,
): Promise<number> {
  while (true) {
    const { method, payload }: Json = await client.next();
    const dB = method === "update" ? payload.audio.mixers[0].faders[fader]?.fader : undefined;
    if (dB !== undefined && isWanted(dB)) return dB;
  }
}

async function subscribe(client: TestSocket): Promise<void> {
  assert((await client.ask({ method: "subscribe", path: "/audio" })).success);
}

for (const [runtime, withService] of Object.entries(services)) {
  Deno.test(`in ${runtime} after a kill -9 in the middle of a fade a fader is at its last resting level, also where a fade had ended or was replaced`, () =>
    withService(async (start) => {
      await using folder = await temporaryFolder();
      await using before = await serve(start, folder.path);
      for (const fader of [0, 1, 2]) await set(before.client, fader, -40);
      await subscribe(before.watcher);
      await fade(before.client, 2, 30, 0);
      await seen(before.watcher, 2, (dB) => dB > -40);
      await fade(before.client, 1, 30, 0);
      await fade(before.client, 0, 0.1, -20);
      await seen(before.watcher, 0, (dB) => dB === -20);
      await seen(before.watcher, 1, (dB) => dB > -40);
      before.watcher.send({
        method: "rpc",
        msgID: "replace",
        payload: { method: "fadetovalue", params: { fader: 1, time: 20, value: -160 } },
      });
      const passed: number[] = [];
      let answer: Json;
      do {
        answer = await before.watcher.next();
        const dB = answer.payload?.audio?.mixers[0].faders[1].fader;
        if (dB !== undefined) passed.push(dB);
      } while (answer.msgID !== "replace");
      assert(answer.success);
      // The log keeps order: all earlier records are on the medium with this one.
      await set(before.client, 7, -7);
      await before.end("SIGKILL");

      await using after = await serve(start, folder.path);
      assertEquals(await level(after.client, 0), -20);
      assertEquals(await level(after.client, 2), -40);
      assertEquals(await level(after.client, 7), -7);
      const rested = await level(after.client, 1);
      assert(rested > -40 && rested < 0, `it rests at ${rested}`);
      if (passed.length > 0) assertEquals(rested, passed.at(-1));
      await after.end("SIGTERM");
    }));

  Deno.test(`in ${runtime} SIGTERM in the middle of a fade keeps the level at that moment`, () =>
    withService(async (start) => {
      await using folder = await temporaryFolder();
      await using before = await serve(start, folder.path);
      await set(before.client, 0, -40);
      await fade(before.client, 0, 30, 0);
      await subscribe(before.watcher);
      const passed = await seen(before.watcher, 0, (dB) => dB > -40);
      assertEquals(await before.end("SIGTERM"), 0);

      await using after = await serve(start, folder.path);
      const rested = await level(after.client, 0);
      assert(rested >= passed && rested < 0, `it passed ${passed} and rests at ${rested}`);
      await after.end("SIGTERM");
    }));
}
