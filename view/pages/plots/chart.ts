/**
 * Draws the traces of a range on a canvas.
 *
 * @module
 */
import { type Axis, heightOf, linesOf } from "./axis.ts";
import { SLOTS, type Trace } from "./trace.ts";

/** A line of a chart. */
export interface ChartLine {
  readonly trace: Trace;
  /** The name of its colour, as `--accent`. */
  readonly colour: string;
  readonly isDashed?: boolean;
  readonly width: number;
}

/** Room for the numbers, in CSS pixels. */
const LEFT = 40;
const BOTTOM = 22;
const TOP = 8;
const RIGHT = 8;

/** The vertical lines of a chart: their number, and their texts. */
export interface TimeLines {
  readonly count: number;
  /** Returns the text of a line, by its number from the right. */
  text(line: number): string;
}

/** Draws all of a chart whose last slot is `slot`, in the present colours of the styles. */
export function drawChart(
  canvas: HTMLCanvasElement,
  axis: Axis,
  lines: readonly ChartLine[],
  slot: number,
  times: TimeLines,
): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio;
  const pixels = [Math.round(width * scale), Math.round(height * scale)] as const;
  // Setting the size clears the canvas, and costs more than clearing it.
  if (canvas.width !== pixels[0]) canvas.width = pixels[0];
  if (canvas.height !== pixels[1]) canvas.height = pixels[1];
  const pen = canvas.getContext("2d")!;
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name);
  const right = width - RIGHT;
  const bottom = height - BOTTOM;
  const x = (at: number) => right - (slot - at) * (right - LEFT) / SLOTS;
  const y = (value: number) => bottom - heightOf(axis, value) * (bottom - TOP);

  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = `12px ${style.fontFamily}`;
  pen.fillStyle = colour("--muted");
  pen.strokeStyle = colour("--line");
  pen.lineWidth = 1;
  pen.setLineDash([]);
  if (axis.target !== undefined) {
    const { value, tolerance } = axis.target;
    pen.fillStyle = colour("--on");
    pen.globalAlpha = 0.15;
    const top = y(value + tolerance);
    pen.fillRect(LEFT, top, right - LEFT, y(value - tolerance) - top);
    pen.globalAlpha = 1;
    pen.strokeStyle = colour("--on");
    stroke(pen, [[LEFT, y(value)], [right, y(value)]]);
    pen.textAlign = "left";
    pen.textBaseline = "bottom";
    pen.fillText(`${value} ±${tolerance}`, LEFT + 4, y(value) - 1);
    pen.fillStyle = colour("--muted");
    pen.strokeStyle = colour("--line");
  }
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const value of linesOf(axis)) {
    stroke(pen, [[LEFT, y(value)], [right, y(value)]]);
    pen.fillText(String(value), LEFT - 8, y(value));
  }
  pen.textBaseline = "alphabetic";
  for (let line = times.count; line >= 0; line--) {
    const at = x(slot - line * SLOTS / times.count);
    stroke(pen, [[at, TOP], [at, bottom]]);
    pen.textAlign = line === 0 ? "right" : line === times.count ? "left" : "center";
    pen.fillText(times.text(line), at, height - 5);
  }
  for (const { trace, colour: name, isDashed = false, width: thickness } of lines) {
    pen.strokeStyle = colour(name);
    pen.lineWidth = thickness;
    pen.setLineDash(isDashed ? [6, 4] : []);
    pen.beginPath();
    let isDown = false;
    for (let at = slot - SLOTS + 1; at <= slot; at++) {
      const value = trace.at(at);
      if (value !== undefined) pen[isDown ? "lineTo" : "moveTo"](x(at), y(value));
      isDown = value !== undefined;
    }
    pen.stroke();
  }
}

function stroke(
  pen: CanvasRenderingContext2D,
  [from, to]: readonly [from: readonly [number, number], to: readonly [number, number]],
): void {
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}
