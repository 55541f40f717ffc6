/**
 * The digests of the sections of a console, by which its hub sees where two consoles differ without
 * reading either. They are made on the console, in steps, at most once every few seconds after
 * changes.
 *
 * @module
 */
import { createListeners } from "../../client/listeners.ts";
import { withoutOwnParts } from "../../core/backup/own-parts.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import type { ConsoleEvent } from "../../core/events.ts";
import type { Json } from "../../core/json.ts";
import { listPictures } from "../../core/pictures/getpicturelist.ts";
import type { CooperativeScheduler, Steps, Timer } from "../../core/ports.ts";
import { listSnapshots } from "../../core/snapshots/getsnapshotlist.ts";
import type { Snapshot, SnapshotType } from "../../core/snapshots/snapshot.ts";
import type { State } from "../../core/state.ts";
import { listUsers } from "../../core/users/getuserlist.ts";
import {
  bytesDigest,
  COMPARED_SETTINGS,
  type DigestedSnapshot,
  digestOf,
  isCompared,
  picturesValue,
  snapshotsValue,
  textDigest,
  usersValue,
} from "../drift/section-values.ts";
import {
  SECTION_NAMES,
  type SectionName,
  touches,
  TREE_SECTION_NAMES,
  treeSection,
} from "../drift/sections.ts";

/** Minimum interval in ms between two computations of digests. */
export const DIGESTS_MS = 5000;

/** The ports of {@link followDigests}. */
export interface DigestsPorts {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  /** Called with a section whose digest could not be made. */
  readonly onFault: (fault: unknown) => void;
}

/** The digests of a console. */
export interface Digests {
  /** The present digests; a new object after each change. */
  readonly current: Readonly<Record<string, string>>;
  /** Calls `listener` when a digest has changed; the returned function ends that. */
  watch(listener: () => void): () => void;
  stop(): void;
}

/** The remembered digests of immutable parts of a state. */
interface Known {
  readonly snapshots: WeakMap<Snapshot, string>;
  readonly pictures: WeakMap<Uint8Array, string>;
}

/** Makes the digests of a console, and makes a digest again when its section changes. */
export function followDigests(
  console: Console,
  { timer, scheduler, onFault }: DigestsPorts,
): Digests {
  const known: Known = { snapshots: new WeakMap(), pictures: new WeakMap() };
  const stale = new Set<SectionName>(SECTION_NAMES);
  const listeners = createListeners<void>();
  let current: Readonly<Record<string, string>> = {};
  let seen = console.state;
  let isRunning = false;
  let isStopped = false;
  let startedAt = -Infinity;
  let cancel = () => {};

  function heard(event: ConsoleEvent, state: State): void {
    for (const name of changedBy(event, seen, state)) stale.add(name);
    seen = state;
    wake();
  }

  function wake(): void {
    if (isRunning || isStopped || stale.size === 0) return;
    cancel();
    cancel = timer.at(Math.max(timer.monotonic(), startedAt + DIGESTS_MS), () => void makeAll());
  }

  async function makeAll(): Promise<void> {
    isRunning = true;
    startedAt = timer.monotonic();
    const names = [...stale];
    stale.clear();
    const made: Record<string, string> = {};
    for (const name of names) {
      if (isStopped) return;
      try {
        made[name] = await digestOfSection(name, console.state, known, scheduler);
      } catch (fault) {
        onFault(fault);
      }
    }
    isRunning = false;
    if (isStopped) return;
    if (Object.keys(made).some((name) => made[name] !== current[name])) {
      current = { ...current, ...made };
      listeners.tell();
    }
    wake();
  }

  const stopWatching = console.watch(heard);
  wake();
  return {
    get current() {
      return current;
    },
    watch: listeners.add,
    stop() {
      isStopped = true;
      stopWatching();
      cancel();
    },
  };
}

/** Returns the sections that an event may have changed. */
function changedBy(event: ConsoleEvent, before: State, after: State): readonly SectionName[] {
  if (event.type === "treechanged") {
    if (event.ofMeters === true || event.ofFades === true) return [];
    return TREE_SECTION_NAMES.filter((name) => touches(name, event.patch));
  }
  if (before.configuration !== after.configuration) return SECTION_NAMES;
  return [
    ...(before.tree === after.tree ? [] : TREE_SECTION_NAMES),
    ...PART_SECTIONS.filter(([, part]) => before[part] !== after[part]).map(([name]) => name),
  ];
}

/** The sections that depend on a single part of a state, each with that part. */
const PART_SECTIONS: readonly (readonly [SectionName, keyof State])[] = [
  ["snapshots", "snapshots"],
  ["users", "users"],
  ["pictures", "pictures"],
  ["views", "viewDocuments"],
  ["settings", "settings"],
];

/** Returns the digest of a section of a state. */
export async function digestOfSection(
  name: SectionName,
  state: State,
  known: Known,
  scheduler: CooperativeScheduler,
): Promise<string> {
  const value = name === "settings"
    ? await settingsValue(state)
    : await scheduler.run(valueOf(name, state, known));
  return await scheduler.run(digestOf(value));
}

function* valueOf(
  name: Exclude<SectionName, "settings">,
  state: State,
  known: Known,
): Steps<unknown> {
  switch (name) {
    case "labels":
    case "processing":
    case "setup":
      return yield* treeSection(name, state.tree);
    case "snapshots":
      return yield* snapshotsOf(state, known);
    case "users":
      return usersValue(listUsers(state));
    case "pictures":
      return yield* picturesOf(state, known);
    case "views":
      return yield* viewsOf(state);
    case "configuration":
      return withoutOwnParts(state.configuration.written);
  }
}

function* snapshotsOf(state: State, known: Known): Steps<Json> {
  const mixers: Record<string, Json> = {};
  for (const { id } of state.configuration.mixers) {
    mixers[id] = yield* listedSnapshots(state, 2, known, id);
  }
  return {
    channel: yield* listedSnapshots(state, 1, known),
    processing: yield* listedSnapshots(state, 3, known),
    mixers,
  };
}

function* listedSnapshots(
  state: State,
  type: SnapshotType,
  known: Known,
  mixer?: number,
): Steps<Json> {
  const list = listSnapshots(state, type, mixer);
  if (isRefusal(list)) return {};
  const digested: DigestedSnapshot[] = [];
  for (const entry of list.filter(isCompared)) {
    const snapshot = state.snapshots.get(entry.id)!;
    const content = known.snapshots.get(snapshot) ?? (yield* textDigest(snapshot.content));
    known.snapshots.set(snapshot, content);
    digested.push({ ...entry, content });
    yield;
  }
  return snapshotsValue(digested);
}

function* picturesOf(state: State, known: Known): Steps<Json> {
  const digests = new Map<number, string>();
  for (const [id, { bytes }] of state.pictures) {
    const digest = known.pictures.get(bytes) ?? (yield* bytesDigest(bytes));
    known.pictures.set(bytes, digest);
    digests.set(id, digest);
  }
  return picturesValue(listPictures(state), digests);
}

function* viewsOf({ viewDocuments }: State): Steps<Json> {
  const views: [string, Json][] = [];
  for (const [name, { text }] of viewDocuments.byName) {
    views.push([name, JSON.parse(text)]);
    yield;
  }
  return Object.fromEntries(views);
}

/** The schemas of settings are loaded on first use: an idle console does without them. */
async function settingsValue(state: State): Promise<Json> {
  const { settingsOf } = await import("../../core/settings/settings.ts");
  const documents = COMPARED_SETTINGS.map((tag) => [tag, settingsOf(state, tag) as Json] as const);
  return Object.fromEntries(documents);
}
