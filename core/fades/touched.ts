/**
 * Writes that meet a moving fader. A level that a fader happens to pass is not where it rests, so
 * writing that very level is a change all the same: it ends the fade and is kept.
 *
 * @module
 */
import { FADER_DB } from "../limits.ts";
import type { State } from "../state.ts";
import { type Branch, combine, type Patch } from "../tree/patch.ts";
import { find, nest } from "../tree/path.ts";
import { levelPath } from "./fade.ts";

/**
 * The patch of a write with the levels of the moving faders that it names; `written` is what is
 * written, nested from the root.
 */
export function withMovingFaders(
  { moving }: State,
  written: Patch,
  patch: Patch | undefined,
): Patch | undefined {
  let whole = patch;
  for (const address of moving.values()) {
    const path = levelPath(address);
    const level = find(written as unknown as Branch, path);
    if (typeof level !== "number") continue;
    const named = nest(path, Math.min(FADER_DB.max, Math.max(FADER_DB.min, level))) as Patch;
    whole = whole === undefined ? named : combine(whole, named);
  }
  return whole;
}
