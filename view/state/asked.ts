/**
 * The values that the page has asked the console for, until it has answered: a key shows that it was
 * pressed, and a second press counts from the first. Where the answer is lost a value stays asked
 * until the connection is there again, for nobody knows meanwhile whether it is in force.
 *
 * @module
 */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { RequestError } from "../../client/client.ts";

/** A value that was asked for. */
export interface Asked {
  readonly value: unknown;
}

/** What was asked for. */
export interface AskedValues {
  /** The value that was asked for last at a path; undefined where it was answered. */
  at(path: string): ReadonlySignal<Asked | undefined>;
  /** Notes a value until its answer, which is returned. */
  note<Answer>(path: string, value: unknown, answer: Promise<Answer>): Promise<Answer>;
  /** Forgets all: what is in force is read anew. */
  clear(): void;
}

/** Makes the values of a page, of which none was asked for yet. */
export function createAsked(): AskedValues {
  const places = new Map<string, Signal<Asked | undefined>>();

  function at(path: string): Signal<Asked | undefined> {
    let place = places.get(path);
    if (place === undefined) places.set(path, place = signal<Asked | undefined>(undefined));
    return place;
  }

  return {
    at,
    async note(path, value, answer) {
      const place = at(path);
      const own = place.value = { value };
      const answered = () => {
        if (place.peek() === own) place.value = undefined;
      };
      try {
        const inForce = await answer;
        answered();
        return inForce;
      } catch (fault) {
        if ((fault as RequestError).code !== "lost") answered();
        throw fault;
      }
    },
    clear() {
      for (const place of places.values()) place.value = undefined;
    },
  };
}
