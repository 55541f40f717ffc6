import type { EventDefinition } from "../event.ts";

/** A button went down (1) or up (0): the event `extlistnotified`, for the list's subscribers. */
export interface ListNotified {
  readonly type: "listnotified";
  readonly list: number;
  readonly entry: number;
  readonly on: 0 | 1;
  readonly subscribers: ReadonlySet<number>;
}

/** Volatile; the list itself was changed by a `listchanged` before it. */
export const listnotified: EventDefinition<ListNotified> = {
  reduce: (state) => state,
  log: undefined,
};
