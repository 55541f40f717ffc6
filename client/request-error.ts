/**
 * The error that says why a request failed.
 *
 * @module
 */
import type { Refusal } from "../core/wire.ts";

/**
 * The error with which a request is rejected. If the console refused it, or a handle found no
 * snapshot or several snapshots of a name, `code` is a number of docs/errors.md, and `message` is
 * the sentence of the refusal. Without a connection `code` is `"lost"`, and the message says
 * whether the request was sent: then it is unknown whether it was carried out. If the client was
 * closed, `code` is `"closed"`.
 */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: Refusal["code"] | "lost" | "closed";

  constructor(code: RequestError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
