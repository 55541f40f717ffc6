import type { Address } from "../../transport/server.ts";

/** Returns where this machine reaches an address, which may stand for all of its own. */
export function reachable({ hostname, port }: Address): Address {
  const own = { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
  return { hostname: own, port };
}
