/**
 * The provider of Ember+, where the configuration has `ember`. It is imported only then: an idle
 * service does without what it does not use.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Timer } from "../core/ports.ts";
import { createProvider } from "../transport/ember/provider.ts";
import { type ByteInterface, listenBytes } from "./byte-interface.ts";

/** Begins to listen; throws `Failure` where the address cannot be had. */
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
