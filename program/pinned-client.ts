/**
 * The TLS client that dials hubs: a client that trusts given certificates and no public authority,
 * or Deno's own client, which trusts the public authorities.
 *
 * @module
 */
import { Failure } from "./failure.ts";

/** The variable with the sources of Deno's authorities; empty for none. */
const AUTHORITIES = "DENO_TLS_CA_STORE";

/**
 * Whether Deno has read the variable and trusts the public authorities: it reads the variable once
 * in a process, when it makes its first client for TLS.
 */
let isPublicRead = false;

/** Has to be called before a hub is dialled whose certificate comes from a public authority. */
export function trustPublicAuthorities(): void {
  isPublicRead = true;
}

/**
 * Makes a client that trusts `ca` (PEM) alone. Deno adds the given certificates to its own
 * authorities, so it is made to have none, until the end of the process. Throws {@link Failure} if
 * that is not possible.
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
    // Programs that this process starts must keep their authorities.
    if (before === undefined) Deno.env.delete(AUTHORITIES);
    else Deno.env.set(AUTHORITIES, before);
  }
}
