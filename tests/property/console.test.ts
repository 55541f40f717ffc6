import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import type { Command } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { mixerChannels, NO_CHANNEL } from "../../core/labels/channels.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { listsPatch } from "../../core/lists/branch.ts";
import { pressList } from "../../core/lists/pressextlist.ts";
import { closeConnection, registerList, unregisterList } from "../../core/lists/registerextlist.ts";
import { setList } from "../../core/lists/setextlist.ts";
import { refreshGeneral } from "../../core/general.ts";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import type { State } from "../../core/state.ts";
import { type Branch, merge } from "../../core/tree/tree.ts";
import { set } from "../../core/tree/set.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import { stillClock, testConsole } from "../service.ts";
import { actor, keptText } from "../core/actors.ts";
import { checkpointOf, settled, stagedStore } from "../core/stores.ts";

const configuration: WrittenConfiguration = {
  mixers: [{ faders: 2, mutegroups: 1 }, { faders: 1 }],
  processings: 1,
  globalLabels: [{ id: 1, label: "Studio" }],
  pots: [{ id: 1, min: -100, max: 20 }],
  routing: { inputs: [{ id: 1 }, { id: 2 }], outputs: [{ id: 1, input: 1 }] },
  lists: [{ id: 1, pageSize: 2 }, { id: 2 }],
};

/**
 * Others: with less, with more, with the same things under other defaults and in narrower ranges.
 */
const others: readonly WrittenConfiguration[] = [
  {},
  { ...configuration, mixers: [{ faders: 1 }] },
  { ...configuration, mixers: [{ faders: 9 }, { faders: 4 }, { faders: 1 }] },
  {
    mixers: [{ faders: [{ channel: 2, label: "A" }, { channel: 1, label: "é" }], mutegroups: 1 }],
    globalLabels: [{ id: 1, label: "A" }, { id: 2, label: "B" }],
    pots: [{ id: 1, min: -10, max: 5, value: 5 }],
    routing: { inputs: [{ id: 2 }], outputs: [{ id: 1, input: 2 }] },
  },
];

const fader = fc.constantFrom("0/faders/0", "0/faders/1", "1/faders/0");
const small = fc.constantFrom("A", "B", "", "é", "a\u0301");

/** The id of one of the snapshots there are when the command is decided. */
const someId = ({ snapshots }: State, pick: number) =>
  [...snapshots.keys()].filter((key) => !key.startsWith("default"))[pick % 4] ?? "default";

function onSnapshot(pick: number, command: (id: string) => Command<unknown>): Command<unknown> {
  return (state, by, ports) => command(someId(state, pick))(state, by, ports);
}

const rights = { writegroups: 255, readgroups: 0 };
const type = fc.constantFrom<1 | 2 | 3>(1, 2, 3);
const of = { fader: 0, fp: 0 };

const list = fc.constantFrom(1, 2);
const entry = fc.record(
  { label: fc.constantFrom("A", "B"), pagination: fc.boolean(), disabled: fc.boolean() },
  { requiredKeys: ["label"] },
);

const listCommand: fc.Arbitrary<Command<unknown>> = fc.oneof(
  list.map(registerList),
  list.map(unregisterList),
  fc.record(
    { list, entries: fc.array(entry, { maxLength: 5 }), select: fc.nat(3) },
    { requiredKeys: ["list", "entries"] },
  ).map(setList),
  fc.record({ list, entry: fc.nat(4), on: fc.constantFrom(0 as const, 1 as const) })
    .map(pressList),
);

