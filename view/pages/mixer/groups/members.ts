/**
 * The members of the groups.
 *
 * @module
 */
import { type ReadonlySignal, useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { at } from "../../../state/live.ts";

/** Number of faders whose mute groups are read at once: a change meanwhile waits for these. */
const AT_ONCE = 32;

/** Returns the faders of a mixer that belong to a VCA group, by the groups' numbers. */
export function useVcaMembers(
  mixer: number,
): ReadonlySignal<ReadonlyMap<number, readonly number[]>> {
  const faders = at(`/audio/mixers/${mixer}/faders`);
  // Computed as a text first, so that the map changes only when a fader joins or leaves.
  const assigned = useComputed(() =>
    Object.entries(faders.value ?? {}).filter(([, { vcagroup }]) => vcagroup > 0)
      .map(([fader, { vcagroup }]) => `${vcagroup} ${fader}`).join()
  );
  return useComputed(() => {
    const members = new Map<number, number[]>();
    for (const one of assigned.value.split(",").filter((text) => text !== "")) {
      const [group, fader] = one.split(" ").map(Number);
      members.set(group!, [...members.get(group!) ?? [], fader!]);
    }
    return members;
  });
}

/**
 * Returns the number of faders in each mute group of a mixer, by the groups' ids; undefined until
 * all were read, which happens after the first rendering.
 */
export function useMuteCounts(mixer: number): ReadonlySignal<Counts | undefined> {
  const faders = at(`/audio/mixers/${mixer}/faders`);
  useSignalEffect(() => {
    const missing = Object.entries(faders.value ?? {})
      .filter(([, { mutegroups }]) => mutegroups === undefined).slice(0, AT_ONCE);
    // Each path is watched only until it was read: every watched path costs time whenever a strip
    // comes or goes.
    for (const [fader] of missing) {
      void at(`/audio/mixers/${mixer}/faders/${Number(fader)}/mutegroups`).value;
    }
  });
  const before = useRef<Counted>({ belongs: [], counts: undefined });
  return useComputed(() => {
    const belongs = Object.values(faders.value ?? {}).map(({ mutegroups }) => mutegroups);
    // Most changes are of levels, and leave the members as they were.
    const isSame = belongs.length === before.current.belongs.length &&
      belongs.every((one, index) => one === before.current.belongs[index]);
    if (!isSame) before.current = { belongs, counts: countsOf(belongs) };
    return before.current.counts;
  });
}

/** Numbers of faders, by the ids of mute groups. */
export type Counts = Readonly<Record<string, number>>;

/** The mute groups of a fader; undefined until they were read. */
type Belongs = Readonly<Record<string, boolean>> | undefined;

interface Counted {
  readonly belongs: readonly Belongs[];
  readonly counts: Counts | undefined;
}

function countsOf(all: readonly Belongs[]): Counts | undefined {
  const counts: Record<string, number> = {};
  for (const belongs of all) {
    if (belongs === undefined) return undefined;
    for (const [id, isIn] of Object.entries(belongs)) {
      if (isIn) counts[id] = (counts[id] ?? 0) + 1;
    }
  }
  return counts;
}
