/** Returns what a meter shows as the control tree has it: to two places, and never -0. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
