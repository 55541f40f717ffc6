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

/** The updates that came by the steps of fades: those that one begins or ends have no tick. */
function stepsTo({ untaken }: { readonly untaken: readonly Json[] }): Json[] {
  return untaken.filter(({ tick }) => tick !== undefined);
}

async function levelOf({ post }: TestService, fader = 0): Promise<number> {
  return (await post({ method: "get", path: `${FADERS}/${fader}/fader` })).payload;
}

for (const name of ["time", "fadetime"]) {
  Deno.test(`fadetovalue takes its duration as ${name}, and answers an empty object`, async () => {
    await using service = await simulatedService();
    const socket = await service.open();
    const params = { mixer: 0, fader: 2, [name]: 1.5, value: -12 };
    assertEquals(await socket.rpc("fadetovalue", params), {
      method: "rpc",
      payload: { method: "fadetovalue", params, result: {} },
      success: true,
    });
    service.runTo(1499);
    assert(await levelOf(service, 2) < -12);
    service.runTo(1500);
    assertEquals(await levelOf(service, 2), -12);
  });
}

Deno.test("fadetovalue works over HTTP POST; mixer is 0 by default", async () => {
  await using service = await simulatedService();
  const { success, payload } = await service.rpc("fadetovalue", { fader: 1, time: 1, value: 0 });
  assertEquals([success, payload.result], [true, {}]);
  service.runTo(1000);
  assertEquals(await levelOf(service, 1), 0);
});

Deno.test("fadetovalue over HTTP POST without a token is refused with code 4", async () => {
  await using service = await simulatedService();
  const payload = { method: "fadetovalue", params: { fader: 1, time: 1, value: 0 } };
  const { error } = await service.post({ method: "rpc", token: undefined, payload });
  assertEquals([error.code, service.pending()], [4, 0]);
});

const good = { mixer: 0, fader: 0, time: 1, value: 0 };
const refused: readonly (readonly [params: Json, code: number, named: string])[] = [
  [{ ...good, time: undefined }, 3, "time"],
  [{ ...good, time: -0.001 }, 3, "time"],
  [{ ...good, time: 30.001 }, 3, "time"],
  [{ ...good, time: "1" }, 3, "time"],
  [{ ...good, time: null }, 3, "time"],
  [{ ...good, time: [1] }, 3, "time"],
  [{ ...good, time: undefined, fadetime: -1 }, 3, "fadetime"],
  [{ ...good, time: undefined, fadetime: 31 }, 3, "fadetime"],
  [{ ...good, time: undefined, fadetime: true }, 3, "fadetime"],
  [{ ...good, value: undefined }, 3, "value"],
  [{ ...good, value: -160.001 }, 3, "value"],
  [{ ...good, value: 10.001 }, 3, "value"],
  [{ ...good, value: "0" }, 3, "value"],
  [{ ...good, value: null }, 3, "value"],
  [{ ...good, fader: undefined }, 3, "fader"],
  [{ ...good, fader: -1 }, 3, "fader"],
  [{ ...good, fader: 0.5 }, 3, "fader"],
  [{ ...good, fader: "0" }, 3, "fader"],
  [{ ...good, mixer: "0" }, 3, "mixer"],
  [{ ...good, mixer: -1 }, 3, "mixer"],
  [{ ...good, fader: 8 }, 6, "fader"],
  [{ ...good, mixer: 2 }, 6, "mixer"],
  [{ ...good, fader: 8, time: 0 }, 6, "fader"],
];

Deno.test("a fadetovalue with a bad parameter is refused with its code and name, and moves nothing", async (t) => {
  await using service = await simulatedService();
  const socket = await service.open();
  const before = service.console.state;
  for (const [params, code, named] of refused) {
    await t.step(`${JSON.stringify(params)}: ${code}, ${named}`, async () => {
      const { success, error } = await socket.rpc("fadetovalue", params);
      assertEquals([success, error.code], [false, code]);
      assertStringIncludes(error.message, `${named}: `);
      assertEquals(service.pending(), 0);
      assert(service.console.state.unsynced === before.unsynced);
    });
  }
});

