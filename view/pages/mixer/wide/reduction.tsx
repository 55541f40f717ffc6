/**
 * The present gain reduction of a block.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../../texts/texts.ts";

/** The listeners to the gain reduction of each block in dB. */
export type GainReductions = Map<string, (dB: number) => void>;

/** Gain reduction that fills the bar, in dB. */
const WHOLE_DB = 24;

interface ReductionProps {
  readonly name: string;
  readonly title: string;
  readonly reductions: GainReductions;
}

/** A bar of the gain reduction. It bypasses the rendering of components. */
export function Reduction({ name, title, reductions }: ReductionProps) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    reductions.set(name, (dB) => {
      bar.current?.style.setProperty("--part", String(Math.min(1, -dB / WHOLE_DB)));
    });
    return () => void reductions.delete(name);
  }, [name, reductions]);
  return (
    <div ref={bar} class="reduction" role="img" aria-label={texts().mixer.reductionOf(title)}>
      <div />
    </div>
  );
}
