/** The example of a store: it keeps the promises of `Store`. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type KeyValues, openConsole } from "../../../docs/examples/own-store.ts";
import { DEVICE, get, readConfiguration, set } from "../../../mod.ts";
import { unlimitedWith } from "../../service.ts";

const FADER = "/audio/mixers/0/faders/0/fader";

function configuration(onFault: "refuse" | "play" = "refuse") {
  const read = readConfiguration(unlimitedWith({ storage: { onFault } }));
  if ("faults" in read) throw new Error("the configuration has faults");
  return read.configuration;
}

/** A medium in memory, which fails while the test says so. */
function createMedium(): KeyValues & { isBroken: boolean } {
  const kept = new Map<string, Uint8Array>();
  return {
    isBroken: false,
    async put(key, value) {
      await Promise.resolve();
      if (this.isBroken) throw new Error("the change could not be stored: the medium is broken");
      kept.set(key, value.slice());
    },
    async *values() {
      for (const key of [...kept.keys()].sort()) yield await Promise.resolve(kept.get(key)!);
    },
  };
}

Deno.test("a console on a store of its own has every acknowledged change after a restart", async () => {
  const medium = createMedium();
  const before = await openConsole(configuration(), medium);
  await Promise.all([-30, -20, -10].map((dB) => before.dispatch(set(FADER, dB), DEVICE)));
  const after = await openConsole(configuration(), medium);
  assertEquals(get(after, FADER), { value: -10 });
  await after.dispatch(set(FADER, -5), DEVICE);
  assertEquals(get(await openConsole(configuration(), medium), FADER), { value: -5 });
});

Deno.test("a failing store refuses all records in flight, and takes new ones once it works again", async () => {
  const medium = createMedium();
  const console = await openConsole(configuration(), medium);
  await console.dispatch(set(FADER, -30), DEVICE);
  medium.isBroken = true;
  const refused = await Promise.all(
    [-20, -10].map((dB) => console.dispatch(set(FADER, dB), DEVICE)),
  );
  for (const outcome of refused) assertMatch(JSON.stringify(outcome), /could not be stored/);
  medium.isBroken = false;
  assertEquals(await console.dispatch(set(FADER, -5), DEVICE), { result: -5 });
  assertEquals(get(await openConsole(configuration(), medium), FADER), { value: -5 });
});

Deno.test("a change that was acknowledged after a failed one is still there after the next one and a restart", async () => {
  const medium = createMedium();
  const path = (fader: number) => `/audio/mixers/0/faders/${fader}/fader`;
  const change = async (fader: number) => {
    const console = await openConsole(configuration(), medium);
    assertEquals(await console.dispatch(set(path(fader), -5), DEVICE), { result: -5 });
    return console;
  };
  const console = await change(0);
  medium.isBroken = true;
  const refused = await console.dispatch(set(path(1), -10), DEVICE);
  assertMatch(JSON.stringify(refused), /could not be stored/);
  medium.isBroken = false;
  assertEquals(await console.dispatch(set(path(1), -5), DEVICE), { result: -5 });
  await change(2);
  const after = await openConsole(configuration(), medium);
  assertEquals([0, 1, 2].map((fader) => get(after, path(fader))), Array(3).fill({ value: -5 }));
});

Deno.test("a console that would play on without a store that takes no checkpoints is not opened", async () => {
  await assertRejects(
    () => openConsole(configuration("play"), createMedium()),
    Error,
    'storage.onFault: expected "refuse", got "play"',
  );
});
