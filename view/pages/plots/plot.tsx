/**
 * One meter over the chosen range: its lines, and its values in numbers.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "../../state/live.ts";
import { plotsTexts } from "../../texts/plots.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { type Axis, levelAxis, loudnessAxis, reading } from "./axis.ts";
import { type ChartLine, drawChart, type TimeLines } from "./chart.ts";
import { fillTraces } from "./history.ts";
import { loudnessRange } from "./loudness-range.ts";
import { lengthOf, type Range, slotMs } from "./range.ts";
import type { Listener, Measured } from "./slots.ts";
import { createTrace, type Trace } from "./trace.ts";

/** Interval in ms between updates of the numbers: slow enough to be read. */
const READ_MS = 500;

/** Maximum interval in ms between two drawings of a plot. */
const LONGEST_DRAWN_MS = 1000;

/** A value of a plot: `line` is the style of its line; without it the value is only a number. */
interface Part {
  readonly label: string;
  /** Its name in the control tree; empty if it is computed from other values. */
  readonly member: string;
  readonly line?: Omit<ChartLine, "trace">;
  /** Whether it is not a level: it is written with two decimals, and has no silence. */
  readonly isPlain?: boolean;
  /** Whether the highest of several values counts, and not the last. */
  readonly isHighest?: boolean;
  /** Computes it from the other values, if the control tree does not have it. */
  readonly of?: (traces: ReadonlyMap<string, Trace>) => number | undefined;
}

/** The meter, the range, and the set of listeners to the samples. */
interface PlotProps {
  readonly id: number;
  readonly range: Range;
  readonly listeners: Set<Listener>;
}

/** A level meter: both sides, the highest of the range, the correlation. */
export function LevelPlot(props: PlotProps) {
  const own = textsOf(plotsTexts);
  const parts: readonly Part[] = [
    { label: own.left, member: "_left", line: { colour: "--accent", width: 2 }, isHighest: true },
    {
      label: own.right,
      member: "_right",
      isHighest: true,
      line: { colour: "--warning", width: 2, isDashed: true },
    },
    { label: own.correlation, member: "_correlation", isPlain: true },
  ];
  return <Plot {...props} kind="levels" axis={levelAxis} parts={parts} isPeakShown />;
}

/** A loudness meter: momentary, short-term and integrated, with their maximum values. */
export function LoudnessPlot(props: PlotProps) {
  const own = textsOf(plotsTexts);
  const parts: readonly Part[] = [
    {
      label: own.momentary,
      member: "_levelm",
      line: { colour: "--accent", width: 1.5 },
      isHighest: true,
    },
    { label: own.shortTerm, member: "_levels", line: { colour: "--on", width: 2.5 } },
    {
      label: own.integrated,
      member: "_leveli",
      line: { colour: "--warning", width: 2, isDashed: true },
    },
    { label: own.loudnessRange, member: "", of: rangeOf },
    { label: own.maxMomentary, member: "_maxm" },
    { label: own.maxShortTerm, member: "_maxs" },
    { label: own.maxPeak, member: "_maxpeak" },
  ];
  return <Plot {...props} kind="loudness" axis={loudnessAxis} parts={parts} />;
}

/** The loudness range of the shown time. */
function rangeOf(traces: ReadonlyMap<string, Trace>): number | undefined {
  return loudnessRange(traces.get("_levels")!.known());
}

interface PlotShape extends PlotProps {
  readonly kind: keyof Measured;
  readonly axis: Axis;
  readonly parts: readonly Part[];
  /** Whether the highest value of the range is shown. */
  readonly isPeakShown?: boolean;
}

