/**
 * The present gain reduction of a block.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import { meters } from "../../../state/live.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { whileSeen } from "../../../while-seen.ts";
import { meterOptions } from "../mixer-meters.ts";

/** Gain reduction that fills the bar, in dB. */
const WHOLE_DB = 24;

/** Interval of its updates for screen readers, in ms. */
const SAY_MS = 1000;

interface ReductionProps {
  /** The path of the block. */
  readonly path: string;
  readonly title: string;
}

/** A bar of the gain reduction, from the top down. It bypasses the rendering of components. */
export function Reduction({ path, title }: ReductionProps) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let last = 0;
    let said = 0;
    let saying: number | undefined;
    const say = () => {
      saying = undefined;
      if (said === last) return;
      said = last;
      bar.current?.setAttribute("aria-valuenow", String(Math.round(partOf(said) * WHOLE_DB)));
      bar.current?.setAttribute("aria-valuetext", `${Math.round(said) + 0} dB`);
      saying = setTimeout(say, SAY_MS);
    };
    return whileSeen(() =>
      meters(`${path}/_gainreduction` as string, (dB) => {
        if (typeof dB !== "number") return;
        last = dB;
        bar.current?.style.setProperty("--part", String(partOf(dB)));
        if (saying === undefined) say();
      }, meterOptions())
    );
  }, [path]);
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

/** The part of the bar that a gain reduction in dB fills, 0..1. */
function partOf(dB: number): number {
  return Math.min(1, Math.max(0, -dB / WHOLE_DB));
}
