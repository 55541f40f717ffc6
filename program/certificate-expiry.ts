/**
 * The end of the validity of the certificate of a console, for its metrics.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { validityOf } from "./certificate.ts";

/**
 * Reads the end of the validity, and reads it anew whenever there is another certificate. The
 * returned function returns it in s since 1970; undefined if there is none.
 */
export function followExpiry(console: Console): () => number | undefined {
  let expiry: number | undefined;
  const follow = async () => {
    const { tls } = console.state;
    const validity = tls && await validityOf(tls);
    // Another certificate may have come while this one was read.
    if (tls === console.state.tls) expiry = validity && Date.parse(validity.until) / 1000;
  };
  void follow();
  console.watch((event) => {
    if (event.type === "restored" && event.tls !== undefined) void follow();
  });
  return () => expiry;
}
