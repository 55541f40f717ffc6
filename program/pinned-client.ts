/**
 * What dials hubs by TLS: by a client that trusts given certificates and no public authority, or by
 * Deno's own, which trusts the public ones.
 *
 * @module
 */
import { Failure } from "./failure.ts";

/** Where Deno's authorities come from; empty for none. */
const AUTHORITIES = "DENO_TLS_CA_STORE";

/** What Deno has read: it does so once in a process, when it makes its first client for TLS. */
let isPublicRead = false;

/** To be called before something is dialled that public authorities vouch for. */
export function trustPublicAuthorities(): void {
  isPublicRead = true;
}

/**
 * Makes a client that trusts `ca` (PEM) alone. Deno adds what it is given to its own authorities, so
 * it is made to have none, which counts until the end of the process. Throws {@link Failure} where
 * that cannot be.
 */
export function createPinnedClient(ca: string): Deno.HttpClient {
  if (isPublicRead) {
    throw new Failure("this process trusts public authorities already: start it again");
  }
  let before: string | undefined;
  try {
    before = Deno.env.get(AUTHORITIES);
    Deno.env.set(AUTHORITIES, "");
  } catch {
    throw new Failure(`to trust no public authority beside it takes --allow-env=${AUTHORITIES}`);
  }
  try {
    return Deno.createHttpClient({ caCerts: [ca] });
  } finally {
    // Programs that this one starts are to have the authorities that they had.
    if (before === undefined) Deno.env.delete(AUTHORITIES);
    else Deno.env.set(AUTHORITIES, before);
  }
}
