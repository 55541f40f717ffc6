/**
 * Tells connections that have called `getaccess` of every change of access, by the event
 * `getaccess`.
 *
 * @module
 */
import { tellAccess } from "../../core/access/access.ts";
import type { Console } from "../../core/console.ts";
import type { State } from "../../core/state.ts";
import type { Hearer } from "./meter-feed.ts";

/** The feed of changes of access to the connections that follow it. */
export interface AccessFeed {
  /** From now on the hearer is told of changes. */
  follow(hearer: Hearer): void;
  /** The hearer is not told of changes any more. */
  stop(hearer: Hearer): void;
}

/** Makes the feed of a console, which nobody follows at first. */
export function createAccessFeed(console: Console): AccessFeed {
  const hearers = new Set<Hearer>();
  let { access, configuration } = console.state;
  let told = "";

  console.watch((_event, state) => {
    if (state.access === access && state.configuration === configuration) return;
    ({ access, configuration } = state);
    if (hearers.size === 0) return;
    const text = eventOf(state);
    // Another configuration may leave access as it is.
    if (text === told) return;
    told = text;
    for (const hearer of hearers) if (hearer.mayHear()) hearer.sendBuffer.send(text);
  });

  return {
    follow(hearer) {
      if (hearers.size === 0) told = eventOf(console.state);
      hearers.add(hearer);
    },
    stop: (hearer) => void hearers.delete(hearer),
  };
}

function eventOf(state: State): string {
  const payload = { type: "getaccess", params: tellAccess(state) };
  return JSON.stringify({ method: "event", payload });
}
