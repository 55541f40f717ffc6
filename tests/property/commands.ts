/**
 * Commands of all kinds in any order, on a console whose store is slow and fails.
 *
 * @module
 */
import fc from "fast-check";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import type { Command } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { setAccess } from "../../core/access/setaccess.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { pressList } from "../../core/lists/pressextlist.ts";
import { closeConnection, registerList, unregisterList } from "../../core/lists/registerextlist.ts";
import { setList } from "../../core/lists/setextlist.ts";
import { refreshGeneral } from "../../core/general.ts";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import type { State } from "../../core/state.ts";
import { merge } from "../../core/tree/tree.ts";
import { set } from "../../core/tree/set.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import { setViewDocument } from "../../core/view-documents/setviewdocument.ts";
import { stillClock, testConsole } from "../service.ts";
import { actor } from "../core/actors.ts";
import { settled, stagedStore } from "../core/stores.ts";

const storage = { onFault: "refuse" } as const;

/** A small console, which refuses what cannot be stored. */
export const configuration: WrittenConfiguration = {
  storage,
  mixers: [{ faders: 2, mutegroups: 1 }, { faders: 1 }],
  processings: 1,
  globalLabels: [{ id: 1, label: "Studio" }],
  pots: [{ id: 1, min: -100, max: 20 }],
  routing: { inputs: [{ id: 1 }, { id: 2 }], outputs: [{ id: 1, input: 1 }] },
  lists: [{ id: 1, pageSize: 2 }, { id: 2 }],
};

/**
 * Other configurations with the same `onFault`: with fewer resources, with more, and with the same
 * resources under other defaults and in narrower ranges.
 */
export const others: readonly WrittenConfiguration[] = [
  { storage },
  { ...configuration, mixers: [{ faders: 1 }] },
  { ...configuration, mixers: [{ faders: 9 }, { faders: 4 }, { faders: 1 }] },
  {
    storage,
    mixers: [{ faders: [{ channel: 2, label: "A" }, { channel: 1, label: "é" }], mutegroups: 1 }],
    globalLabels: [{ id: 1, label: "A" }, { id: 2, label: "B" }],
    pots: [{ id: 1, min: -10, max: 5, value: 5 }],
    routing: { inputs: [{ id: 2 }], outputs: [{ id: 1, input: 2 }] },
  },
];

/** A fader, below the mixers. */
export const fader = fc.constantFrom("0/faders/0", "0/faders/1", "1/faders/0");
/** A short label. */
export const small = fc.constantFrom("A", "B", "", "é", "a\u0301");

/** The id of a snapshot of the state in which the command is decided. */
const someId = ({ snapshots }: State, pick: number) =>
  [...snapshots.keys()].filter((key) => !key.startsWith("default"))[pick % 4] ?? "default";

function onSnapshot(pick: number, command: (id: string) => Command<unknown>): Command<unknown> {
  return (state, by, ports) => command(someId(state, pick))(state, by, ports);
}

/** Groups of a snapshot that anybody may load and change. */
export const rights = { writegroups: 255, readgroups: 0 };
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
  fc.record({
    name: fc.constantFrom("pages", "groups"),
    document: fc.option(small.map((title) => ({ title })), { nil: null }),
    revision: fc.option(fc.nat(3), { nil: undefined }),
  }).map(setViewDocument),
  fc.record({ mixer: fc.nat(1), accessgroup: fc.constant(1), fader: fc.option(fc.nat(2)) })
    .map(setAccess),
  fc.nat(2).map(closeConnection),
  fc.constant(refreshGeneral()),
);

/** A command, a wait, or the outcome of the waiting records. */
export type Step = Command<unknown> | number | "land" | "fail";

/** Some steps. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: command },
    { weight: 3, arbitrary: fc.constant("land" as const) },
    { weight: 1, arbitrary: fc.constant("fail" as const) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4_000_000 }) },
  ),
  { maxLength: 60 },
);

/**
 * One run: the console, the published patches, and the records on the medium.
 */
export async function run(
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
  async function goOn(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (typeof step === "function") outcomes.push(Promise.resolve(console.dispatch(step, admin)));
      else if (typeof step === "number") clock.tick(step);
      else if (step === "land") await store.land();
      else await store.fail("no space left");
      await settled();
    }
  }
  await goOn(steps);
  return { console, store, outcomes, goOn, folded: () => folded };
}

/** The console that a start replays from records. */
export function replayed(
  records: readonly Uint8Array[],
  under: WrittenConfiguration = configuration,
): Promise<Console> {
  return testConsole({ configuration: under, records, clock: stillClock() });
}
