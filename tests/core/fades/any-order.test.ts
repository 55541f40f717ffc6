import { movingCount } from "../../../core/fades/unsynced.ts";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { loadNumbered, saveNumbered } from "../../../core/snapshots/numbered.ts";
import { set } from "../../../core/tree/set.ts";
import { codeOf, resultOf } from "../actors.ts";
import { checkpointOf, settled, stagedStore } from "../stores.ts";
import { editor, levelOf, simulatedConsole } from "./simulated-console.ts";

const FADERS = [0, 1, 2];

const fader = fc.constantFrom(...FADERS);
const dB = fc.constantFrom(-160, -50, -20, 0, 10);
const things = {
  fade: fc.record({
    do: fc.constant("fade" as const),
    fader,
    value: dB,
    seconds: fc.constantFrom(0, 0.02, 0.06, 0.2),
  }),
  set: fc.record({ do: fc.constant("set" as const), fader, value: dB }),
  setWhereItIs: fc.record({ do: fc.constant("set where it is" as const), fader }),
  load: fc.record({ do: fc.constant("load" as const) }),
  wait: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 90 }) }),
  land: fc.record({ do: fc.constant("land" as const) }),
};
const fail = fc.record({ do: fc.constant("fail" as const) });

type Thing = {
  [Name in keyof typeof things]: typeof things[Name] extends fc.Arbitrary<infer One> ? One
    : never;
}[keyof typeof things];

/**
 * Carries out a list of actions on a console with a slow store; then all records land and all fades
 * end. With `answered` each fade is answered before the next action.
 */
async function happened(
  list: readonly (Thing | { readonly do: "fail" })[],
  { answered = false, onFault }: { answered?: boolean; onFault?: "refuse" } = {},
) {
  const store = stagedStore();
  const simulated = simulatedConsole({ store, ...(onFault && { onFault }) });
  const { console, fade, level, time } = simulated;
  const mixer = { mixer: 0 };
  await resultOf(console, saveNumbered({ type: 2, number: 1 }, mixer, "All at rest"), editor);
  store.hold();
  const codes: Promise<number>[] = [];
  for (const thing of list) {
    if (thing.do === "wait") time.runTo(time.clock.monotonic() + thing.ms);
    else if (thing.do === "land") await store.land();
    else if (thing.do === "fail") await store.fail("the disk is full");
    else {
      const code = thing.do === "fade"
        ? fade(thing)
        : thing.do === "load"
        ? codeOf(console, loadNumbered({ type: 2, number: 1 }, mixer), editor)
        : codeOf(
          console,
          set(levelOf(thing.fader), thing.do === "set" ? thing.value : level(thing.fader)),
        );
      codes.push(code);
      if (answered && thing.do === "fade") {
        await store.release();
        await code;
        store.hold();
      }
    }
    await settled();
  }
  await store.release();
  for (let more = 0; more < 4; more++) {
    time.runTo(time.clock.monotonic() + 300);
    await settled();
  }
  return { ...simulated, codes: await Promise.all(codes) };
}

type Happened = Awaited<ReturnType<typeof happened>>;

/** Checks `holds` after 100 random orders of actions, once all their fades have ended. */
async function inAnyOrder(
  some: readonly fc.Arbitrary<Thing | { readonly do: "fail" }>[],
  options: Parameters<typeof happened>[1],
  holds: (happened: Happened, levels: number[]) => Promise<void> | void,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...some), { maxLength: 30 }), async (list) => {
      const all = await happened(list, options);
      assertEquals([movingCount(all.console.state.unsynced), all.time.pending()], [0, 0]);
      await holds(all, FADERS.map((fader) => all.level(fader)));
    }),
  );
}

const all: readonly fc.Arbitrary<Thing>[] = Object.values(things);

Deno.test("after any order of fades, writes and slow storing, a restart finds the levels in force", () =>
  inAnyOrder(all, {}, ({ codes, restingLevel }, levels) => {
    assertEquals(codes.filter((code) => code !== 0), []);
    assertEquals(FADERS.map((fader) => restingLevel(fader)), levels);
  }));

Deno.test("with onFault refuse, every fade ends after failed writes, and the next writes are kept", () =>
  inAnyOrder([...all, fail], { onFault: "refuse" }, async (happened, levels) => {
    const { codes, console, restingLevel } = happened;
    assertEquals(codes.filter((code) => code !== 0 && code !== 12), []);
    for (const fader of FADERS) {
      assertEquals(await codeOf(console, set(levelOf(fader), levels[fader])), 0);
      assertEquals(restingLevel(fader), levels[fader]);
    }
  }));

Deno.test("in degraded mode nothing is refused, every fade ends, and a checkpoint has the levels in force", () =>
  inAnyOrder([...all, fail], {}, ({ codes, console, restingLevel }, levels) => {
    assertEquals(codes.filter((code) => code !== 0), []);
    const records = checkpointOf(console.state);
    assertEquals(FADERS.map((fader) => restingLevel(fader, 0, records)), levels);
  }));

Deno.test("the level of a fader is the goal of the last fade or set that was asked for", async () => {
  const some = fc.oneof(things.fade, things.set, things.wait, things.land);
  await fc.assert(
    fc.asyncProperty(fc.array(some, { maxLength: 30 }), async (list) => {
      const { level } = await happened(list, { answered: true });
      for (const fader of FADERS) {
        const last = list.findLast((thing) => "fader" in thing && thing.fader === fader);
        if (last !== undefined && "value" in last) assertEquals(level(fader), last.value);
      }
    }),
  );
});
