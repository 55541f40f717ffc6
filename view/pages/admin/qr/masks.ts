/**
 * The masks of QR codes. A QR code uses the mask that leaves the fewest patterns that could mislead
 * a reader (ISO/IEC 18004, 7.8).
 *
 * @module
 */

/** Whether a mask inverts the module in a row and a column. */
type Mask = (y: number, x: number) => boolean;

/** The masks, by their numbers. */
export const MASKS: readonly Mask[] = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => y * x % 2 + y * x % 3 === 0,
  (y, x) => (y * x % 2 + y * x % 3) % 2 === 0,
  (y, x) => ((y + x) % 2 + y * x % 3) % 2 === 0,
];

/** Returns the penalty of a symbol, in the points of the standard. */
export function penaltyOf(modules: readonly (readonly boolean[])[]): number {
  const rows = modules.map(lineOf);
  const columns = modules.map((_, x) => lineOf(modules.map((row) => row[x]!)));
  let points = 0;
  for (const line of [...rows, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    points += 40 * line.split(/(?=10111010000|00001011101)/).length - 40;
  }
  for (let y = 1; y < modules.length; y++) {
    for (let x = 1; x < modules.length; x++) {
      const square = rows[y - 1]!.slice(x - 1, x + 1) + rows[y]!.slice(x - 1, x + 1);
      if (square === "0000" || square === "1111") points += 3;
    }
  }
  const dark = rows.join("").replaceAll("0", "").length / modules.length ** 2;
  return points + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

function lineOf(modules: readonly boolean[]): string {
  return modules.map(Number).join("");
}
