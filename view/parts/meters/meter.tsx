/**
 * A meter on the page: a canvas, and its scale if there is room.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import type { MeterBoard } from "./board.ts";
import { endsOf, heightOf, METER_MARKS, type MeterMode } from "./scale.ts";

/** The properties of a meter. */
export interface MeterProps {
  /** The board that feeds it; without a board it stays empty. */
  readonly board: MeterBoard | undefined;
  /** Its name on the board. */
  readonly name: string;
  readonly mode: MeterMode;
  /** Its accessible name: the measured signal, in words. */
  readonly label: string;
  readonly hasScale?: boolean;
  /** The point at which it measures, if that is shown below the scale. */
  readonly point?: string;
}

/** A meter. */
export function Meter({ board, name, mode, label, hasScale = false, point }: MeterProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => board?.show(canvas.current!, name, mode), [board, name, mode]);
  const [lowest, highest] = endsOf(mode);
  return (
    <div class="meter" title={label}>
      {hasScale && (
        <div class="meter-scale" aria-hidden="true">
          {METER_MARKS[mode].map((dB) => (
            <span key={dB} style={{ "--height": heightOf(dB, mode) }}>{dB}</span>
          ))}
          {point !== undefined && <span style={{ "--height": 0 }}>{point}</span>}
        </div>
      )}
      <div class="meter-bars">
        {/* The board sets its text. */}
        <canvas
          ref={canvas}
          role="meter"
          aria-label={label}
          aria-valuemin={lowest}
          aria-valuemax={highest}
          aria-valuenow={lowest}
        />
      </div>
    </div>
  );
}
