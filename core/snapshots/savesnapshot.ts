/**
 * Carries out the RPC `savesnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { hexOf } from "../hex.ts";
import { SNAPSHOT_ID } from "../limits.ts";
import type { Random } from "../ports.ts";
import { localTime, timeZoneOf } from "../settings/local-time.ts";
import type { State } from "../state.ts";
import { contentAt, defaultSnapshot, findNamed, findSnapshot } from "./find.ts";
import { writegroupsRefusal, writeRefusal } from "./rights.ts";
import { DEFAULT_ID, NAMED_ID, type Snapshot, type SnapshotType } from "./snapshot.ts";
import { type Target, targetPath } from "./target.ts";
import { writeSnapshot } from "./writesnapshot.ts";

/** The target to save, and the attributes of the snapshot. */
export interface SaveSnapshot extends Target {
  readonly type: SnapshotType;
  /**
   * The UUID of a snapshot to overwrite; blank to make a new one; "default" for snapshot 0 of the
   * mixer; "named" to overwrite the snapshot of that `name`, for type 2 that of the same mixer, or
   * to make it if absent.
   */
  readonly id: string;
  /**
   * The name. If it is blank or absent, an overwritten snapshot keeps its name, and a new one is
   * named after the local time (TIMEZONE).
   */
  readonly name?: string | undefined;
  readonly writegroups: number;
  readonly readgroups: number;
  /** The `SnapshotID` of a new snapshot; by default the lowest free number. */
  readonly number?: number | undefined;
}

/**
 * Saves a fader (type 1), a mixer (2) or a flex processing (3). Refused: an unknown id or target
 * (6), an id of another type (3), a factory snapshot (7), an actor without the right (4 or 5), a
 * snapshot over the limits (11).
 */
export function saveSnapshot(params: SaveSnapshot): Command<Done> {
  return (state, actor, { clock, random }) => {
    const { type, id, mixer = 0, writegroups, readgroups } = params;
    const name = params.name === "" ? undefined : params.name;
    const before = overwritten(state, params);
    if (before !== undefined && isRefusal(before)) return before;
    const refused = writeRefusal(before, actor) ??
      (id === DEFAULT_ID ? undefined : writegroupsRefusal(actor, writegroups));
    if (refused !== undefined) return refused;
    const expected = id === DEFAULT_ID ? 2 : before?.type ?? type;
    if (type !== expected) {
      const sentence = `expected ${expected}, that of the snapshot, got ${type}`;
      return refuse("invalidParameter", sentence, "type");
    }
    const path = targetPath(state, type, params);
    if (isRefusal(path)) return path;
    const content = contentAt(state, state.tree, path);
    if (id === DEFAULT_ID) return writeSnapshot(state, defaultSnapshot(mixer, content));
    const number = before?.number ?? params.number ?? freeNumber(state, type);
    if (typeof number !== "number") return number;
    return writeSnapshot(state, {
      id: before?.id ?? makeUuid(random),
      number,
      name: name ?? before?.name ?? localTime(clock.now(), timeZoneOf(state)),
      type,
      writegroups,
      readgroups,
      factory: false,
      content,
      ...(type === 2 ? { mixer } : {}),
    });
  };
}

/** Returns the snapshot that is overwritten; undefined if a new one is made. */
function overwritten(
  state: State,
  { id, name, type, mixer = 0 }: SaveSnapshot,
): Snapshot | Refusal | undefined {
  if (id === "" || id === DEFAULT_ID) return undefined;
  return id === NAMED_ID ? findNamed(state, name, type, mixer) : findSnapshot(state, id);
}

/**
 * Returns the `SnapshotID` for a new snapshot: the lowest number that no snapshot of its type has.
 */
export function freeNumber({ snapshots }: State, type: SnapshotType): number | Refusal {
  const ofType = [...snapshots.values()].filter((snapshot) => snapshot.type === type);
  const taken = new Set(ofType.map(({ number }) => number));
  for (let number = SNAPSHOT_ID.min; number <= SNAPSHOT_ID.max; number++) {
    if (!taken.has(number)) return number;
  }
  return refuse("limitReached", `every SnapshotID to ${SNAPSHOT_ID.max} is taken`);
}

/** Makes a UUID v4. */
export function makeUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = bytes[6]! & 0x0f | 0x40;
  bytes[8] = bytes[8]! & 0x3f | 0x80;
  const digits = hexOf(bytes);
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