for (const [time, value] of [[0, 10], [0, -160], [30, 10], [30, -160], [1e-9, 0]] as const) {
  Deno.test(`fadetovalue takes ${value} dB in ${time} s`, async () => {
    await using service = await simulatedService();
    const { success } = await service.rpc("fadetovalue", { fader: 0, time, value });
    service.runTo(time * 1000);
    assertEquals([success, await levelOf(service)], [true, value]);
  });
}

Deno.test("one fader more than limits.fades is refused with code 11", async () => {
  await using service = await simulatedService({ fades: 2 });
  for (const fader of [0, 1, 1]) {
    assert((await service.rpc("fadetovalue", { ...good, fader })).success);
  }
  const { error } = await service.rpc("fadetovalue", { ...good, fader: 2 });
  assertEquals(error.code, 11);
  assertStringIncludes(error.message, "2");
});

Deno.test("a subscriber gets one update per tick for all moving faders, changed leaves only", async () => {
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

Deno.test("a subscriber to one fader hears of that one alone", async () => {
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

Deno.test("setting a moving fader ends its fade; subscribers hear of the set, and of no step after it", async () => {
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

Deno.test("faders go on when the client that moves them has gone", async () => {
  await using service = await simulatedService();
  const socket = await service.open();
  await socket.rpc("fadetovalue", { fader: 0, time: 1, value: 0 });
  await socket.close();
  service.runTo(1000);
  assertEquals(await levelOf(service), 0);
});

// How late it arrives is for the bench: here other tests keep the machine busy.
Deno.test("a subscriber to 8 faders sees every fade arrive exactly once, never too soon, and never turn back", async () => {
  await using service = await startService();
  const subscriber = await service.open();
  await subscriber.ask({ method: "subscribe", path: "/audio" });
  const mover = await service.open();
  const levels = new Map<number, { at: number; dB: number }[]>();
  const listen = subscriber.socket.onmessage!;
  subscriber.socket.onmessage = function (message: MessageEvent) {
    const at = performance.now();
    const { faders } = JSON.parse(message.data).payload.audio.mixers[0];
    for (const [id, { fader: dB }] of Object.entries<Json>(faders)) {
      const fader = Number(id);
      if (dB === undefined) continue;
      levels.set(fader, [...levels.get(fader) ?? [], { at, dB }]);
    }
    listen.call(this, message);
  };

  const fades = Array.from({ length: 8 }, (_, fader) => ({
    fader,
    time: [1, 0.3, 0.02, 0.7, 1.2, 0.5, 0.9, 0.31][fader]!,
    value: [0, 10, -20, -160, -60, -3.3, -40, 5][fader]!,
  }));
  for (const fader of [3, 6]) {
    await mover.ask({ method: "set", path: `${FADERS}/${fader}/fader`, payload: 10 });
  }
  await until(() => levels.has(3) && levels.has(6));
  levels.clear();
  const asked: number[] = [];
  for (const { fader, ...rest } of fades) {
    asked[fader] = performance.now();
    assert((await mover.rpc("fadetovalue", { fader, ...rest })).success);
  }
  await until(() => fades.every(({ fader, value }) => levels.get(fader)?.at(-1)?.dB === value));
  await new Promise((resolve) => setTimeout(resolve, 100));

  for (const { fader, time, value } of fades) {
    const seen = levels.get(fader)!;
    const arrivals = seen.filter(({ dB }) => dB === value);
    assertEquals(arrivals.length, 1, `fader ${fader} arrives once`);
    assertEquals(seen.at(-1), arrivals[0], `fader ${fader} rests at its target`);
    const way = seen.map(({ dB }) => dB);
    const rises = value > way[0]! || way.length === 1;
    assertEquals(way, way.toSorted((left, right) => rises ? left - right : right - left));
    assertEquals(new Set(way).size, way.length, `fader ${fader} never stands still`);
    const least = Math.round(time * 50) * 20;
    const soonest = asked[fader]! + least;
    const { at } = arrivals[0]!;
    assert(at >= soonest, `fader ${fader} arrives ${soonest - at} ms before its time`);
  }
});
