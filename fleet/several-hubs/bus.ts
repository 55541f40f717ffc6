/**
 * The bus between the hubs of an organisation: messages that arrive at most once. A message that is
 * sent while nobody listens, or while the link is cut, is lost.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";

/** A bus. Subjects are tokens with full stops between; in a pattern `*` stands for one token. */
export interface Bus {
  publish(subject: string, value: Json): void;
  /** Calls `on` with each message; the returned function ends that. */
  subscribe(pattern: string, on: (subject: string, value: Json) => void): () => void;
  /** Asks the hub that serves a subject; rejects if no answer comes within `ms`. */
  ask(subject: string, value: Json, ms: number): Promise<Json>;
  /** Answers requests on a subject; the returned function ends that. */
  serve(subject: string, answer: (value: Json) => Promise<Json>): () => void;
}
