/**
 * The search for a token of the fleet in a message of a client. A message is parsed only if it may
 * name a token and is within the limit of values of its sender.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { jsonExcess, objectIn } from "../../core/json.ts";
import { MESSAGE_VALUES } from "../../core/limits.ts";
import { RELAYED_VALUES } from "./hub-limits.ts";

/** Says whether a message may name a token, however it is written. */
export function mayHaveToken(text: string): boolean {
  return text.includes('"token"') || text.includes('"auth"') || text.includes("\\u");
}

/** A parsed message; undefined if it is not a JSON object. */
interface Parsed {
  readonly message: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Parses a message. Refused (1): more than 25,000 values from a stranger, 500,000 from a user of
 * the fleet.
 */
export function parseMessage(text: string, sender: "stranger" | "user"): Parsed | Refusal {
  const excess = jsonExcess(text, sender === "stranger" ? MESSAGE_VALUES : RELAYED_VALUES);
  if (excess !== undefined) return refuse("malformed", `the message ${excess}`);
  return { message: objectIn(text) };
}
