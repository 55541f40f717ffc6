/**
 * Why a request failed.
 *
 * @module
 */
import type { Refusal } from "../core/wire.ts";

/**
 * What a request is rejected with. `code` is a number where the console refused it, one of those
 * on the page docs/errors.md, and `message` is the sentence of the console; also where a handle
 * finds no snapshot by a name, or several. It is `"lost"` where
 * there is no connection: the message says whether the request was sent, for then nobody knows
 * whether it was carried out. It is `"closed"` where the client was closed.
 */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: Refusal["code"] | "lost" | "closed";

  constructor(code: RequestError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
