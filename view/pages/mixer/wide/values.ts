/**
 * The numbers of the processing that handles move, with the moves of their hands.
 *
 * @module
 */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import type { NumberLeaf, Ranges } from "../../../../core/tree/leaf.ts";
import { createAnotherHand } from "../../../parts/fader/another-hand.ts";
import { createShown, type Shown } from "../../../parts/fader/shown.ts";
import { browserTime } from "../../../parts/fader/use-shown.ts";
import { at, set } from "../../../state/live.ts";
import { membersOf } from "./ranges.ts";

/** A number that is shown and moved. */
export interface HandValue {
  readonly leaf: NumberLeaf;
  /** The shown value; a component that reads it is drawn again. */
  readonly value: number;
  readonly shown: Shown;
}

/** The numbers of some blocks. */
export interface HandValues {
  /** The number of a member of a block; undefined if the block has no such member. */
  of(block: string, member: string): HandValue | undefined;
  /** Whether another hand moves a number that is held here. */
  readonly isShared: ReadonlySignal<boolean>;
}

/** Returns the numbers of blocks below a path; `reason` says why none can be moved. */
export function useHandValues(
  path: string,
  blocks: readonly string[],
  ranges: Ranges,
  reason: string | undefined,
): HandValues {
  const own = useMemo(() => createHandValues(path, blocks, ranges), [path, blocks.join(), ranges]);
  useEffect(() => own.follow(), [own]);
  // When the console goes away, or the page is locked, all held numbers are released.
  useLayoutEffect(() => {
    if (reason !== undefined) own.drop();
  }, [own, reason]);
  return own;
}

function createHandValues(path: string, blocks: readonly string[], ranges: Ranges) {
  const isShared = signal(false);
  const anotherHand = createAnotherHand(isShared);
  const values = new Map<string, HandValue>();
  for (const block of blocks) {
    for (const { path: member, leaf } of membersOf(ranges[block] as Ranges ?? {})) {
      if (leaf.type === "number") values.set(block + member, createHandValue(block + member, leaf));
    }
  }

  function createHandValue(name: string, leaf: NumberLeaf): HandValue {
    const told = at(`${path}/${name}`).peek();
    const value = signal(typeof told === "number" ? told : leaf.default);
    const shown = createShown(value.peek(), {
      ...browserTime,
      show: (next) => value.value = next,
      send: (next) => set(`${path}/${name}`, next),
      elsewhere: anotherHand.moved,
    });
    return {
      leaf,
      shown,
      get value() {
        return value.value;
      },
    };
  }

  return {
    of: (block: string, member: string) => values.get(`${block}/${member}`),
    isShared,
    /** Shows the values of the console; the returned function ends that. */
    follow(): () => void {
      const ends = [...values].map(([name, { shown }]) =>
        effect(() => {
          const { value: told } = at(`${path}/${name}`);
          if (typeof told === "number") shown.told(told);
        })
      );
      return () => {
        for (const end of ends) end();
        anotherHand.end();
      };
    },
    drop() {
      for (const { shown } of values.values()) shown.drop();
    },
  };
}
