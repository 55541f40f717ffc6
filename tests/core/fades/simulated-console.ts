/**
 * A console whose faders move in simulated time.
 *
 * @module
 */
import { readConfiguration } from "../../../core/configuration/configuration.ts";
import { type Console, createConsole } from "../../../core/console.ts";
import { type FadeToValue, fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { createFadeDriver, type FadeDriver } from "../../../core/fades/fade-driver.ts";
import type { Store } from "../../../core/ports.ts";
import { type FaderAddress, faderPath } from "../../../core/tree/resources.ts";
import type { TreeChanged } from "../../../core/tree/treechanged.ts";
import { find, formatPath } from "../../../core/tree/tree.ts";
import type { Actor, User } from "../../../core/users/user.ts";
import { type SimulatedTime, simulatedTime } from "../../fade/simulated_time.ts";
import { codeOf } from "../actors.ts";
import { type RecordingStore, recordingStore, replayed } from "../stores.ts";

const user: User = {
  name: "editor",
  groups: 255,
  admin: true,
  engine: false,
  may: "configure",
  created: "2026-10-02T07:30:00.005Z",
  tokenHash: "0".repeat(64),
};

/** A user who may save snapshots. */
export const editor: Actor = { user };

/** A console with the fades and the clock of {@link simulatedConsole}. */
export interface SimulatedConsole {
  readonly console: Console;
  readonly fadeDriver: FadeDriver;
  readonly time: SimulatedTime;
  readonly store: RecordingStore;
  /** Every change of the tree but the begin and end of a fade, with its time in ms. */
  readonly changes: readonly { readonly at: number; readonly event: TreeChanged }[];
  /** Fades fader 0 of mixer 0 unless the parameters name another; the error code, 0 for none. */
  fade(params: Partial<FadeToValue>): Promise<number>;
  /** The level in force of a fader, in dB. */
  level(fader?: number, mixer?: number): number;
  /** The level in dB that a restart finds, by default from all stored records. */
  restingLevel(fader?: number, mixer?: number, records?: Iterable<Uint8Array>): number;
}

/** A console of two mixers, by default with 8 faders each, in simulated time. */
export function simulatedConsole(
  { faders = 8, limits = {}, store = recordingStore(), onFault = "play" }: {
    faders?: number;
    limits?: { fades?: number };
    store?: RecordingStore;
    onFault?: "play" | "refuse";
  } = {},
): SimulatedConsole {
  const read = readConfiguration({
    mixers: [{ faders }, { faders }],
    limits,
    storage: { onFault },
  });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  const time = simulatedTime();
  const { monotonic } = time.clock;
  const clock = { now: monotonic, monotonic };
  const consoleOn = (store: Store, records: Iterable<Uint8Array>) =>
    createConsole({
      state: { ...replayed(read.configuration, records), users: new Map([[user.name, user]]) },
      store,
      clock,
      random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
    });
  const console = consoleOn(store, []);
  const changes: { at: number; event: TreeChanged }[] = [];
  console.watch((event) => {
    if (event.type === "treechanged" && !tellsOfFade(event)) {
      changes.push({ at: monotonic(), event });
    }
  });
  return {
    console,
    fadeDriver: createFadeDriver(console, time.timer),
    time,
    store,
    changes,
    fade: (params) =>
      codeOf(console, fadeToValue({ mixer: 0, fader: 0, seconds: 1, value: 0, ...params })),
    level: (fader = 0, mixer = 0) => levelIn(console, { mixer, fader }),
    restingLevel(fader = 0, mixer = 0, records = store.records) {
      return levelIn(consoleOn(recordingStore(), records), { mixer, fader });
    },
  };
}

/** Whether a change says that a fade begins, or has ended. */
function tellsOfFade({ patch }: TreeChanged): boolean {
  return JSON.stringify(patch).includes('{"fade":');
}

/** The path of the level of a fader of mixer 0. */
export function levelOf(fader = 0, mixer = 0): string {
  return formatPath([...faderPath({ mixer, fader }), "fader"]);
}

function levelIn({ state }: Console, address: FaderAddress): number {
  return find(state.tree, [...faderPath(address), "fader"]) as number;
}