const command: fc.Arbitrary<Command<unknown>> = fc.oneof(
  fc.tuple(fader, fc.integer({ min: -170, max: 20 })).map(([at, dB]) =>
    set(`/audio/mixers/${at}/fader`, dB)
  ),
  fc.tuple(fader, fc.boolean(), small).map(([at, on, label]) =>
    set(`/audio/mixers/${at}`, { on, label, options: { timerreset: on } })
  ),
  fc.tuple(fader, fc.integer({ min: -40, max: 40 })).map(([at, inc]) =>
    set(`/audio/mixers/${at}/params/gain/again/inc`, inc)
  ),
  fc.tuple(fader, fc.integer({ min: 0, max: 4 }), fc.option(small, { nil: undefined }))
    .map(([at, sourceid, label]) =>
      set(`/audio/mixers/${at}`, { sourceid, ...(label === undefined ? {} : { label }) })
    ),
  fc.tuple(fader, fc.constantFrom("x", null, {})).map(([at, wrong]) =>
    set(`/audio/mixers/${at}`, { on: true, fader: wrong })
  ),
  fc.tuple(fc.integer({ min: 1, max: 4 }), small).map(([at, label]) => setChannelLabel(at, label)),
  small.map((label) => set("/control/labels/1/label", label)),
  fc.integer({ min: -100, max: 20 }).map((dB) => set("/audio/pots/1/value", dB)),
  fc.constantFrom("1", "2", "").map((input) => set("/audio/routing/routes/1", input)),
  fc.tuple(type, fc.integer({ min: 0, max: 1 })).map(([type, mixer]) =>
    saveSnapshot({ ...rights, ...of, type, mixer, id: "", name: "new" })
  ),
  fc.nat(3).map((pick) => onSnapshot(pick, (id) => saveSnapshot({ ...rights, type: 2, id }))),
  fc.tuple(fc.nat(3), fc.integer({ min: 0, max: 1 })).map(([pick, mixer]) =>
    onSnapshot(pick, (id) => loadSnapshot({ ...of, id, mixer }))
  ),
  fc.tuple(fc.nat(3), small).map(([pick, name]) =>
    onSnapshot(pick, (id) => modifySnapshot({ id, name }))
  ),
  fc.nat(3).map((pick) => onSnapshot(pick, removeSnapshot)),
  fc.constantFrom("x", "y").map((name) => addUser({ name, groups: 1, admin: false })),
  fc.constantFrom("x", "y").map(removeUser),
  fc.tuple(fc.constantFrom("x", "y", "admin"), fc.integer({ min: 1, max: 3 }), fc.boolean()).map(
    ([name, groups, newtoken]) => modifyUser({ name, groups, newtoken }),
  ),
  fc.tuple(fc.nat(2), listCommand).map(
    ([connection, command]): Command<unknown> => (state, _by, ports) =>
      command(state, { connection }, ports),
  ),
  fc.nat(2).map(closeConnection),
  fc.constant(refreshGeneral()),
);

/** A command, time that goes by, or what becomes of the records that wait. */
type Step = Command<unknown> | number | "land" | "fail";

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: command },
    { weight: 3, arbitrary: fc.constant("land" as const) },
    { weight: 1, arbitrary: fc.constant("fail" as const) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4_000_000 }) },
  ),
  { maxLength: 60 },
);

/**
 * One run: the console, the patches that were published, and the records that are on the medium.
 */
async function run(
  steps: readonly Step[],
  start: { configuration: WrittenConfiguration; records: readonly Uint8Array[] } = {
    configuration,
    records: [],
  },
) {
  const store = stagedStore();
  const clock = stillClock();
  const console = await testConsole({ ...start, store, clock });
  const first = console.state.tree;
  let folded = first;
  console.watch((event) => {
    if (event.type === "treechanged") folded = merge(folded, event.patch);
  });
  store.hold();
  const outcomes: Promise<object>[] = [];
  const admin = actor(console, "admin");
  for (const step of steps) {
    if (typeof step === "function") outcomes.push(Promise.resolve(console.dispatch(step, admin)));
    else if (typeof step === "number") clock.tick(step);
    else if (step === "land") await store.land();
    else await store.fail("no space left");
    await settled();
  }
  return { console, store, outcomes, folded: () => folded };
}

function replayed(
  records: readonly Uint8Array[],
  under: WrittenConfiguration = configuration,
): Promise<Console> {
  return testConsole({ configuration: under, records, clock: stillClock() });
}

Deno.test("at any moment, what is in force is what a restart would find", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { console, store } = await run(steps);
      const kept = (at: Pick<Console, "state">) => keptText(at);
      assertEquals(kept(await replayed(store.records)), kept(console));
      await store.release();
      assertEquals(kept(await replayed(store.records)), kept(console));
    }),
    { numRuns: 200 },
  );
});

Deno.test("a checkpoint at any moment is what a restart finds of the state, and no history", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { console } = await run(steps);
      const records = checkpointOf(console.state);
      assertEquals(keptText(await replayed(records)), keptText(console));
      const again = checkpointOf((await replayed(records)).state);
      assertEquals(again.length, records.length);
    }),
    { numRuns: 200 },
  );
});

