/** Rounds the reading of a meter for the control tree: to two decimal places, and never to -0. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
