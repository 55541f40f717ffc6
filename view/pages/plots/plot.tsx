/**
 * One meter over the last minute: its lines, and what they come to in numbers.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "../../state/live.ts";
import { plotsTexts } from "../../texts/plots.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { type Axis, levelAxis, loudnessAxis, reading } from "./axis.ts";
import { type ChartLine, drawChart } from "./chart.ts";
import type { Measured, OnSlot } from "./slots.ts";
import { createTrace, SLOT_MS } from "./trace.ts";

/** Interval in slots at which the numbers are written: slow enough to be read. */
const READ_SLOTS = 500 / SLOT_MS;

/** A value of a plot: `line` is how it is drawn, without it it is a number alone. */
interface Part {
  readonly label: string;
  /** As the control tree calls it. */
  readonly member: string;
  readonly line?: Omit<ChartLine, "trace">;
  /** Whether it is not a level: it has two digits, and no silence. */
  readonly isPlain?: boolean;
}

/** Which meter it is, and where the slots come from. */
interface PlotProps {
  readonly id: number;
  readonly listeners: Set<OnSlot>;
}

/** A level meter: both sides, the highest of the minute, the correlation. */
export function LevelPlot(props: PlotProps) {
  const own = textsOf(plotsTexts);
  const parts: readonly Part[] = [
    { label: own.left, member: "_left", line: { colour: "--accent", width: 2 } },
    {
      label: own.right,
      member: "_right",
      line: { colour: "--warning", width: 2, isDashed: true },
    },
    { label: own.correlation, member: "_correlation", isPlain: true },
  ];
  return <Plot {...props} kind="levels" axis={levelAxis} parts={parts} isPeakShown />;
}

/** A loudness meter: momentary, short-term and integrated, with what they came to at most. */
export function LoudnessPlot(props: PlotProps) {
  const own = textsOf(plotsTexts);
  const parts: readonly Part[] = [
    { label: own.momentary, member: "_levelm", line: { colour: "--accent", width: 1.5 } },
    { label: own.shortTerm, member: "_levels", line: { colour: "--on", width: 2.5 } },
    {
      label: own.integrated,
      member: "_leveli",
      line: { colour: "--warning", width: 2, isDashed: true },
    },
    { label: own.maxMomentary, member: "_maxm" },
    { label: own.maxShortTerm, member: "_maxs" },
    { label: own.maxPeak, member: "_maxpeak" },
  ];
  return <Plot {...props} kind="loudness" axis={loudnessAxis} parts={parts} />;
}

interface PlotShape extends PlotProps {
  readonly kind: keyof Measured;
  readonly axis: Axis;
  readonly parts: readonly Part[];
  /** Whether the highest value of the minute is told. */
  readonly isPeakShown?: boolean;
}

function Plot({ id, kind, axis, parts, listeners, isPeakShown = false }: PlotShape) {
  const name = at(`/audio/${kind}/${id}/_name`).value ?? "";
  const mode = at(`/audio/${kind}/${id}/_mode`).value ?? "";
  const own = textsOf(plotsTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [readings] = useState(() => parts.map(() => signal("–")));
  const [highest] = useState(() => signal("–"));
  const valueOf = (measured: Measured, member: string) =>
    (measured[kind]?.[id] as Readonly<Record<string, number>> | undefined)?.[member];
  useEffect(() => draw(canvas.current!, valueOf, axis, parts, listeners, readings, highest), []);
  return (
    <section class="card plot form">
      <header class="line">
        <h2>{name}</h2>
        <span class="badge">{mode}</span>
        <span class="space" />
        <span class="muted small">{axis.unit}</span>
      </header>
      <canvas ref={canvas} role="img" aria-label={own.drawn(name, axis.unit)} />
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
            <dt class="muted small">{own.highest}</dt>
            <dd>{highest}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Notes every slot, and draws what is on screen; the returned function ends that. */
function draw(
  canvas: HTMLCanvasElement,
  valueOf: (measured: Measured, member: string) => number | undefined,
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
    parts.forEach(({ member }, index) => traces[index]!.put(slot, valueOf(measured, member)));
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
