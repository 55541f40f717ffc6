/**
 * The values that the page has asked the console to set, until it has answered: a key shows that it
 * was pressed, and a second press counts from the first. If the answer is lost a value stays noted
 * until the connection is there again, because until then nobody knows whether it is in force.
 *
 * @module
 */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { RequestError } from "../../client/client.ts";

/** A requested value. */
export interface Asked {
  readonly value: unknown;
}

/** The requested values. */
export interface AskedValues {
  /** The last requested value at a path; undefined if it was answered. */
  at(path: string): ReadonlySignal<Asked | undefined>;
  /** Notes a value until its answer, which is returned. */
  note<Answer>(path: string, value: unknown, answer: Promise<Answer>): Promise<Answer>;
  /** Forgets all, because the values in force are read anew. */
  clear(): void;
}

/** Makes the requested values of a page, none at first. */
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
