import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Clock } from "../../core/ports.ts";
import { simulatedTime } from "../fade/simulated_time.ts";
import { demoWith, type Json, startService, type TestService, until } from "../service.ts";

/** A service whose faders move when the test says so. */
async function simulatedService(limits: { fades?: number } = {}) {
  const { clock: { monotonic }, timer, runTo, pending } = simulatedTime();
  const clock: Clock = { now: monotonic, monotonic };
  const service = await startService({ configuration: demoWith({ limits }), clock, timer });
  return Object.assign(service, { runTo, pending });
}

const FADERS = "/audio/mixers/0/faders";

function levelIn(update: Json, fader = 0): number | undefined {
  return update.payload.audio.mixers[0].faders[fader]?.fader;
}

function onIn(update: Json, fader: number): boolean {
  return update.payload.audio.mixers[0].faders[fader]?.on === true;
}

/** The updates of fade steps; those of the begin and end of a fade have no tick. */
function stepsTo({ untaken }: { readonly untaken: readonly Json[] }): Json[] {
  return untaken.filter(({ tick }) => tick !== undefined);
}

async function levelOf({ post }: TestService, fader = 0): Promise<number> {
  return (await post({ method: "get", path: `${FADERS}/${fader}/fader` })).payload;
}

for (const name of ["time", "fadetime"]) {
  Deno.test(`fadetovalue takes its duration from ${name}, and answers an empty object`, async () => {
    await using service = await simulatedService();
    const socket = await service.open();
    const params = { mixer: 0, fader: 2, [name]: 1.5, value: -12 };
    assertEquals(await socket.rpc("fadetovalue", params), {
      method: "rpc",
      payload: { method: "fadetovalue", params, result: {} },
      success: true,
    });
    await socket.close();
    service.runTo(1499);
    assert(await levelOf(service, 2) < -12, "it goes on without who asked for it");
    service.runTo(1500);
    assertEquals(await levelOf(service, 2), -12);
  });
}

Deno.test("fadetovalue over HTTP POST needs a token; mixer is 0 by default", async () => {
  await using service = await simulatedService();
  const payload = { method: "fadetovalue", params: { fader: 1, time: 1, value: 0 } };
  const { error } = await service.post({ method: "rpc", token: undefined, payload });
  assertEquals([error.code, service.pending()], [4, 0]);
  assert((await service.post({ method: "rpc", payload })).success);
  service.runTo(1000);
  assertEquals(await levelOf(service, 1), 0);
});

/** Parameters, and the code and the name of a refusal; absent for success. */
const rows: readonly (readonly [Json, number?, string?])[] = [
  [{ time: undefined }, 3, "time"],
  [{ time: -0.001 }, 3, "time"],
  [{ time: 30.001 }, 3, "time"],
  [{ time: undefined, fadetime: -1 }, 3, "fadetime"],
  [{ time: undefined, fadetime: 31 }, 3, "fadetime"],
  [{ value: -160.001 }, 3, "value"],
  [{ value: 10.001 }, 3, "value"],
  [{ fader: 8 }, 6, "fader"],
  [{ mixer: 2 }, 6, "mixer"],
  [{ fader: 8, time: 0 }, 6, "fader"],
  [{ time: 0, value: 10 }],
  [{ time: 0, value: -160 }],
  [{ time: 1e-9 }],
  [{ time: 30, value: 10 }],
  [{ time: 30, value: -160 }],
];

Deno.test("fadetovalue takes 0..30 s and -160..10 dB; a refused one moves no fader", async () => {
  await using service = await simulatedService();
  let now = 0;
  for (const [part, code, named] of rows) {
    const params = { mixer: 0, fader: 0, time: 1, value: 0, ...part };
    const what = JSON.stringify(part);
    const { unsynced } = service.console.state;
    const { error } = await service.rpc("fadetovalue", params);
    assertEquals(error?.code, code, what);
    if (named !== undefined) {
      assertStringIncludes(error.message, `${named}: `);
      assert(service.pending() === 0 && service.console.state.unsynced === unsynced, what);
      continue;
    }
    service.runTo(now += 31_000);
    assertEquals(await levelOf(service), params.value, what);
  }
});

Deno.test("a fade beyond limits.fades is refused (11)", async () => {
  await using service = await simulatedService({ fades: 2 });
  const fade = (fader: number) => service.rpc("fadetovalue", { fader, time: 1, value: 0 });
  for (const fader of [0, 1, 1]) assert((await fade(fader)).success);
  const { error } = await fade(2);
  assertEquals(error.code, 11);
  assertStringIncludes(error.message, "2");
});

