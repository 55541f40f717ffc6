/**
 * The address of the strips of a VCA group alone.
 *
 * @module
 */
import { addressOf } from "../../../state/route.ts";

/**
 * Shows only the strips of a VCA group, or all strips; Back leads from the first shown group to
 * all.
 */
export function goTo(mixer: number, vca: number | undefined, isSpilled: boolean): void {
  const address = addressOf("mixer", mixer, ...vca === undefined ? [] : ["vca", vca]);
  if (isSpilled) location.replace(address);
  else location.hash = address;
}
