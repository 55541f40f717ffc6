/**
 * The output of every bench: a table for people and, with `--json`, one JSON object as the last
 * line.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";

/** The options of a bench. */
export interface BenchOptions {
  /** Whether the output ends with one JSON object. */
  readonly json: boolean;
  /** Number of measurements of each side, in turns. */
  readonly rounds: number;
  /** Duration of one measurement, in seconds. */
  readonly seconds: number;
}

/** Reads `--json`, `--rounds N` and `--seconds S`; `defaults` has the values of missing options. */
export function benchOptions(defaults: Omit<BenchOptions, "json">): BenchOptions {
  const { json, rounds, seconds } = parseArgs(Deno.args, {
    boolean: ["json"],
    string: ["rounds", "seconds"],
  });
  return {
    json,
    rounds: atLeast(1, rounds, defaults.rounds),
    seconds: atLeast(0.1, seconds, defaults.seconds),
  };
}

function atLeast(least: number, text: string | undefined, otherwise: number): number {
  return Math.max(least, Number(text ?? otherwise) || otherwise);
}

/** A figure of a bench, beside the figure of its peer. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number;
  /**
   * The value that is compared to the target: a ratio, a difference in `unit`, or `ours` itself.
   */
  readonly compared: number;
  /** The target; a figure without a target only explains another. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  /** `compared` round by round. */
  readonly perRound: readonly number[];
}

/**
 * Makes a figure of two sides that were measured in turns. Their difference or ratio is the median
 * over the rounds: within one round, both sides met the same load of the machine.
 */
export function figureOf(
  name: string,
  unit: string,
  ours: readonly number[],
  peer: readonly number[],
  by: "ratio" | "difference",
  target?: NonNullable<Figure["target"]>,
): Figure {
  const perRound = ours.map((value, round) =>
    by === "ratio" ? value / peer[round]! : value - peer[round]!
  );
  const sides = { ours: median(ours), peer: median(peer), compared: median(perRound) };
  return { name, unit, ...sides, perRound, ...(target === undefined ? {} : { target }) };
}

/** Figures with the same two sides. */
export interface Comparison {
  /** The names of `ours` and `peer`. */
  readonly sides: readonly [string, string];
  readonly figures: readonly Figure[];
}

/** Prints the results of a bench, each comparison as a table. */
export function report(
  bench: string,
  comparisons: readonly Comparison[],
  { json, rounds }: BenchOptions,
): void {
  print(`${bench}: medians, of ${rounds} rounds`);
  for (const comparison of comparisons) printTable(comparison);
  if (!json) return;
  const figures = comparisons.flatMap(({ sides, figures }) =>
    figures.map((figure) => ({
      ...figure,
      sides,
      ...(figure.target === undefined ? {} : { reached: reached(figure) }),
    }))
  );
  print(JSON.stringify({ bench, figures }));
}

function printTable({ sides, figures }: Comparison): void {
  const head = ["", ...sides, "compared", "target", "reached", "per round"];
  const rows = figures.map((figure) => [
    `${figure.name}, ${figure.unit}`,
    shown(figure.ours),
    shown(figure.peer),
    figure.compared.toFixed(2),
    targetText(figure),
    figure.target === undefined ? "" : reached(figure) ? "yes" : "NO",
    `${Math.min(...figure.perRound).toFixed(2)} to ${Math.max(...figure.perRound).toFixed(2)}`,
  ]);
  print(table([head, ...rows]));
}

/** Returns the median; of an even number of values the lower middle one. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[(values.length - 1) >> 1]!;
}

/**
 * Returns the smallest value that a share (0 to 1) of all values does not exceed; 0 of no values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Waits for some ms. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Writes a line to standard output. */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

function targetText({ target }: Figure): string {
  if (target === undefined) return "";
  return "atLeast" in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
}

/** Whether a figure is within its bound. */
export function reached({ target, compared }: Figure): boolean {
  if (target === undefined) return true;
  return "atLeast" in target ? compared >= target.atLeast : compared <= target.atMost;
}

function shown(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}

/** Makes a table of rows of cells; the first column is aligned left, all others right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
    ).join("  ").trimEnd()
  ).join("\n");
}
