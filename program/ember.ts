/**
 * The provider of Ember+, if the configuration has `ember`. It is imported only then, so that an
 * idle service does not load it.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Timer } from "../core/ports.ts";
import { createProvider } from "../transport/ember/provider.ts";
import { type ByteInterface, listenBytes } from "./byte-interface.ts";

/** Begins to listen; throws `Failure` if the address is not available. */
export function listenEmber(
  { listen, may }: NonNullable<Configuration["ember"]>,
  timer: Timer,
  onFault: (fault: unknown) => void,
): ByteInterface {
  return listenBytes(
    "ember",
    listen,
    (options) => createProvider({ ...options, may, onFault }),
    timer,
    onFault,
  );
}