Deno.test("a subscriber gets one update per tick for all moving faders, with the changed leaves only", async () => {
  await using service = await simulatedService();
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: "/audio" });
  for (let fader = 0; fader < 8; fader++) {
    await service.rpc("fadetovalue", { fader, time: 0.1 + 0.02 * fader, value: 0 });
  }
  service.runTo(1000);
  await until(() => stepsTo(socket).length === 12);
  const faders = stepsTo(socket).map((update) => {
    assertEquals(Object.keys(update.payload.audio.mixers), ["0"]);
    const moved: Json = update.payload.audio.mixers[0].faders;
    for (const fader of Object.values(moved)) assertEquals(Object.keys(fader as Json), ["fader"]);
    return Object.keys(moved).length;
  });
  assertEquals(faders, [8, 8, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1]);
  assertEquals(levelIn(stepsTo(socket)[4]), 0);
});

Deno.test("fade of a fader has its begin, its end and its duration in whole steps", async () => {
  await using service = await simulatedService();
  for (const [time, _time] of [[1.5, 1.5], [0.58, 0.58], [0.029, 0.02], [30, 30]]) {
    const path = `${FADERS}/2`;
    await service.post({ method: "set", path: `${path}/fader`, payload: -20 });
    await service.rpc("fadetovalue", { fader: 2, time, value: -5 });
    const { payload } = await service.post({ method: "get", path: `${path}/fade` });
    assertEquals(payload, { _from: -20, _to: -5, _time });
  }
});

Deno.test("a subscriber of one fader gets only updates of that fader", async () => {
  await using service = await simulatedService();
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: `${FADERS}/3` });
  for (const fader of [2, 3]) await service.rpc("fadetovalue", { fader, time: 0.06, value: -5 });
  service.runTo(1000);
  await until(() => stepsTo(socket).length === 3);
  for (const { payload } of socket.untaken) {
    assertEquals(Object.keys(payload.audio.mixers[0].faders), ["3"]);
  }
  assertEquals(levelIn(stepsTo(socket)[2], 3), -5);
});

Deno.test("a set of a moving fader ends its fade; subscribers get the update of the set, and no step after it", async () => {
  await using service = await simulatedService();
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: "/audio" });
  await service.rpc("fadetovalue", { fader: 0, time: 1, value: 0 });
  service.runTo(500);
  await until(() => stepsTo(socket).length === 25);
  const passed = levelIn(stepsTo(socket)[24]);
  const path = `${FADERS}/0/fader`;
  assert((await service.post({ method: "set", path, payload: passed })).success);
  service.runTo(5000);
  await service.post({ method: "set", path: `${FADERS}/1/on`, payload: true });
  await until(() => socket.untaken.some((update) => onIn(update, 1)));
  assertEquals(stepsTo(socket).length, 25);
  const after = socket.untaken.slice(-3).map((update) => levelIn(update));
  assertEquals(after, [passed, undefined, undefined], "the set, the end of the fade, the key");
  assertEquals(await levelOf(service), passed);
});

/** Maximum of bytes that a subscriber may get for a fade of 1 s. */
const MOST_BYTES = 5582;

Deno.test(`a fade of one second sends a subscriber of its mixer at most ${MOST_BYTES} bytes`, async () => {
  await using service = await simulatedService();
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: "/audio/mixers/0" });
  await service.rpc("fadetovalue", { fader: 0, time: 1, value: 0 });
  service.runTo(1000);
  // A later request on the same connection is answered after all these updates.
  socket.send({ method: "get", path: `${FADERS}/0/fader` });
  await until(() => socket.untaken.at(-1)?.method === "get");
  const bytes = socket.untaken.slice(0, -1).map((message) => JSON.stringify(message).length);
  const sum = bytes.reduce((sum, one) => sum + one, 0);
  assert(sum <= MOST_BYTES, `${sum} bytes in ${bytes.length} messages`);
});

// The bench measures the lateness: here other tests keep the machine busy.
Deno.test("by the clock of the machine a fade arrives once, and not before its time", async () => {
  await using service = await startService();
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: `${FADERS}/0/fader` });
  const began = performance.now();
  assert((await service.rpc("fadetovalue", { fader: 0, time: 0.1, value: -5 })).success);
  await until(() => socket.untaken.some((update) => levelIn(update) === -5));
  assert(performance.now() - began >= 100);
  assertEquals(await levelOf(service), -5);
  const levels = stepsTo(socket).map((update) => levelIn(update)!);
  assertEquals(levels, levels.toSorted((left, right) => left - right));
  assertEquals(levels.filter((level) => level === -5).length, 1);
});
