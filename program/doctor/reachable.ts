import type { Address } from "../../transport/server.ts";

/**
 * Returns the address by which this machine reaches a listener; the listener may be on all
 * addresses.
 */
export function reachable({ hostname, port }: Address): Address {
  const own = { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
  return { hostname: own, port };
}
