/**
 * The refusals of requests for consoles that do not exist or cannot be reached, and the refusals
 * that consoles answer.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { WHY_CHARACTERS } from "../wire.ts";
import type { ConsoleEntry } from "./hub-core.ts";

/** Refuses a request for a console that the fleet does not have, or that the user does not see. */
export function noConsole(id: string): Refusal {
  return refuse("noSuchObject", `there is no console ${shown(id)}`, "console");
}

/**
 * Refuses a request for a console that is not live: nothing was sent to it. `id` names the console
 * if the fleet does not have it.
 */
export function unreachable(entry: ConsoleEntry | undefined, id: string): Refusal {
  if (entry === undefined) return noConsole(id);
  const { state, since, isAwaited = false, summary: { name } } = entry;
  const console = `the console ${shown(name)}`;
  if (state === "quarantined") {
    return refuse("noRight", `${console} is in quarantine until an admin approves it`);
  }
  const instant = new Date(since).toISOString();
  const what = isAwaited
    ? `was not heard yet by this hub, which waits for it since ${instant}`
    : `is ${state} since ${instant}`;
  return refuse("noSuchObject", `${console} ${what}: nothing was sent`);
}

/**
 * Returns a sentence of a console as a hub logs it and passes it on: one line, without control
 * characters, of at most {@link WHY_CHARACTERS} characters.
 */
export function sentenceOf(said: string): string {
  return said.slice(0, WHY_CHARACTERS).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
}

/** Returns the refusal that a console has answered, whatever it sent as `error`. */
export function refusalOf(error: unknown): Refusal {
  const { code, message } = Object(error) as Partial<Refusal>;
  return typeof code === "number" && typeof message === "string"
    ? { code, message: sentenceOf(message) }
    : refuse("malformed", "the console refused it");
}
