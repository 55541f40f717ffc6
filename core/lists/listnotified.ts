import { type EventDefinition, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";

/**
 * A button went down (1) or up (0); the subscribers of the list are notified by `extlistnotified`.
 */
export interface ListNotified {
  readonly type: "listnotified";
  readonly list: number;
  readonly entry: number;
  readonly on: 0 | 1;
  readonly subscribers: ReadonlySet<number>;
}

/**
 * The event is volatile, like all events of lists. It changes no state, because a `listchanged`
 * before it has changed the list; it only causes the notification.
 */
export const listnotified: EventDefinition<ListNotified> = {
  reduce: (state): State => state,
  log: undefined,
  tell: tellsNothing,
};
