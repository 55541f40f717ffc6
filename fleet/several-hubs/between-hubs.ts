/**
 * Questions of a hub to the other hubs: the hub that has the object of a question answers it.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";

/** Questions between hubs. `what` is one or more tokens of a subject, such as `batch.ID`. */
export interface BetweenHubs {
  /** The name of this hub; other hubs may have the same name. */
  readonly name: string;
  /** Asks the other hubs; rejects if no hub answers within `ms`. */
  ask(what: string, value: Json, ms: number): Promise<Json>;
  /** Answers such questions; the returned function ends that. */
  serve(what: string, answer: (value: Json) => Promise<Json>): () => void;
  /**
   * Calls `listener` when the hub of a boot has stopped, or was not heard for long: at once if it is
   * not heard now. The returned function ends that.
   */
  onLost(boot: string, listener: () => void): () => void;
}