Deno.test("a checkpoint comes to what its history comes to, whichever configurations both are under", async () => {
  const any = fc.constantFrom(configuration, ...others);
  await fc.assert(
    fc.asyncProperty(steps, steps, any, any, async (first, second, other, later) => {
      const before = await run(first);
      await before.store.release();
      const meanwhile = await run(second, {
        configuration: other,
        records: before.store.records,
      });
      await meanwhile.store.release();
      const history = [...before.store.records, ...meanwhile.store.records];
      const checkpoint = checkpointOf(meanwhile.console.state);
      for (const under of [configuration, other, later]) {
        assertEquals(
          keptText(await replayed(checkpoint, under)),
          keptText(await replayed(history, under)),
        );
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("the patches that are published, folded over the first tree, give the last", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { console, store, folded } = await run(steps);
      assertEquals(JSON.stringify(folded()), JSON.stringify(console.state.tree));
      await store.release();
      assertEquals(JSON.stringify(folded()), JSON.stringify(console.state.tree));
    }),
    { numRuns: 200 },
  );
});

Deno.test("every fader shows the label of its channel, whatever was set, loaded and found at a start", async () => {
  const showsIts = ({ state }: Pick<Console, "state">) => {
    for (const { id } of state.configuration.mixers) {
      const { faders, sourcelist } = mixerChannels(state.tree, id);
      const sources = new Map(sourcelist.map((source) => [source._sourceid, source]));
      for (const { sourceid, label, _defaultlabel } of Object.values(faders)) {
        const none = { _label: "", _defaultlabel: "" };
        const source = sourceid === NO_CHANNEL ? none : sources.get(sourceid);
        assertEquals([label, _defaultlabel], [source?._label, source?._defaultlabel]);
      }
    }
  };
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(configuration, ...others), async (steps, under) => {
      const { console, store } = await run(steps);
      showsIts(console);
      await store.release();
      showsIts(console);
      showsIts(await replayed(store.records, under));
    }),
    { numRuns: 200 },
  );
});

Deno.test("at any moment, the control tree shows of lists what is made of them alone", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { state: { configuration, initial, lists, tree } } = (await run(steps)).console;
      const shown = listsPatch(configuration, new Map(), lists);
      const control = merge(initial, shown ?? {}).control as Branch;
      assertEquals((tree.control as Branch).extlists, control.extlists);
    }),
    { numRuns: 200 },
  );
});

/** Whatever changes channels and labels, but for loads. */
const relabelling: fc.Arbitrary<Command<unknown>[]> = fc.array(
  fc.oneof(
    fc.tuple(fader, fc.integer({ min: 0, max: 2 }), fc.option(small, { nil: undefined }))
      .map(([at, sourceid, label]) =>
        set(`/audio/mixers/${at}`, { sourceid, ...(label === undefined ? {} : { label }) })
      ),
    fc.tuple(fader, small).map(([at, label]) => set(`/audio/mixers/${at}/label`, label)),
    fc.tuple(fc.integer({ min: 1, max: 2 }), small)
      .map(([channel, label]) => setChannelLabel(channel, label)),
  ),
  { maxLength: 12 },
);

Deno.test("whatever is done to channels and labels, a load brings back those that were saved, at once", async () => {
  await fc.assert(
    fc.asyncProperty(relabelling, relabelling, async (first, second) => {
      const console = await testConsole({ configuration });
      const admin = actor(console, "admin");
      const shown = () =>
        Object.values(mixerChannels(console.state.tree, 0).faders)
          .map(({ sourceid, label }) => [sourceid, label]);
      for (const command of first) await console.dispatch(command, admin);
      const saved = shown();
      await console.dispatch(saveSnapshot({ ...rights, type: 2, id: "default" }), admin);
      for (const command of second) await console.dispatch(command, admin);
      await console.dispatch(loadSnapshot({ id: "default" }), admin);
      assertEquals(shown(), saved);
    }),
    { numRuns: 500 },
  );
});

Deno.test("every command is answered, and only a store that fails is code 12", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { store, outcomes } = await run(steps);
      await store.release();
      const codes = (await Promise.all(outcomes)).map((outcome) =>
        isRefusal(outcome) ? outcome.code : 0
      );
      if (!steps.includes("fail")) assertEquals(codes.includes(12), false);
      assertEquals(codes.filter((code) => ![0, 3, 4, 6, 7, 12].includes(code)), []);
    }),
    { numRuns: 100 },
  );
});
