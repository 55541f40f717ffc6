/**
 * Questions of a hub to the others, to whichever has what they are about.
 *
 * @module
 */
import type { Json } from "../json.ts";

/** Questions between hubs. `what` is one or more tokens of a subject, such as `batch.ID`. */
export interface BetweenHubs {
  /** The name of this hub, which it may have in common with others. */
  readonly name: string;
  /** Asks; rejects where no hub answers within `ms`. */
  ask(what: string, value: Json, ms: number): Promise<Json>;
  /** Answers such questions; the returned function ends that. */
  serve(what: string, answer: (value: Json) => Promise<Json>): () => void;
}
