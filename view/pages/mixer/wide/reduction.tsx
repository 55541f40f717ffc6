/**
 * The present gain reduction of a block.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { meters } from "../../../state/live.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { whileSeen } from "../../../while-seen.ts";
import { areMetersShown, meterOptions } from "../mixer-meters.ts";

/** The listeners to the gain reduction of each block in dB. */
export type GainReductions = Map<string, (dB: number) => void>;

/** The gain reductions in a change of `params`. */
type Reported = readonly (readonly [string, { readonly _gainreduction?: number } | undefined])[];

/** The members of the processing that are read first, to show its gain reduction. */
const REDUCTIONS = { depth: 2, only: ["_gainreduction"] };

/** Gain reduction that fills the bar, in dB. */
const WHOLE_DB = 24;

/** Interval of its updates for screen readers, in ms. */
const SAY_MS = 1000;

/** Reports the gain reductions below `params` of a fader to the listeners in the returned map. */
export function useGainReductions(params: string): GainReductions {
  const [reductions] = useState<GainReductions>(() => new Map());
  useEffect(() => {
    if (!areMetersShown) return;
    return whileSeen(() =>
      meters(params, (change) => {
        const blocks = Object.entries(change as object) as Reported;
        for (const [block, { _gainreduction: dB } = {}] of blocks) {
          if (dB !== undefined) reductions.get(block)?.(dB);
        }
      }, { ...meterOptions(), extent: REDUCTIONS })
    );
  }, [params]);
  return reductions;
}

interface ReductionProps {
  readonly name: string;
  readonly title: string;
  readonly reductions: GainReductions;
}

/** A bar of the gain reduction, from the top down. It bypasses the rendering of components. */
export function Reduction({ name, title, reductions }: ReductionProps) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let saidAt = -Infinity;
    reductions.set(name, (dB) => {
      const part = Math.min(1, Math.max(0, -dB / WHOLE_DB));
      bar.current?.style.setProperty("--part", String(part));
      const now = performance.now();
      if (now - saidAt < SAY_MS) return;
      saidAt = now;
      bar.current?.setAttribute("aria-valuenow", String(Math.round(part * WHOLE_DB)));
      bar.current?.setAttribute("aria-valuetext", `${Math.round(dB) + 0} dB`);
    });
    return () => void reductions.delete(name);
  }, [name, reductions]);
  return (
    <div
      ref={bar}
      class="reduction"
      role="meter"
      aria-label={mixerWords().reductionOf(title)}
      aria-valuemin={0}
      aria-valuemax={WHOLE_DB}
      aria-valuenow={0}
      aria-valuetext="0 dB"
    >
      <div />
    </div>
  );
}
