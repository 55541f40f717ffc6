/** The demo console with its simulated engine, as a process of its own. */
import { assert, assertEquals } from "@std/assert";
import { openSocket, type TestSocket } from "../service.ts";
import { tokenIn } from "./faderd.ts";
import { read, sceneOf } from "./scene.ts";

const fader = "/audio/mixers/0/faders/0";

async function startDemo() {
  const scene = await sceneOf();
  const running = await scene.start();
  const client = await openSocket(`${running.url.replace("http", "ws")}/api/ws`);
  await client.ask({ method: "auth", token: tokenIn(running.stdout) });
  return {
    url: running.url,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await running[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}

/** The next updates, `count` of them. */
async function updates(client: TestSocket, count: number) {
  const payloads = [];
  while (payloads.length < count) {
    const message = await client.next();
    if (message.method === "update") payloads.push(message.payload);
  }
  return payloads;
}

Deno.test("the meters of the demo console move, for subscribers and for a get", async () => {
  await using demo = await startDemo();
  const { client, url } = demo;
  // Music: on the fader "Playout A".
  const playing = "/audio/mixers/0/faders/4";
  await client.ask({ method: "set", path: playing, payload: { on: true, fader: 0 } });
  assert(await read({ url }, "audio/levels/1/_left") > -40);
  await client.ask({ method: "subscribe", path: "/audio/levels/1" });
  const from = performance.now();
  const shown = (await updates(client, 11)).map(({ audio }) => audio.levels[1]._left);
  const ms = performance.now() - from;
  assert(ms > 360, `11 reports in ${ms} ms`);
  assert(new Set(shown).size > 5, `${shown}`);
  client.send({ method: "set", path: playing, payload: { on: false } });
  let left = Infinity;
  while (!(left < shown.at(-1) - 3)) left = (await updates(client, 1))[0].audio.levels[1]._left;
});

Deno.test("the red light of the demo console follows its microphones", async () => {
  await using demo = await startDemo();
  const { client } = demo;
  // The demo starts on air.
  for (const id of [0, 1]) {
    await client.ask({ method: "set", path: `/audio/mixers/0/faders/${id}/on`, payload: false });
  }
  await client.ask({ method: "subscribe", path: "/control/logics/1" });
  const lights = [];
  for (const payload of [{ on: true, fader: -10 }, { fader: -12 }, { fader: -160 }]) {
    client.send({ method: "set", path: fader, payload });
    for (let message = await client.next(); message.method !== "set";) {
      lights.push(message.payload.control.logics[1]);
      message = await client.next();
    }
  }
  assertEquals(lights, [{ value: true }, { value: false }]);
});

Deno.test("an engine that connects replaces the simulated engine for good", async () => {
  await using demo = await startDemo();
  const { client, url } = demo;
  const engineOf = async () => (await (await fetch(`${url}/health`)).json()).engine;
  assertEquals(await engineOf(), "running");
  const params = { name: "dsp", groups: 1, engine: true };
  const { payload } = await client.rpc("adduser", params);
  const engine = await openSocket(
    `${url.replace("http", "ws")}/api/ws?token=${payload.result.token}`,
  );
  assert((await engine.ask({ method: "engine", paths: [fader] })).success);
  await engine.ask({
    msgID: 1,
    method: "report",
    payload: { audio: { mixers: { 0: { faders: { 0: { meter: { _input: [-9, -9] } } } } } } },
  });
  assertEquals((await read({ url }, `${fader}/meter`))._input, [-9, -9]);
  assertEquals((await read({ url }, "audio/mixers/0/faders/4/meter"))._input, [-125, -125]);
  await engine.close();
  assertEquals((await read({ url }, `${fader}/meter`))._input, [-125, -125]);
  assertEquals([await engineOf(), await read({ url }, `${fader}/_readystate`)], ["lost", false]);
});
