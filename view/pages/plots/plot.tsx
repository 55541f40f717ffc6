/**
 * One meter over the last minute: its lines, and what they come to in numbers.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "../../live.ts";
import { texts } from "../../texts/texts.ts";
import { type Axis, levelAxis, loudnessAxis, reading } from "./axis.ts";
import { type ChartLine, drawChart } from "./chart.ts";
import type { Measured, OnSlot } from "./slots.ts";
import { createTrace, SLOT_MS } from "./trace.ts";

/** The numbers are written so seldom that they can be read, in slots. */
const READ_SLOTS = 500 / SLOT_MS;

/** A value of a plot: `line` is how it is drawn, without it it is a number alone. */
interface Part {
  readonly label: string;
  readonly line?: Omit<ChartLine, "trace">;
  readonly of: (measured: Measured) => number | undefined;
  /** Two digits and no silence, for what is no level. */
  readonly isPlain?: boolean;
}

/** Which meter it is, and where the slots come from. */
interface PlotProps {
  readonly id: number;
  readonly listeners: Set<OnSlot>;
}

/** A level meter: both sides, the highest of the minute, the correlation. */
export function LevelPlot({ id, listeners }: PlotProps) {
  const own = texts().plots;
  const parts: readonly Part[] = [
    {
      label: own.left,
      line: { colour: "--accent", width: 2 },
      of: ({ levels }) => levels?.[id]?._left,
    },
    {
      label: own.right,
      line: { colour: "--warning", width: 2, isDashed: true },
      of: ({ levels }) => levels?.[id]?._right,
    },
    { label: own.correlation, of: ({ levels }) => levels?.[id]?._correlation, isPlain: true },
  ];
  const name = at(`/audio/levels/${id}/_name`).value ?? "";
  const mode = at(`/audio/levels/${id}/_mode`).value ?? "";
  return <Plot {...{ name, mode, axis: levelAxis, parts, listeners, isPeakShown: true }} />;
}

/** A loudness meter: momentary, short-term and integrated, with what they came to at most. */
export function LoudnessPlot({ id, listeners }: PlotProps) {
  const own = texts().plots;
  const parts: readonly Part[] = [
    {
      label: own.momentary,
      line: { colour: "--accent", width: 1.5 },
      of: ({ loudness }) => loudness?.[id]?._levelm,
    },
    {
      label: own.shortTerm,
      line: { colour: "--on", width: 2.5 },
      of: ({ loudness }) => loudness?.[id]?._levels,
    },
    {
      label: own.integrated,
      line: { colour: "--warning", width: 2, isDashed: true },
      of: ({ loudness }) => loudness?.[id]?._leveli,
    },
    { label: own.maxMomentary, of: ({ loudness }) => loudness?.[id]?._maxm },
    { label: own.maxShortTerm, of: ({ loudness }) => loudness?.[id]?._maxs },
    { label: own.maxPeak, of: ({ loudness }) => loudness?.[id]?._maxpeak },
  ];
  const name = at(`/audio/loudness/${id}/_name`).value ?? "";
  const mode = at(`/audio/loudness/${id}/_mode`).value ?? "";
  return <Plot {...{ name, mode, axis: loudnessAxis, parts, listeners }} />;
}

interface PlotShape {
  readonly name: string;
  readonly mode: string;
  readonly axis: Axis;
  readonly parts: readonly Part[];
  readonly listeners: Set<OnSlot>;
  /** Whether the highest value of the minute is told. */
  readonly isPeakShown?: boolean;
}

function Plot({ name, mode, axis, parts, listeners, isPeakShown = false }: PlotShape) {
  const own = texts().plots;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [readings] = useState(() => parts.map(() => signal("–")));
  const [highest] = useState(() => signal("–"));
  useEffect(() => draw(canvas.current!, axis, parts, listeners, readings, highest), []);
  return (
    <section class="card plot">
      <header>
        <h2>{name}</h2>
        <span class="badge">{mode}</span>
        <span class="space" />
        <span class="muted small">{axis.unit}</span>
      </header>
      <canvas ref={canvas} role="img" aria-label={own.drawn(name, axis.unit)} />
      <dl>
        {parts.map(({ label, line }, index) => (
          <div key={label}>
            <dt>
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
            <dt>{own.highest}</dt>
            <dd>{highest}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Notes every slot, and draws what is on screen; the answer ends that. */
function draw(
  canvas: HTMLCanvasElement,
  axis: Axis,
  parts: readonly Part[],
  listeners: Set<OnSlot>,
  readings: readonly Signal<string>[],
  highest: Signal<string>,
): () => void {
  const traces = parts.map(() => createTrace());
  const lines = parts.flatMap(({ line }, index) => {
    return line === undefined ? [] : [{ ...line, trace: traces[index]! }];
  });
  let isSeen = false;
  const observer = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)!.isIntersecting;
  });
  observer.observe(canvas);
  const note: OnSlot = (slot, measured) => {
    parts.forEach(({ of }, index) => traces[index]!.put(slot, of(measured)));
    if (!isSeen) return;
    drawChart(canvas, axis, lines, slot);
    if (slot % READ_SLOTS !== 0) return;
    const { decimal } = texts();
    parts.forEach(({ isPlain = false }, index) => {
      const value = traces[index]!.at(slot);
      readings[index]!.value = isPlain && value !== undefined
        ? decimal(value, 2)
        : reading(value, decimal);
    });
    const peaks = lines.map(({ trace }) => trace.highest() ?? -Infinity);
    highest.value = reading(Math.max(...peaks), decimal);
  };
  listeners.add(note);
  return () => {
    listeners.delete(note);
    observer.disconnect();
  };
}
