/**
 * Finds the fader that two bytes name: by its mixer and its number, both counted from 0, or by the
 * channel that it carries.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { findChannel } from "../../core/labels/channels.ts";
import type { State } from "../../core/state.ts";
import { type FaderAddress, faderPath } from "../../core/tree/resources.ts";
import { find, formatPath, type Leaf } from "../../core/tree/tree.ts";
import type { Envelope } from "../control-api/envelope.ts";

/** The value of the first byte if the second one is a channel. */
const BY_CHANNEL = 0x10;

/** Returns the fader that two bytes name; undefined for a channel that no fader carries. */
export function faderAt(state: State, data: Uint8Array, at = 0): FaderAddress | undefined {
  const [mixer, fader] = [data[at]!, data[at + 1]!];
  if (mixer !== BY_CHANNEL) return { mixer, fader };
  const found = findChannel(state, fader);
  return isRefusal(found) ? undefined : found;
}

/** Returns the value of a member of the fader that two bytes name; undefined if there is none. */
export function faderValue(state: State, data: Uint8Array, member: string): Leaf | undefined {
  const address = faderAt(state, data);
  return address && find(state.tree, [...faderPath(address), member]) as Leaf | undefined;
}

/** Makes the request that sets a member of the fader that two bytes name. */
export function setFader(
  state: State,
  data: Uint8Array,
  member: string,
  payload: Leaf,
): Envelope | undefined {
  const address = faderAt(state, data);
  return address && { method: "set", path: formatPath([...faderPath(address), member]), payload };
}
