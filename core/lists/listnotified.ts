import { type EventDefinition, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";

/**
 * A button went down (1) or up (0), of which the list's subscribers are told by `extlistnotified`.
 */
export interface ListNotified {
  readonly type: "listnotified";
  readonly list: number;
  readonly entry: number;
  readonly on: 0 | 1;
  readonly subscribers: ReadonlySet<number>;
}

/**
 * It is volatile, as all of lists is, and changes nothing: a `listchanged` before it has changed
 * the list itself. It tells whom to notify.
 */
export const listnotified: EventDefinition<ListNotified> = {
  reduce: (state): State => state,
  log: undefined,
  tell: tellsNothing,
};
