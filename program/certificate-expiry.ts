/**
 * The end of the validity of the certificate of a console or of a hub, for its metrics.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import type { Tls } from "../core/backup/tls.ts";
import { validityOf } from "../runtimes/certificate.ts";

/** The end of the validity of the present certificate. */
export interface Expiry {
  /** Reads the end of the validity of another certificate. */
  follow(tls: Tls | undefined): void;
  /** The end in s since 1970; undefined without a certificate. */
  expiry(): number | undefined;
}

/** Makes an {@link Expiry} that follows no certificate yet. */
export function createExpiry(): Expiry {
  let followed: Tls | undefined;
  let expiry: number | undefined;
  return {
    follow(tls) {
      followed = tls;
      void (async () => {
        const validity = tls && await validityOf(tls);
        // Another certificate may have come while this one was read.
        if (followed === tls) expiry = validity && Date.parse(validity.until) / 1000;
      })();
    },
    expiry: () => expiry,
  };
}

/**
 * Follows the certificate of a console. The returned function returns the end of its validity in s
 * since 1970; undefined if there is none.
 */
export function followExpiry(console: Console): () => number | undefined {
  const { follow, expiry } = createExpiry();
  follow(console.state.tls);
  console.watch((event, { tls }) => {
    if (event.type === "restored" && event.tls !== undefined) follow(tls);
  });
  return expiry;
}
