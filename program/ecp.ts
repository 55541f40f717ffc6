/**
 * The interface ECP, if the configuration has `ecp`. It is imported only then, so that an idle
 * service does not load it.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Timer } from "../core/ports.ts";
import { createProvider } from "../transport/ecp/provider.ts";
import { type ByteInterface, listenBytes } from "./byte-interface.ts";

/** Begins to listen; throws `Failure` if the address is not available. */
export function listenEcp(
  { listen, may }: NonNullable<Configuration["ecp"]>,
  timer: Timer,
  onFault: (fault: unknown) => void,
): ByteInterface {
  return listenBytes(
    "ecp",
    listen,
    (options) => createProvider({ ...options, may, onFault }),
    timer,
    onFault,
  );
}