function Plot({ isPeakShown = false, ...shape }: PlotShape) {
  const { id, kind, range, axis, parts } = shape;
  const name = at(`/audio/${kind}/${id}/_name`).value ?? "";
  const mode = at(`/audio/${kind}/${id}/_mode`).value ?? "";
  const own = textsOf(plotsTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [readings] = useState(() => parts.map(() => signal("–")));
  const [highest] = useState(() => signal("–"));
  useEffect(() => draw(canvas.current!, { ...shape, readings, highest }), [range]);
  return (
    <section class="card plot form">
      <header class="toolbar">
        <h2>{name}</h2>
        <span class="badge">{mode}</span>
        <span class="space" />
        <span class="muted small">{axis.unit}</span>
      </header>
      <canvas ref={canvas} role="img" aria-label={own.drawn(name, own.last(range), axis.unit)} />
      <dl>
        {parts.map(({ label, line }, index) => (
          <div key={label}>
            <dt class="line muted small">
              {line !== undefined && (
                <span
                  class="swatch"
                  style={{
                    borderTopColor: `var(${line.colour})`,
                    borderTopStyle: line.isDashed === true ? "dashed" : "solid",
                    borderTopWidth: `${line.width}px`,
                  }}
                />
              )}
              {label}
            </dt>
            <dd>{readings[index]}</dd>
          </div>
        ))}
        {isPeakShown && (
          <div>
            <dt class="muted small">{own.highest(range)}</dt>
            <dd>{highest}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** The plot to draw, and the signals of its numbers. */
interface Drawn extends Omit<PlotShape, "isPeakShown"> {
  readonly readings: readonly Signal<string>[];
  readonly highest: Signal<string>;
}

/** Records every sample, and draws while the plot is visible; the returned function ends that. */
function draw(
  canvas: HTMLCanvasElement,
  { id, kind, range, axis, parts, listeners, readings, highest }: Drawn,
): () => void {
  const ms = slotMs(range);
  const traces = parts.map(({ isHighest = false }) => createTrace(ms, { isHighest }));
  const byMember = new Map(parts.map(({ member }, index) => [member, traces[index]!]));
  const lines = parts.flatMap(({ line }, index) => {
    return line === undefined ? [] : [{ ...line, trace: traces[index]! }];
  });
  const times = timeLines(range);
  const drawnMs = Math.min(ms, LONGEST_DRAWN_MS);
  let isSeen = false;
  let isFilled = false;
  let drawnAt = -Infinity;
  let readAt = -Infinity;
  let latest: Readonly<Record<string, number>> | undefined;

  /** Asks for the history of the meter once it is on the screen. */
  function fill(): void {
    if (!isSeen || isFilled) return;
    isFilled = true;
    void fillTraces({ kind, id, length: lengthOf(range), slotMs: ms }, byMember)
      .then(() => drawnAt = readAt = -Infinity);
  }

  function read(): void {
    const { decimal } = texts();
    parts.forEach(({ member, isPlain = false, of }, index) => {
      const value = of === undefined ? latest?.[member] : of(byMember);
      readings[index]!.value = isPlain && value !== undefined
        ? decimal(value, 2)
        : reading(value, decimal);
    });
    const peaks = lines.map(({ trace }) => trace.highest() ?? -Infinity);
    highest.value = reading(Math.max(...peaks), decimal);
  }

  const observer = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)!.isIntersecting;
    fill();
  });
  observer.observe(canvas);
  const listener: Listener = {
    begin() {
      isFilled = false;
      fill();
    },
    sample(now, measured) {
      const slot = Math.floor(now / ms);
      latest = measured[kind]?.[id] as typeof latest;
      parts.forEach(({ member, of }, index) => {
        if (of === undefined) traces[index]!.put(slot, latest?.[member]);
      });
      if (!isSeen) return;
      if (now >= drawnAt + drawnMs) {
        drawChart(canvas, axis, lines, slot, times);
        drawnAt = now;
      }
      if (now < readAt + READ_MS) return;
      readAt = now;
      read();
    },
  };
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    observer.disconnect();
  };
}

/** The vertical lines of a range: in seconds for one minute, in minutes for longer ranges. */
function timeLines(range: Range): TimeLines {
  const [count, every, unit] = range === "1"
    ? [6, 10, "s"] as const
    : range === "10"
    ? [5, 2, "min"] as const
    : [6, 10, "min"] as const;
  return { count, text: (line) => line === 0 ? `0 ${unit}` : `-${line * every}` };
}
