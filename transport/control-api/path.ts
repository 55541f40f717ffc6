/**
 * The `path` of a request.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import type { Envelope } from "./envelope.ts";

/** The path as it was sent; refused (3) when it is no text. */
export function pathOf({ path }: Envelope): string | Refusal {
  return typeof path === "string"
    ? path
    : refuse("invalidParameter", `expected a string, got ${shown(path)}`, "path");
}
