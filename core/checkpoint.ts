/**
 * A checkpoint: the records that rebuild a state, with nothing of how it came about. The log asks for
 * one when most of it is history, and takes the records bit by bit; the state is a value, so the
 * picture stays that of one moment while the console goes on.
 *
 * @module
 */
import { levelsPatch } from "./fades/fade.ts";
import { itemsOf } from "./fades/fader-map.ts";
import { stagedFor } from "./backup/staged.ts";
import { encodeRecord } from "./record.ts";
import type { RecordBytes } from "./ports.ts";
import type { DurableEvent, State } from "./state.ts";
import { type Branch, isBranch, type Leaf, merge, type Patch } from "./tree/patch.ts";
import { nest, type Path } from "./tree/path.ts";

/** The read-only members that a restart finds again. */
const KEPT_READ_ONLY = new Set(["_lastloadedsnap"]);

/** The records of a state, each small: one per user, snapshot and picture, one per changed fader. */
export function* checkpointRecords(state: State): Generator<RecordBytes> {
  for (const event of events(state)) yield encodeRecord(state, [event]);
}

function* events(state: State): Generator<DurableEvent> {
  const { settings, tls, unwritten } = state;
  if (unwritten !== undefined) {
    yield { type: "restored", configuration: { ...unwritten, live: {} } };
  }
  for (const [tag, document] of settings) {
    yield { type: "restored", settings: { [tag]: document } };
  }
  if (tls !== undefined) yield { type: "restored", tls };
  for (const restore of state.staged.keys()) {
    for (const snapshot of stagedFor(state.staged, restore)) {
      yield { type: "snapshotstaged", restore, snapshot };
    }
  }
  for (const user of state.users.values()) yield { type: "userwritten", user };
  for (const snapshot of state.snapshots.values()) {
    if (!snapshot.factory) yield { type: "snapshotwritten", snapshot };
  }
  for (const [id, picture] of state.pictures) yield { type: "picturewritten", id, ...picture };
  yield { type: "hourskept", hours: state.hours.kept };
  const rest = [...itemsOf(state.adrift)].map(({ rest, ...address }) => ({ ...address, dB: rest }));
  const settled = rest.length === 0 ? state.tree : merge(state.tree, levelsPatch(rest));
  for (const root of ["control", "audio"]) {
    for (const patch of changes(state.initial[root] as Branch, settled[root] as Branch, [root])) {
      yield { type: "treechanged", durable: true, patch };
    }
  }
}

/** The leaves that differ, as one patch per branch that holds any. What is shared is not looked at. */
function* changes(initial: Branch, now: Branch, path: Path): Generator<Patch> {
  const leaves: Record<string, Leaf> = {};
  for (const [member, value] of Object.entries(now)) {
    const before = initial[member];
    if (value === before) continue;
    if (isBranch(value) && isBranch(before)) yield* changes(before, value, [...path, member]);
    else if (isKept(member) && !Array.isArray(value)) leaves[member] = value as Leaf;
  }
  if (Object.keys(leaves).length > 0) yield nest(path, leaves) as Patch;
}

function isKept(member: string): boolean {
  return !member.startsWith("_") || KEPT_READ_ONLY.has(member);
}
